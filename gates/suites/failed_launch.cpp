// Gate `failed_launch`: a launch that does not start counts `failed` and throws. No run counter moves and nothing else answers.
#include "gates/counted.hpp"
#include "gates/sweep.hpp"
#include "gates/tape_run.hpp"

namespace seamgate::gates {
namespace {

constexpr const char* planted = "planted by the gate failed_launch";

kernels::Status failing_forward(const kernels::ForwardCall&) { return kernels::Status::launch_failed(planted); }
kernels::Status failing_backward(const kernels::BackwardCall&) { return kernels::Status::launch_failed(planted); }

// What the module's call threw; empty when it returned.
std::string error_of(Context& context, const Case& c, const TapeOptions& options) {
  try {
    run_on_tape(context.op(), context.implementation(), context.backend(), c, make_host_case(context.op(), c), options);
  } catch (const seam::LaunchFailed& error) {
    return error.what();
  }
  return {};
}

seam::CounterSnapshot counters_of(Context& context) {
  const seam::SeamLock lock;
  return context.implementation().counters().read(lock);
}

// What was counted and seen of a call that throws.
void check_seen(Context& context, const Case& c, const std::string& where, std::uint64_t mark) {
  check_against_witness(context, c, where, counters_of(context), context.witness()->since(mark));
}

void check_forward(Context& context, const Case& c, StrategyTag strategy) {
  kernels::KernelTable broken = *context.implementation().kernels(default_machine(context.backend()));
  broken.forward = failing_forward;
  const seam::Machines machines{&broken, &broken};
  TapeOptions options;
  options.strategy = strategy;
  options.machines = &machines;
  const std::string arm = strategy == StrategyTag::none ? "bare arm: " : "node arm: ";
  const auto mark = context.witness()->mark();
  const std::string error = error_of(context, c, options);
  check_seen(context, c, arm + "a failed forward", mark);
  context.check(c, arm + "a failed forward throws and names its cause", error.find(planted) != std::string::npos);
  const auto counters = counters_of(context);
  context.check(c, arm + "C (asked,skipped,node_ran,bare_ran)", counters.arms(), "(1,0,0,0)");
  context.check(c, arm + "failed", std::to_string(counters[seam::Counter::failed]), "1");
  context.check(c, arm + "the law of counters", counters.broken_law(), "");
}

void run(Context& context, const Case& c) {
  check_forward(context, c, StrategyTag::none);
  check_forward(context, c, StrategyTag::balanced);

  kernels::KernelTable broken = *context.implementation().kernels(default_machine(context.backend()));
  broken.backward = failing_backward;
  const seam::Machines machines{&broken, &broken};
  TapeOptions options;
  options.machines = &machines;
  const auto mark = context.witness()->mark();
  const std::string error = error_of(context, c, options);
  check_seen(context, c, "a failed backward", mark);
  context.check(c, "a failed backward throws and names its cause", error.find(planted) != std::string::npos);
  const auto counters = counters_of(context);
  context.check(c, "a failed backward is not counted as run",
                std::to_string(counters[seam::Counter::node_backward]) + " of " + std::to_string(counters[seam::Counter::node_tracked]), "0 of 1");
}

const RegisterGate registered({
    .id = "failed_launch",
    .title = "a launch that fails counts as failed, throws, and nothing else answers",
    .question = Question::ran,
    .rows = {"A8"},
    .cases = structure_cases,
    .run = run,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
