// Gate `adjoint_launches`: how many launches a backward makes, by the witness: the fused adjoint as many as its contract says, the
// adjoint by tensor operations as many as were committed with the op. A changed number shows in review.
#include "gates/counted.hpp"
#include "gates/scoped_variable.hpp"
#include "gates/sweep.hpp"
#include "gates/tape_graph.hpp"

namespace seamgate::gates {
namespace {

template <class T>
KernelsSeen kernels_of_backward(Context& context, const Case& c, const std::string& adjoint, seam::CounterSnapshot& counters) {
  const ScopedVariable choice(context.contract().adjoint_switch_name, adjoint);
  const HostCase host = make_host_case(context.op(), c);
  Watch watch(context);
  const auto leaves = leaves_of<T>(context, c, host);
  const T y = ask_module(context, c, leaves);
  const auto gy = seed_for(context, c, host, y);
  watch.restart();
  (void)y.backward(gy);
  counters = watch.counters();
  const auto seen = watch.seen();
  const bool is_fused = adjoint == "fused";
  context.record().note(c.str() + ": launches of a backward, " + (is_fused ? "fused adjoint" : "tensor operations") + ": " +
                        std::to_string(seen.count()) + " (" + seen.str() + ")");
  // Counted from before the backward on, the forward is no part of it.
  context.check(c, adjoint + " adjoint: its kernels by the witness", std::to_string(backwards_of(context.contract(), seen)),
                std::to_string(is_fused ? context.contract().backward_launches : 0));
  context.check(c, adjoint + " adjoint: forward kernels in a backward", std::to_string(forwards_of(context.contract(), seen)), "0");
  return seen;
}

void run(Context& context, const Case& c) {
  with_tape(context.backend(), StrategyTag::balanced, [&]<class T>() {
    seam::CounterSnapshot counters;
    const auto fused = kernels_of_backward<T>(context, c, "fused", counters).count();
    // Outputs that nothing used have zeros for a gradient, one fill each.
    const auto unused = context.contract().outputs.size() - 1;
    context.check(c, "launches of a backward by the fused adjoint", std::to_string(fused),
                  std::to_string(static_cast<std::size_t>(context.contract().backward_launches) + unused));
    context.check(c, "backward steps by the fused adjoint", std::to_string(counters[seam::Counter::adjoint_fused]), "1");
    const auto tensor = kernels_of_backward<T>(context, c, "tensor", counters).count();
    context.check(c, "launches of a backward by tensor operations, as committed", std::to_string(tensor),
                  std::to_string(context.op().tensor_adjoint_launches));
    context.check(c, "backward steps by tensor operations", std::to_string(counters[seam::Counter::adjoint_tensor]), "1");
  });
}

const RegisterGate registered({
    .id = "adjoint_launches",
    .title = "a backward makes the committed number of launches",
    .question = Question::ran,
    .rows = {"A20"},
    .cases = [](const Plan& plan) { return std::vector<Case>{structure_cases(plan).front()}; },
    .run = run,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
