// Sweeps.
#include "gates/sweep.hpp"

#include <algorithm>
#include <set>

#include "gates/inputs.hpp"

namespace seamgate::gates {
namespace {

using Shape2 = std::vector<std::int64_t>;

struct Table {
  std::vector<Shape2> shapes;
  std::vector<std::string> distributions;
  int seeds = 1;
};

Table table_of(Tier tier) {
  switch (tier) {
    case Tier::control:
      return {{{5, 40}, {33, 300}}, {"normal", "eps-dominated", "points"}, 1};
    case Tier::smoke:
      return {{{1, 1}, {3, 7}, {5, 40}, {33, 300}, {64, 1024}, {7, 4099}}, {"normal", "eps-dominated", "points", "mixed", "outlier"}, 1};
    case Tier::premerge:
      return {{{1, 1}, {3, 7}, {5, 40}, {33, 300}, {64, 1024}, {7, 4099}, {2, 2}, {1, 4096}, {17, 129}, {200, 33}, {31, 768},
               {130, 64}, {4, 8191}},
              {"normal", "eps-dominated", "points", "mixed", "outlier", "tiny", "huge", "zero-rows", "exact"},
              3};
    case Tier::nightly:
      return {{{1, 1}, {3, 7}, {5, 40}, {33, 300}, {64, 1024}, {7, 4099}, {2, 2}, {1, 4096}, {17, 129}, {200, 33}, {31, 768},
               {130, 64}, {4, 8191}, {2, 16384}, {5000, 24}, {256, 2048}, {1030, 96}},
              {"normal", "eps-dominated", "points", "mixed", "outlier", "tiny", "huge", "zero-rows", "exact"},
              6};
  }
  return {};
}

}  // namespace

std::vector<Combination> combinations(const Plan& plan) {
  std::vector<Combination> all;
  std::size_t index = 0;
  const auto& variants = plan.contract().variants;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    const auto& served = variants[v].dtypes;
    for (std::size_t d = 0; d < served.size(); ++d, ++index) {
      const Tier from = d >= 2 && v > 0 ? Tier::nightly : v == 0 && d < 2 ? Tier::control : Tier::premerge;
      if (plan.at_least(from)) all.push_back({index, variants[v].name, served[d].inputs});
    }
  }
  return all;
}

std::vector<Case> numeric_sweep(const Plan& plan) {
  std::vector<Case> cases;
  const Table table = table_of(plan.tier);
  const auto known = distributions_of(plan.op);
  for (const auto& combination : combinations(plan)) {
    const bool leading = combination.dtypes == plan.contract().variants.front().dtypes.front().inputs;
    for (const auto& shape : table.shapes) {
      // Other dtypes go over the two short shapes that every tier has; it is rounding that is new there.
      const auto& short_shapes = table_of(Tier::control).shapes;
      if (!leading && std::find(short_shapes.begin(), short_shapes.end(), shape) == short_shapes.end()) continue;
      // A distribution's first seed is the same at every tier, so that each tier contains the one before.
      std::uint64_t first_seed = 1;
      for (const auto& distribution : table.distributions) {
        if (std::find(known.begin(), known.end(), distribution) == known.end()) continue;
        for (int s = 0; s < table.seeds; ++s) {
          Case c = make_case(plan.contract(), combination.variant, shape, distribution, first_seed + 16 * static_cast<std::uint64_t>(s));
          c.dtypes = combination.dtypes;
          cases.push_back(c);
        }
        ++first_seed;
      }
    }
  }
  return cases;
}

std::vector<Case> boundary_sweep(const Plan& plan) {
  std::vector<Case> cases;
  const auto& variant = plan.contract().variants.front().name;
  std::set<std::string> seen;
  const auto add = [&](std::int64_t rows, std::int64_t columns, int row_blocks = 0) {
    Case c = make_case(plan.contract(), variant, {rows, columns}, "mixed", 11);
    c.plan.row_blocks = row_blocks;
    if (rows > 0 && columns > 0 && columns <= plan.contract().max_columns && seen.insert(c.str()).second) cases.push_back(c);
  };
  const std::int64_t small = plan.at_least(Tier::smoke) ? plan.contract().max_columns : 128;
  for (const auto boundary : plan.op.column_boundaries) {
    if (boundary > small) continue;
    for (const auto columns : {boundary - 1, boundary, boundary + 1}) add(3, columns);
  }
  for (const auto boundary : plan.op.row_boundaries) {
    if (!plan.at_least(Tier::smoke) && boundary > 64) continue;
    // With one block for all rows the boundary is also that of a level of a column's sum.
    for (const auto rows : {boundary - 1, boundary, boundary + 1}) {
      for (const int row_blocks : {0, 1}) add(rows, plan.op.columns_of_many_rows, row_blocks);
    }
  }
  if (plan.at_least(Tier::premerge)) {
    for (const std::int64_t rows : {65535, 65536, 65537}) add(rows, plan.op.columns_of_many_rows);
  }
  return cases;
}

std::vector<Case> structure_cases(const Plan& plan) {
  const auto& contract = plan.contract();
  std::vector<Case> cases;
  for (const auto& served : contract.variants.front().dtypes) {
    Case c = make_case(contract, contract.variants.front().name, {6, 40}, "normal", 5);
    c.dtypes = served.inputs;
    cases.push_back(c);
  }
  return cases;
}

namespace {

// False for a layout oddK where the op has no tensor number K.
bool has_odd_tensor(const kernels::Contract& contract, std::string_view layout) {
  if (!layout.starts_with("odd")) return true;
  return static_cast<std::size_t>(layout.back() - '0') < 2 * (contract.inputs.size() + contract.outputs.size());
}

}  // namespace

std::vector<Case> table_cases(const Plan& plan, std::span<const LaunchRow> table, const std::string& distribution,
                              std::uint64_t first_seed) {
  const auto& contract = plan.contract();
  std::vector<Case> cases;
  for (const auto& combination : combinations(plan)) {
    std::uint64_t seed = first_seed + combination.index * table.size();
    for (const LaunchRow& row : table) {
      const std::uint64_t own_seed = seed++;  // the same at every tier, so that each tier contains the one before
      if (!plan.at_least(row.tier) || row.columns > contract.max_columns || !has_odd_tensor(contract, row.layout)) continue;
      Case c = make_case(contract, combination.variant, {row.rows, row.columns}, distribution, own_seed);
      c.dtypes = combination.dtypes;
      c.layout = row.layout;
      c.plan.row_blocks = row.row_blocks;
      cases.push_back(c);
    }
  }
  return cases;
}

std::vector<Case> thinned(const Plan& plan, std::vector<Case> cases, const LaunchRow& first) {
  const auto& leading = plan.contract().variants.front();
  std::erase_if(cases, [&](const Case& c) {
    if (c.rows() == first.rows && c.columns() == first.columns) return false;
    if (c.variant != leading.name) return true;
    for (std::size_t d = 0; d < leading.dtypes.size() && d < 2; ++d) {
      if (c.dtypes == leading.dtypes[d].inputs) return false;
    }
    return true;
  });
  return cases;
}

}  // namespace seamgate::gates
