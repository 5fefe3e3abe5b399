// Gate `empty`: tiny shapes are right, and empty ones are served or declined as the op's contract says.
#include <cmath>

#include "gates/counted.hpp"
#include "gates/kernel_results.hpp"
#include "gates/numeric.hpp"
#include "gates/sweep.hpp"
#include "seam/decline.hpp"

namespace seamgate::gates {
namespace {

std::vector<Case> cases(const Plan& plan) {
  const auto& contract = plan.contract();
  std::vector<std::vector<std::int64_t>> shapes = {{1, 1}, {2, 3}, {5, 9}, {0, 40}, {3, 0}};
  if (plan.at_least(Tier::smoke)) {
    shapes.clear();
    for (std::int64_t columns = 1; columns <= 9; ++columns) {
      for (const std::int64_t rows : {1, 2, 5}) shapes.push_back({rows, columns});
    }
    for (const std::int64_t columns : {1, 40, 600}) shapes.push_back({0, columns});
    for (const std::int64_t rows : {1, 3}) shapes.push_back({rows, 0});
    for (const auto& shape : {std::vector<std::int64_t>{0, 0}, {2, 0, 7}, {0}}) shapes.push_back(shape);
  }
  std::vector<Case> all;
  for (const auto& combination : combinations(plan)) {
    std::uint64_t seed = 61 + 64 * combination.index;
    for (const auto& shape : shapes) {
      Case c = make_case(contract, combination.variant, shape, "normal", seed++);
      c.dtypes = combination.dtypes;
      all.push_back(c);
    }
  }
  return all;
}

// "40 times +0", or the first value that is anything else.
std::string zeros(const std::vector<float>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0.0F && !std::signbit(values[i])) continue;
    return "element " + std::to_string(i) + " is " + std::to_string(values[i]);
  }
  return std::to_string(values.size()) + " times +0";
}

std::int64_t elements(kernels::Extent extent, const Case& c) {
  if (extent == kernels::Extent::columns) return c.columns();
  return extent == kernels::Extent::rows ? c.rows() : c.rows() * c.columns();
}

// Sums over no rows are +0; everything else has no elements. Columns that do not exist leave nothing to be
// wrong.
void check_values(Context& context, const Case& c, const std::string& name, kernels::Extent extent,
                  const std::vector<float>& values) {
  context.check(c, name, zeros(values), std::to_string(elements(extent, c)) + " times +0");
}

void check_seam(Context& context, const Case& c, const HostCase& host, StrategyTag strategy) {
  const auto& contract = context.contract();
  const std::string name = std::string(to_string(strategy)) + ": ";
  TapeOptions options;
  options.strategy = strategy;
  const TapeResult result =
      run_on_tape(context.op(), context.implementation(), context.backend(), c, host, options);
  const bool bare = strategy == StrategyTag::none;
  const std::string served = bare ? "(1,0,0,1)" : "(1,0,1,0)";
  context.check(c, name + "counters", result.counters.arms(), contract.serves_empty ? served : "(1,1,0,0)");
  context.check(c, name + "declined for being empty", std::to_string(result.counters[seam::Decline::empty]),
                contract.serves_empty ? "0" : "1");
  context.check(c, name + "conservation", result.counters.broken_law(), "");
  if (result.seen && !contract.serves_empty) {  // not under a tool
    check_against_witness(context, c, std::string(to_string(strategy)), result.counters, *result.seen);
  }
  for (std::size_t i = 0; i < contract.outputs.size(); ++i) {
    check_values(context, c, name + contract.outputs[i].name, contract.outputs[i].extent, result.outputs[i]);
  }
  for (std::size_t i = 0; !bare && i < contract.inputs.size(); ++i) {
    const std::string gradient = name + "d" + contract.inputs[i].name;
    if (!result.gradients[i]) {
      context.check(c, gradient, "no gradient", "a gradient");
      continue;
    }
    check_values(context, c, gradient, contract.inputs[i].extent, *result.gradients[i]);
  }
}

// Refused with one clear line, before anything is launched or written.
void check_refusal(Context& context, const Case& c, const std::string& call, const kernels::Status& status) {
  const bool refused =
      status.code == kernels::StatusCode::invalid || status.code == kernels::StatusCode::unsupported;
  const bool clear = is_clear_refusal(context, status.message);
  context.check(c, call + " of an empty shape",
                refused && clear ? "refused"
                : status.ok()    ? "launched"
                                 : "unclear: " + status.message,
                "refused");
}

void check_direct_launch(Context& context, const Case& c, const HostCase& host) {
  const auto& contract = context.contract();
  KernelRun kernel(context.op(), context.implementation(), default_machine(context.backend()), c, host);
  if (contract.serves_empty) {
    const KernelResults results = launch_both(kernel, contract);
    for (std::size_t i = 0; i < contract.inputs.size(); ++i) {
      check_values(context, c, "direct launch: d" + contract.inputs[i].name, contract.inputs[i].extent,
                   results.gradients[i]);
    }
  } else if (context.op().promises.refuses_empty) {
    const KernelResults before = read_results(kernel, contract);
    const auto mark = context.witness() == nullptr ? 0 : context.witness()->mark();
    check_refusal(context, c, "a forward", kernel.forward());
    check_refusal(context, c, "a backward", kernel.backward());
    context.check(c, "what a refused launch leaves",
                  same_bits(contract, read_results(kernel, contract), before), same_bits_text);
    if (context.witness() != nullptr) {  // not under a tool
      context.check(c, "kernels that a refused launch runs", std::to_string(context.witness()->since(mark).count()), "0");
    }
  }
  context.check(c, "nothing else is touched", kernel.damage(), "");
}

void run(Context& context, const Case& c) {
  const auto& contract = context.contract();
  const HostCase host = make_host_case(context.op(), c);
  if (c.rows() * c.columns() != 0) {
    KernelRun kernel(context.op(), context.implementation(), default_machine(context.backend()), c, host);
    const KernelResults results = launch_both(kernel, contract);
    context.check(c, "nothing else is touched", kernel.damage(), "");
    record_against_truth(context, c, evaluate_truth(context.op(), c, host), results.outputs,
                         results.gradients, nullptr);
    return;
  }
  for (const auto strategy : {StrategyTag::none, StrategyTag::no_checkpointing, StrategyTag::balanced}) {
    check_seam(context, c, host, strategy);
  }
  check_direct_launch(context, c, host);
}

const RegisterGate registered({
    .id = "empty",
    .title = "tiny and empty shapes are right, or declined and counted",
    .question = Question::right,
    .rows = {"B13"},
    .cases = cases,
    .run = run,
    .reach = Reach::kernels,
    .witnessed = true,
    .sanitized = true,
});

}  // namespace
}  // namespace seamgate::gates
