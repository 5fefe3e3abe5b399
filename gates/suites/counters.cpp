// Gate `counters`: conservation over a mixed history of asks, and backward steps against tracked forwards.
#include "gates/counted.hpp"
#include "gates/scoped_variable.hpp"
#include "gates/sweep.hpp"
#include "gates/tape_run.hpp"

namespace seamgate::gates {
namespace {

using seam::Counter;

template <class B>
void mixed_history(Context& context, const Case& c, const HostCase& host) {
  using Tracked = Tensor<Autodiff<B, BalancedCheckpointing>>;
  const auto& contract = context.contract();
  const auto& implementation = context.implementation();
  std::vector<AnyTensor> bare;
  std::vector<AnyTensor> untracked;
  std::vector<AnyTensor> tracked;
  for (std::size_t i = 0; i < host.inputs.size(); ++i) {
    const auto tensor = tensor_of<B>(c, contract.inputs[i].extent, c.dtypes[i], host.inputs[i]);
    bare.push_back(tensor);
    untracked.push_back(Tracked::from_inner(tensor));
    tracked.push_back(Tracked::from_inner(tensor).require_grad());
  }
  const auto seed = tensor_of<B>(c, contract.outputs[0].extent, output_dtype(contract, c), host.upstream[0]);
  const auto request = request_of(c);

  const seam::SeamLock lock;
  implementation.counters().reset(lock);
  const auto mark = context.witness()->mark();
  for (int i = 0; i < 3; ++i) implementation.ask(bare, request);
  for (int i = 0; i < 2; ++i) implementation.ask(untracked, request);
  for (int i = 0; i < 4; ++i) {
    const AnyTensor y = implementation.ask(tracked, request)[0];
    if (i > 0) y.as<Tracked>()->backward(seed);
  }
  {
    const ScopedVariable off(contract.switch_name, "off");
    for (int i = 0; i < 5; ++i) implementation.ask(i % 2 == 0 ? bare : tracked, request);
  }
  {
    const ScopedVariable by_tensors(contract.adjoint_switch_name, "tensor");
    implementation.ask(tracked, request)[0].template as<Tracked>()->backward(seed);
  }
  const auto got = implementation.counters().read(lock);
  context.check(c, "C (asked,skipped,node_ran,bare_ran) after 3 bare, 2 untracked, 5 tracked and 5 declined asks", got.arms(), "(15,5,7,3)");
  context.check(c, "the law of counters", got.broken_law(), "");
  context.check(c, "tracked node runs", std::to_string(got[Counter::node_tracked]), "5");
  context.check(c, "backward steps: fused + tensor", std::to_string(got[Counter::adjoint_fused]) + " + " + std::to_string(got[Counter::adjoint_tensor]), "3 + 1");
  check_against_witness(context, c, "a mixed history", got, context.witness()->since(mark));
  context.check(c, "nothing failed", std::to_string(got[Counter::failed]), "0");
}

void run(Context& context, const Case& c) {
  const HostCase host = make_host_case(context.op(), c);
  with_backend(context.backend(), [&]<class B>() { mixed_history<B>(context, c, host); });
  const TapeResult once = run_on_tape(context.op(), context.implementation(), context.backend(), c, host, {});
  context.check(c, "after a backward node_backward == tracked node_ran", std::to_string(once.counters[Counter::node_backward]),
                std::to_string(once.counters[Counter::node_tracked]));
  context.check(c, "the one tracked forward was counted", std::to_string(once.counters[Counter::node_tracked]), "1");
  check_against_witness(context, c, "one call and its backward", once.counters, *once.seen);
}

const RegisterGate registered({
    .id = "counters",
    .title = "counters are conserved over a mixed history",
    .question = Question::ran,
    .rows = {"A8"},
    .cases = structure_cases,
    .run = run,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
