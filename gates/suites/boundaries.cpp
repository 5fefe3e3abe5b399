// Gate `boundaries`: sizes one below, at and above each vector, warp, block and dispatch boundary.
#include "gates/numeric.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

void run(Context& context, const Case& c) {
  KernelRun kernel(context.op(), context.implementation(), default_machine(context.backend()), c);
  const auto forward = kernel.forward();
  const auto backward = forward.ok() ? kernel.backward() : forward;
  context.check(c, "the kernels launch", backward.ok() ? "ok" : backward.message, "ok");
  if (!backward.ok()) return;
  std::vector<std::vector<float>> outputs;
  std::vector<std::vector<float>> gradients;
  for (std::size_t i = 0; i < context.contract().outputs.size(); ++i) outputs.push_back(kernel.output(i));
  for (std::size_t i = 0; i < context.contract().inputs.size(); ++i) gradients.push_back(kernel.gradient(i));
  context.check(c, "nothing else is touched", kernel.damage(), "");
  record_against_truth(context, c, evaluate_truth(context.op(), c, kernel.host()), outputs, gradients, nullptr, {}, &kernel.host());
}

const RegisterGate registered({
    .id = "boundaries",
    .title = "tails and thresholds are right: one below, at and above each",
    .question = Question::right,
    .rows = {"B14"},
    .cases = boundary_sweep,
    .run = run,
    .reach = Reach::kernels,
    .timeout_s = 300,
    .sanitized = true,
});

}  // namespace
}  // namespace seamgate::gates
