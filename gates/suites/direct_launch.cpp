// Gate `direct_launch`: a launch without an ask leaves the counters alone, and takes bare tensors only.
#include "gates/counted.hpp"
#include "gates/sweep.hpp"
#include "gates/tape_run.hpp"

namespace seamgate::gates {
namespace {

template <class B>
void check_refusal(Context& context, const Case& c, const HostCase& host) {
  using Tracked = Tensor<Autodiff<B, BalancedCheckpointing>>;
  context.check(c, "the type of a tracked tensor is not a bare one", !is_bare<Tracked> && is_bare<Tensor<B>>);
  const auto bare = tensor_of<B>(c, context.contract().inputs[0].extent, c.dtypes[0], host.inputs[0]);
  const Tracked tracked = Tracked::from_inner(bare).require_grad();
  for (const AnyTensor& any : {AnyTensor(tracked), AnyTensor(Tracked::from_inner(bare))}) {
    const auto mark = context.witness()->mark();
    std::string error = "accepted";
    try {
      (void)any.view();
    } catch (const std::invalid_argument& refusal) {
      error = refusal.what();
    }
    const std::string state = any.is_tracked() ? "tracked" : "on a tape, untracked";
    context.check(c, state + ": type-erased, a raw launch refuses it in words (" + error + ")", error.find("bare tensors") != std::string::npos);
    context.check(c, state + ": nothing was launched", std::to_string(context.witness()->since(mark).count()), "0");
    context.check(c, state + ": the tensor is untouched", any.inner().template as<Tensor<B>>()->to_floats() == host.inputs[0]);
  }
}

void run(Context& context, const Case& c) {
  const auto& implementation = context.implementation();
  KernelRun kernel(context.op(), implementation, default_machine(context.backend()), c);
  {
    const seam::SeamLock lock;
    implementation.counters().reset(lock);
    const auto mark = context.witness()->mark();
    const auto forward = kernel.forward();
    const auto backward = kernel.backward();
    context.check(c, "the kernels launch", (forward.ok() ? "" : forward.message) + (backward.ok() ? "" : backward.message), "");
    const auto counters = implementation.counters().read(lock);
    context.check(c, "C (asked,skipped,node_ran,bare_ran) of a direct launch", counters.arms(), "(0,0,0,0)");
    const auto seen = context.witness()->since(mark);
    context.check(c, "forward kernels by the witness", std::to_string(forwards_of(context.contract(), seen)),
                  std::to_string(context.contract().forward_launches));
    context.check(c, "backward kernels by the witness", std::to_string(backwards_of(context.contract(), seen)),
                  std::to_string(context.contract().backward_launches));
    context.check(c, "no backward is counted either", std::to_string(counters[seam::Counter::node_backward]), "0");
  }
  with_backend(context.backend(), [&]<class B>() { check_refusal<B>(context, c, kernel.host()); });
}

const RegisterGate registered({
    .id = "direct_launch",
    .title = "a launch is separate from the asking, and takes bare tensors only",
    .question = Question::ran,
    .rows = {"A4", "A6"},
    .cases = structure_cases,
    .run = run,
    .reach = Reach::kernels,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
