// Gate `parity`: the node against the tensor path, on a tape that recomputes, inputs one operation from
// leaves, the loss a random cotangent. Each arm answers to truth too, and so does the node's other backward,
// the adjoint by tensor operations.
#include <algorithm>
#include <sstream>

#include "gates/counted.hpp"
#include "gates/numeric.hpp"
#include "gates/scoped_variable.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

// Relative to the largest element of truth: in f32, and where that says something of the terms that meet in
// it. Elsewhere a note.
void record_parity(Context& context, const Case& c, const std::string& name,
                   const reference::TruthTensor& truth, const std::vector<float>& node,
                   const std::vector<float>& tensor_path) {
  const double largest = truth.max_abs();
  const Bar bar = context.op().promises.bar > parity_bar().value() ? bar_of(context.op()) : parity_bar();
  const Comparison parity = compare_parity(node, tensor_path, bar, largest);
  const bool all_f32 = std::count(c.dtypes.begin(), c.dtypes.end(), DType::f32) == std::ssize(c.dtypes);
  if (!all_f32 || !(truth.max_scale() <= 2.0 * largest)) {
    context.record().note(
        c.str() + " " + name + ": parity " + number(parity.error) + " is not judged: " +
        (all_f32 ? "S is " + number(truth.max_scale()) + ", max|truth| is " + number(largest) : "not f32"));
    return;
  }
  Numeric numeric;
  numeric.case_text = c.str();
  numeric.tensor = name;
  numeric.you = parity;
  numeric.bar = bar.value();
  numeric.bar_source = bar.source();
  numeric.place = "node against tensor path";
  if (parity.worst >= 0) numeric.place += ": " + place_of(truth, parity.worst);
  context.record().numeric(numeric);
}

// The node once more, its backward by tensor operations: what a switch falls back to is as right as what it
// replaces.
void check_tensor_adjoint(Context& context, const Case& c, const HostCase& host,
                          const reference::Truth& truth, TapeOptions options) {
  const auto& contract = context.contract();
  const ScopedVariable choice(contract.adjoint_switch_name, "tensor");
  options.route = TapeOptions().route;
  const TapeResult ran =
      run_on_tape(context.op(), context.implementation(), context.backend(), c, host, options);
  if (ran.seen) check_against_witness(context, c, "the adjoint by tensor operations", ran.counters, *ran.seen);  // not under a tool
  context.check(c, "the adjoint by tensor operations: backward steps",
                std::to_string(ran.counters[seam::Counter::adjoint_tensor]), "1");
  for (std::size_t i = 0; i < contract.inputs.size(); ++i) {
    const std::string name = "d" + contract.inputs[i].name;
    context.check(c, name + " arrives by tensor operations", ran.gradients[i].has_value());
    if (ran.gradients[i])
      record_tensor(context, c, name, truth.gradients[i], *ran.gradients[i], nullptr,
                    "adjoint by tensor operations");
  }
}

void run(Context& context, const Case& c) {
  const auto& contract = context.contract();
  const HostCase host = make_host_case(context.op(), c);
  TapeOptions options;
  options.one_operation_away = true;
  const TapeResult node =
      run_on_tape(context.op(), context.implementation(), context.backend(), c, host, options);
  options.route = Route::tensor_path;
  const TapeResult tensor_path =
      run_on_tape(context.op(), context.implementation(), context.backend(), c, host, options);
  context.check(c, "the node: C (asked,skipped,node_ran,bare_ran)", node.counters.arms(), "(1,0,1,0)");
  context.check(c, "the tensor path asks nobody: C", tensor_path.counters.arms(), "(0,0,0,0)");
  if (node.seen) {  // not under a tool
    check_against_witness(context, c, "the node", node.counters, *node.seen);
    check_against_witness(context, c, "the tensor path", tensor_path.counters, *tensor_path.seen);
  }
  const auto truth = evaluate_truth(context.op(), c, host);
  const auto record = [&](const std::string& name, const reference::TruthTensor& exact,
                          const std::vector<float>& you, const std::vector<float>& path) {
    record_parity(context, c, name, exact, you, path);
    record_tensor(context, c, name, exact, you, &path, "node");
    record_tensor(context, c, name, exact, path, nullptr, "tensor path");
  };
  for (std::size_t i = 0; i < contract.outputs.size(); ++i) {
    record(truth.outputs[i].name(), truth.outputs[i], node.outputs[i], tensor_path.outputs[i]);
  }
  for (std::size_t i = 0; i < contract.inputs.size(); ++i) {
    const std::string name = "d" + contract.inputs[i].name;
    const bool both = node.gradients[i].has_value() && tensor_path.gradients[i].has_value();
    context.check(c, name + " arrives on both arms", both);
    if (both) record(name, truth.gradients[i], *node.gradients[i], *tensor_path.gradients[i]);
  }
  // It reads what our forward saves, and is ours: a library brings one backward.
  if (context.implementation().traits() == nullptr) check_tensor_adjoint(context, c, host, truth, options);
}

// A third of the numeric sweep, on its diagonals, so that every shape, distribution and seed stays in; and
// all of the little that planted faults are judged by, of which the diagonals would leave whole distributions
// out. Whether a case is one of them does not depend on the tier.
std::vector<Case> cases(const Plan& plan) {
  const std::vector<Case> control = numeric_sweep({plan.op, plan.backend, Tier::control});
  std::vector<Case> some;
  for (const Case& c : numeric_sweep(plan)) {
    const auto diagonal = static_cast<std::uint64_t>(c.rows() + c.columns()) + c.seed;
    if (diagonal % 3 == 1 || std::find(control.begin(), control.end(), c) != control.end()) some.push_back(c);
  }
  return some;
}

const RegisterGate registered({
    .id = "parity",
    .title = "the node, by either adjoint, and the tensor path agree, and each with float128",
    .question = Question::right,
    .rows = {"A11"},
    .cases = cases,
    .run = run,
    .reach = Reach::node,
    .timeout_s = 300,
    .witnessed = true,
    .sanitized = true,
});

}  // namespace
}  // namespace seamgate::gates
