// The numbers that cases are made of.
#include "gates/inputs.hpp"

#include <cmath>
#include <stdexcept>

#include "kernels/simt/scalar_types.hpp"

namespace seamgate::gates {
namespace {

using simt::from_float;
using simt::to_float;

// FNV-1a: tells the streams of a case apart by name.
std::uint32_t hash_of(std::string_view text) {
  std::uint32_t h = 2166136261U;
  for (const unsigned char c : text) h = (h ^ c) * 16777619U;
  return h;
}

// Sum of four 16-bit integers, centred and scaled: bell-shaped, mean 0, standard deviation 1 to three digits, |v| <= 3.47.
// Integers and one exact product, so that no platform's library has a say.
double bell(const std::array<std::uint32_t, 4>& bits) {
  std::int64_t sum = 0;
  for (const auto word : bits) sum += static_cast<std::int64_t>(word & 0xffffU);
  constexpr double inverse_deviation = 113512.0 / 4294967296.0;  // 1 / (65536 * sqrt(4 / 12)), as a dyadic fraction
  return static_cast<double>(sum - 131070) * inverse_deviation;
}

double round_to(DType dtype, double value) {
  const auto f = static_cast<float>(value);
  switch (dtype) {
    case DType::f32:
      return f;
    case DType::bf16:
      return to_float(from_float<bf16>(f));
    case DType::f16:
      return to_float(from_float<f16>(f));
  }
  return f;
}

// The points of the case's op; none where it has none, or is not of this program.
const std::vector<float>& points_of(const Case& c) {
  static const std::vector<float> none;
  for (const OpTraits* op : all_ops()) {
    if (op->name == c.op) return op->points;
  }
  return none;
}

// As near as a last bit, or a sixteenth of `spread` away, or between.
double near(double point, double spread, std::uint32_t bits) { return point + std::ldexp(spread, -4 - static_cast<int>(bits >> 16) % 24); }

struct Shaping {
  std::string_view distribution;
  double eps;
  std::int64_t columns;

  double scale(std::int64_t row, std::int64_t column) const {
    if (distribution == "eps-dominated") return std::ldexp(std::floor(std::ldexp(std::sqrt(eps), 20)), -22);
    if (distribution == "tiny") return 1e-4;
    if (distribution == "huge") return 1e4;
    if (distribution == "mixed") {
      constexpr std::array steps = {1e-4, 1e-2, 1.0, 1e2, 1e4};
      return steps[static_cast<std::size_t>(row) % steps.size()];
    }
    if (distribution == "outlier") return column == columns / 3 ? 1000.0 : 1.0;
    if (distribution == "zero-rows") return row % 3 == 0 ? 0.0 : 1.0;
    return 1.0;
  }
};

}  // namespace

const std::vector<std::string>& distributions() {
  static const std::vector<std::string> names = {"normal", "eps-dominated", "tiny",      "huge",
                                                 "mixed",  "outlier",       "zero-rows", "exact", "points"};
  return names;
}

std::vector<std::string> distributions_of(const OpTraits& op) {
  std::vector<std::string> names;
  for (const auto& name : distributions()) {
    if (name == "eps-dominated" && !op.contract().has_eps) continue;
    if (name == "points" && op.points.empty()) continue;
    names.push_back(name);
  }
  return names;
}

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = 0xD2511F53ULL * counter[0];
    const std::uint64_t b = 0xCD9E8D57ULL * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

std::vector<float> make_values(const Case& c, std::string_view stream, kernels::Extent extent, DType dtype, bool shaped) {
  const std::int64_t columns = c.columns();
  const std::int64_t rows = extent == kernels::Extent::columns ? 1 : c.rows();
  const bool row_input = shaped && extent == kernels::Extent::rows_by_columns;
  const Shaping shaping{row_input ? std::string_view(c.distribution) : "normal", c.eps, columns};
  const std::array<std::uint32_t, 2> key = {static_cast<std::uint32_t>(c.seed), static_cast<std::uint32_t>(c.seed >> 32)};
  const std::uint32_t name = hash_of(stream);
  const std::vector<float> points = row_input && c.distribution == "points" ? points_of(c) : std::vector<float>{};
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(rows * columns));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      // Keyed by row and column, not by position: a row keeps its values when rows are added or taken away.
      const auto bits = philox({static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row),
                                static_cast<std::uint32_t>(row >> 32), name},
                               key);
      double value = bell(bits) * shaping.scale(row, column);
      if (!points.empty() && column % 4 != 3) {
        value = near(points[(static_cast<std::uint64_t>(row) + name) % points.size()], value, bits[0]);
      }
      if (c.distribution == "exact") value = static_cast<double>(static_cast<int>(bits[0] % 15U) - 7) / 4.0;
      values.push_back(static_cast<float>(round_to(dtype, value)));
    }
  }
  return values;
}

}  // namespace seamgate::gates
