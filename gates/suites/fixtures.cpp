// Gate `fixtures`: an untracked snapshot on a tape takes the node arm, and agrees with what an upstream library gave.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "fixtures/fixture.hpp"
#include "gates/app/places.hpp"
#include "gates/numeric.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

constexpr std::string_view prefix = "fixture-";

// The dtypes of the fixture's inputs, where the contract serves them in its variant; else null.
const kernels::ServedDtypes* served(const kernels::Contract& contract, const fixtures::Fixture& fixture) {
  const kernels::VariantSpec* variant = kernels::find_variant(contract, fixture.variant);
  if (variant == nullptr) return nullptr;
  const auto same = [](DType a, const fixtures::FixtureTensor& b) { return to_string(a) == b.dtype; };
  for (const auto& dtypes : variant->dtypes) {
    if (std::ranges::equal(dtypes.inputs, fixture.inputs, same)) return &dtypes;
  }
  return nullptr;
}

std::string data_folder() { return find_beside_program("fixtures/data").string(); }

std::vector<fixtures::Fixture> fixtures_of(const OpTraits& op) {
  auto all = fixtures::load_fixtures_of(data_folder(), op.name);
  std::erase_if(all, [&](const auto& fixture) { return served(op.contract(), fixture) == nullptr; });
  return all;
}

Case case_of(const OpTraits& op, const fixtures::Fixture& fixture) {
  Case c = make_case(op.contract(), fixture.variant, fixture.inputs[0].shape, std::string(prefix) + fixture.name,
                     static_cast<std::uint64_t>(fixture.seed));
  c.dtypes = served(op.contract(), fixture)->inputs;
  c.eps = fixture.eps;
  return c;
}

std::vector<Case> cases(const Plan& plan) {
  std::vector<Case> all;
  for (const auto& fixture : fixtures_of(plan.op)) all.push_back(case_of(plan.op, fixture));
  return all.empty() ? std::vector<Case>{structure_cases(plan).front()} : all;  // the run says that there is none
}

// max|a - b| / max|b| within a row, the largest over rows; a per-column tensor is one row.
Comparison compare_rows(const std::vector<float>& got, const fixtures::FixtureTensor& want, const Bar& bar) {
  if (got.size() != want.values.size()) return compare_parity(got, want.values, bar);
  const auto columns = static_cast<std::size_t>(want.shape.back());
  Comparison worst;
  worst.passed = true;
  for (std::size_t row = 0; row * columns < got.size(); ++row) {
    Comparison here = compare_parity(std::span(got).subspan(row * columns, columns), std::span(want.values).subspan(row * columns, columns), bar);
    if (here.worst >= 0) here.worst += static_cast<std::int64_t>(row * columns);
    if (row == 0 || !here.passed || here.error > worst.error) worst = here;
    if (!here.passed) return worst;
  }
  return worst;
}

// Where the bar cannot tell one order of casts from another: few elements may differ at all.
bool few_differ(const std::vector<float>& got, const fixtures::FixtureTensor& want) {
  std::size_t differing = 0;
  for (std::size_t i = 0; i < want.values.size(); ++i) {
    const double allowed = want.differs_beyond * std::abs(static_cast<double>(want.values[i]));
    if (!(std::abs(static_cast<double>(got[i]) - want.values[i]) <= allowed)) ++differing;
  }
  return static_cast<double>(differing) <= want.max_differing * static_cast<double>(want.values.size());
}

void record(Context& context, const Case& c, const std::string& tensor, const Comparison& comparison, const Bar& bar) {
  Numeric numeric;
  numeric.case_text = c.str();
  numeric.tensor = tensor;
  numeric.you = comparison;
  numeric.bar = bar.value();
  numeric.bar_source = bar.source();
  numeric.place = "element " + std::to_string(comparison.worst);
  context.record().numeric(numeric);
}

void run(Context& context, const Case& c) {
  const auto fixtures = fixtures_of(context.op());
  if (fixtures.empty()) throw CannotRun{"no upstream fixture of " + context.op().name + " is in " + data_folder()};
  for (const auto& fixture : fixtures) {
    if (!(case_of(context.op(), fixture) == c)) continue;
    const Bar bar(fixture.bar, "the fixture's: " + fixture.provenance.library + " " + fixture.provenance.version);
    HostCase host;
    for (const auto& tensor : fixture.inputs) host.inputs.push_back(tensor.values);
    for (const auto& tensor : fixture.upstream_gradients) host.upstream.push_back(tensor.values);
    TapeOptions snapshot;
    snapshot.tracked.assign(host.inputs.size(), false);
    const TapeResult valid = run_on_tape(context.op(), context.implementation(), context.backend(), c, host, snapshot);
    context.check(c, "an untracked snapshot: C (asked,skipped,node_ran,bare_ran)", valid.counters.arms(), "(1,0,1,0)");
    context.check(c, "an untracked snapshot leaves no tape entry", !valid.output_tracked);
    for (std::size_t i = 0; i < fixture.outputs.size(); ++i) {
      const Comparison compared = compare_rows(valid.outputs.at(i), fixture.outputs[i], bar);
      record(context, c, fixture.outputs[i].name, compared, bar);
      context.check(c, fixture.outputs[i].name + " is cast where the upstream casts",
                    !compared.passed || few_differ(valid.outputs[i], fixture.outputs[i]));
    }
    TapeOptions both_ways;
    both_ways.backward = !fixture.forward_only;
    const TapeResult tracked = run_on_tape(context.op(), context.implementation(), context.backend(), c, host, both_ways);
    context.check(c, "tracked: C (asked,skipped,node_ran,bare_ran)", tracked.counters.arms(), "(1,0,1,0)");
    for (std::size_t i = 0; i < fixture.gradients.size(); ++i) {
      context.check(c, fixture.gradients[i].name + " arrives", tracked.gradients[i].has_value());
      if (tracked.gradients[i]) record(context, c, fixture.gradients[i].name, compare_rows(*tracked.gradients[i], fixture.gradients[i], bar), bar);
    }
  }
}

const RegisterGate registered({
    .id = "fixtures",
    .title = "on a tape the node arm serves, and an upstream library agrees",
    .question = Question::right,
    .rows = {"A14"},
    .inapplicable = [](const OpTraits& op) -> std::string {
      return fixtures_of(op).empty() ? "no upstream library's numbers for it are in the repository" : "";
    },
    .cases = cases,
    .run = run,
    .sanitized = true,
});

}  // namespace
}  // namespace seamgate::gates
