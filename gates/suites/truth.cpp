// Gate `truth`: outputs, saved statistics' consequences and gradients of a direct launch, every element against float128, with
// the tensor path beside it.
#include "gates/numeric.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

void run(Context& context, const Case& c) {
  KernelRun kernel(context.op(), context.implementation(), default_machine(context.backend()), c);
  const auto forward = kernel.forward();
  context.check(c, "the forward launches", forward.ok() ? "ok" : forward.message, "ok");
  const auto backward = kernel.backward();
  context.check(c, "the backward launches", backward.ok() ? "ok" : backward.message, "ok");
  if (!forward.ok() || !backward.ok()) return;

  std::vector<std::vector<float>> outputs;
  std::vector<std::vector<float>> gradients;
  for (std::size_t i = 0; i < context.contract().outputs.size(); ++i) outputs.push_back(kernel.output(i));
  for (std::size_t i = 0; i < context.contract().inputs.size(); ++i) gradients.push_back(kernel.gradient(i));
  // The kernel first, the reference after and elsewhere.
  TapeOptions by_tensors;
  by_tensors.route = Route::tensor_path;
  const TapeResult tensor_path = run_on_tape(context.op(), context.implementation(), context.backend(), c, kernel.host(), by_tensors);
  record_against_truth(context, c, evaluate_truth(context.op(), c, kernel.host()), outputs, gradients, &tensor_path, {}, &kernel.host());
}

const RegisterGate registered({
    .id = "truth",
    .title = "outputs and gradients of a direct launch are right against float128",
    .question = Question::right,
    .rows = {"A1"},
    .cases = numeric_sweep,
    .run = run,
    .reach = Reach::kernels,
    .timeout_s = 400,
    .sanitized = true,
});

}  // namespace
}  // namespace seamgate::gates
