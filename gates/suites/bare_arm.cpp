// Gate `bare_arm`: bare tensors take the bare arm, each case once, and the result is right.
#include "gates/counted.hpp"
#include "gates/numeric.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

std::vector<Case> cases(const Plan& plan) {
  std::vector<Case> some;
  for (const Case& c : numeric_sweep(plan)) {
    // Small enough that taking the arm, not the arithmetic, is what costs.
    if (c.rows() * c.columns() <= 20000) some.push_back(c);
  }
  return some;
}

void run(Context& context, const Case& c) {
  const HostCase host = make_host_case(context.op(), c);
  TapeOptions options;
  options.strategy = StrategyTag::none;
  const TapeResult ran = run_on_tape(context.op(), context.implementation(), context.backend(), c, host, options);
  context.check(c, "C (asked,skipped,node_ran,bare_ran)", ran.counters.arms(), "(1,0,0,1)");
  check_against_witness(context, c, "", ran.counters, *ran.seen);
  record_against_truth(context, c, evaluate_truth(context.op(), c, host), ran.outputs, {}, nullptr, {}, &host);
}

const RegisterGate registered({
    .id = "bare_arm",
    .title = "the bare arm is taken, once a case, and right",
    .question = Question::ran,
    .rows = {"A13"},
    .cases = cases,
    .run = run,
    .reach = Reach::node,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
