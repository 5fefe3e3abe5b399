// Gate `graph`: the node lists the op's inputs as its parents, one call is one forward, and backward runs on
// the bare backend and adds no node; the same for parents that are tracked and not leaves.
#include <type_traits>

#include "gates/numeric.hpp"
#include "gates/sweep.hpp"
#include "gates/tape_graph.hpp"
#include "seam/kill_switch.hpp"

namespace seamgate::gates {
namespace {

template <class T>
std::string list_of(const std::vector<T>& nodes) {
  std::string text;
  for (const auto& node : nodes) {
    text += (text.empty() ? "" : ", ") + node.op + "#" + std::to_string(node.id);
  }
  return text;
}

void check_count(Context& context, const Case& c, const std::string& name, std::uint64_t got,
                 std::uint64_t want) {
  context.check(c, name, std::to_string(got), std::to_string(want));
}

template <class T>
void look(Context& context, const Case& c, bool away, const HostCase& host, const reference::Truth& truth) {
  const auto& contract = context.contract();
  const auto forward_launches = static_cast<std::uint64_t>(contract.forward_launches);
  const std::string where =
      strategy_name<T>() + (away ? ", inputs one operation from leaves" : ", inputs are leaves");
  const auto leaves = leaves_of<T>(context, c, away ? negated(host) : host);
  std::vector<T> inputs;
  std::vector<autodiff::NodeInfo> expected;
  for (const T& leaf : leaves) {
    inputs.push_back(away ? negation(leaf) : leaf);
    expected.push_back(inputs.back().node());
  }

  Watch watch(context);
  const T y = ask_module(context, c, inputs);
  context.check(c, where + ": C (asked,skipped,node_ran,bare_ran)", watch.arms(), "(1,0,1,0)");
  check_count(context, c, where + ": forward kernels of one call", watch.forward_launches(),
              forward_launches);
  const auto seen = watch.seen();
  check_count(context, c, where + ": all launches of one call", seen.count(), forward_launches);
  context.record().note(c.str() + " " + where + ": launches of a forward: " + std::to_string(seen.count()) + " (" + seen.str() + ")");
  watch.check(context, c, where + ": one call");
  const auto node = y.node();
  context.check(c, where + ": the node's op", node.op, contract.op);
  context.check(c, where + ": the node's parents", list_of(node.parents), list_of(expected));
  context.check(c, where + ": the node is no leaf", !node.is_leaf);
  context.check(c, where + ": the output is tracked", y.is_tracked());
  if (!y.is_tracked()) return;

  watch.restart();
  const auto nodes = autodiff::nodes_created();
  const auto gradients = y.backward(seed_for(context, c, host, y));
  check_count(context, c, where + ": nodes added by backward", autodiff::nodes_created() - nodes, 0);
  const bool fused = seam::adjoint_choice(contract.adjoint_switch_name) == seam::Adjoint::fused;
  check_count(context, c, where + ": backward kernels", watch.backward_launches(),
              fused ? static_cast<std::uint64_t>(contract.backward_launches) : 0);
  check_count(context, c, where + ": forward kernels in backward", watch.forward_launches(), 0);
  check_count(context, c, where + ": backward steps counted", watch.counters()[seam::Counter::node_backward],
              1);
  const auto of_backward = watch.seen();
  context.record().note(c.str() + " " + where + ": launches of a backward: " + std::to_string(of_backward.count()) + " (" + of_backward.str() + ")");
  watch.check(context, c, where + ": one backward");
  watch.restart();
  (void)ask_module(context, c, inputs);
  check_count(context, c, where + ": forward kernels of the next call", watch.forward_launches(),
              forward_launches);

  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto gradient = leaves[i].grad(gradients);
    static_assert(std::is_same_v<decltype(gradient), const std::optional<Tensor<typename T::Backend>>>);
    const std::string name = "d" + contract.inputs[i].name;
    context.check(c, where + ": " + name + " arrives", gradient.has_value());
    if (!gradient) continue;
    context.check(c, where + ": " + name + " is bare",
                  !AnyTensor(*gradient).on_tape() && !AnyTensor(*gradient).is_tracked());
    const auto values = gradient->to_floats();
    record_tensor(context, c, name, truth.gradients[i], away ? negated(values) : values, nullptr, where);
  }
}

void run(Context& context, const Case& c) {
  const HostCase host = host_for_first_output(context.op(), c);
  const auto truth = evaluate_truth(context.op(), c, host);
  for (const StrategyTag strategy : all_strategies) {
    for (const bool away : {false, true}) {
      with_tape(context.backend(), strategy, [&]<class T>() { look<T>(context, c, away, host, truth); });
    }
  }
}

std::vector<Case> cases(const Plan& plan) {
  std::vector<Case> all = structure_cases(plan);
  const auto& contract = plan.contract();
  if (!plan.at_least(Tier::smoke)) return all;
  for (const auto& variant : contract.variants) {
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{300}, {2, 3, 33}, {2, 2, 3, 7}, {33, 300}}) {
      all.push_back(make_case(contract, variant.name, shape, "normal", 6));
    }
  }
  if (plan.at_least(Tier::premerge))
    all.push_back(make_case(contract, contract.variants.front().name, {200, 4096}, "mixed", 7));
  return all;
}

const RegisterGate registered({
    .id = "graph",
    .title = "the node has the inputs as parents, a call is one forward, and backward adds no node",
    .question = Question::trains,
    .rows = {"A1", "A2", "A3", "B2"},
    .cases = cases,
    .run = run,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
