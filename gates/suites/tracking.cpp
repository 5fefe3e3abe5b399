// Gate `tracking`: whichever inputs are tracked, an untracked one gets no gradient and the others do not
// notice; with none tracked there is no tape entry. What is detached or taken out of the tape is untracked.
#include <type_traits>

#include "gates/numeric.hpp"
#include "gates/sweep.hpp"
#include "gates/tape_graph.hpp"

namespace seamgate::gates {
namespace {

using Mask = std::vector<bool>;

std::string name_of(const kernels::Contract& contract, const Mask& mask) {
  std::string names;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (mask[i]) names += (names.empty() ? "" : "+") + contract.inputs[i].name;
  }
  return names.empty() ? "nothing tracked" : names + " tracked";
}

std::vector<Mask> all_masks(std::size_t inputs) {
  std::vector<Mask> masks;
  for (std::size_t bits = 0; bits < (std::size_t{1} << inputs); ++bits) {
    Mask mask;
    for (std::size_t i = 0; i < inputs; ++i) mask.push_back(((bits >> i) & 1U) != 0);
    masks.push_back(mask);
  }
  return masks;
}

struct Result {
  std::vector<float> output;
  HostGradients gradients;
};

template <class T>
Result ask_with(Context& context, const Case& c, const HostCase& host, const Mask& mask,
                const std::string& where) {
  const bool any = mask != Mask(mask.size(), false);
  const auto leaves = leaves_of<T>(context, c, host, mask);
  Watch watch(context);
  const auto nodes = autodiff::nodes_created();
  const T y = ask_module(context, c, leaves);
  context.check(c, where + ": C (asked,skipped,node_ran,bare_ran)", watch.arms(), "(1,0,1,0)");
  context.check(c, where + ": tape entries made", std::to_string(autodiff::nodes_created() - nodes),
                any ? "1" : "0");
  context.check(c, where + ": calls counted as tracked",
                std::to_string(watch.counters()[seam::Counter::node_tracked]), any ? "1" : "0");
  context.check(c, where + ": the output is tracked", y.is_tracked() ? "yes" : "no", any ? "yes" : "no");
  context.check(c, where + ": parents of the output", std::to_string(y.node().parents.size()),
                any ? std::to_string(mask.size()) : "0");
  Result result{y.inner().to_floats(), HostGradients(mask.size())};
  const auto seed = seed_for(context, c, host, y);
  if (!any) {
    const std::string refusal = message_of([&] { (void)y.backward(seed); });
    context.check(c, where + ": a backward is refused (" + refusal + ")",
                  refusal.find("untracked") != std::string::npos);
  } else if (y.is_tracked()) {
    result.gradients = gradients_of(leaves, y.backward(seed));
    context.check(c, where + ": backward steps counted",
                  std::to_string(watch.counters()[seam::Counter::node_backward]), "1");
  }
  watch.check(context, c, where, any && mask == Mask(mask.size(), true) ? Parents::all_tracked : Parents::some_tracked);
  return result;
}

template <class T>
void check_masks(Context& context, const Case& c, const HostCase& host) {
  const auto& contract = context.contract();
  const std::string strategy = strategy_name<T>() + ", ";
  const Result all =
      ask_with<T>(context, c, host, Mask(contract.inputs.size(), true), strategy + "all tracked");
  for (const Mask& mask : all_masks(contract.inputs.size())) {
    const std::string where = strategy + name_of(contract, mask);
    const Result some = ask_with<T>(context, c, host, mask, where);
    check_bits(context, c, where + ": the output", some.output, all.output);
    for (std::size_t i = 0; i < mask.size(); ++i) {
      const std::string name = "d" + contract.inputs[i].name;
      context.check(c, where + ": " + name, some.gradients[i] ? "arrives" : "none",
                    mask[i] ? "arrives" : "none");
      if (some.gradients[i] && all.gradients[i])
        check_bits(context, c, where + ": " + name, *some.gradients[i], *all.gradients[i]);
    }
  }
}

template <class T>
void check_leaving(Context& context, const Case& c, const HostCase& host) {
  using Bare = Tensor<typename T::Backend>;
  const std::string strategy = strategy_name<T>() + ", ";
  const auto leaves = leaves_of<T>(context, c, host);
  const T y = ask_module(context, c, leaves);
  const T detached = y.detach();
  const auto taken_out = y.no_grad();
  static_assert(std::is_same_v<decltype(taken_out), const Bare>);
  context.check(c, strategy + "detach: the output is tracked before", y.is_tracked());
  context.check(c, strategy + "detach: still tracked", detached.is_tracked() ? "yes" : "no", "no");
  context.check(c, strategy + "no_grad: still on the tape", AnyTensor(taken_out).on_tape() ? "yes" : "no",
                "no");
  check_bits(context, c, strategy + "detach: the output", detached.inner().to_floats(),
             y.inner().to_floats());
  check_bits(context, c, strategy + "no_grad: the output", taken_out.to_floats(), y.inner().to_floats());

  std::vector<T> constants;
  for (const T& leaf : leaves) constants.push_back(leaf.detach());
  context.check(c, strategy + "detached inputs: the output is tracked",
                ask_module(context, c, constants).is_tracked() ? "yes" : "no", "no");
  // The first input detached on its way: its leaf learns of nothing, the others of all.
  auto first_detached = leaves;
  first_detached[0] = negation(negation(leaves[0]).detach());
  const T z = ask_module(context, c, first_detached);
  const std::string where = strategy + "first input detached: ";
  context.check(c, where + "the output is tracked", z.is_tracked() ? "yes" : "no",
                leaves.size() > 1 ? "yes" : "no");
  if (!z.is_tracked() || !y.is_tracked()) return;
  const auto seed = seed_for(context, c, host, y);
  const auto want = gradients_of(leaves, y.backward(seed));
  const auto got = gradients_of(leaves, z.backward(seed));
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::string name = "d" + context.contract().inputs[i].name;
    context.check(c, where + name, got[i] ? "arrives" : "none", i > 0 ? "arrives" : "none");
    if (got[i] && want[i]) check_bits(context, c, where + name, *got[i], *want[i]);
  }
}

void run(Context& context, const Case& c) {
  const HostCase host = make_host_case(context.op(), c);
  for (const StrategyTag strategy : all_strategies) {
    with_tape(context.backend(), strategy, [&]<class T>() {
      check_masks<T>(context, c, host);
      check_leaving<T>(context, c, host);
    });
  }
}

std::vector<Case> cases(const Plan& plan) {
  std::vector<Case> all = structure_cases(plan);
  const auto& contract = plan.contract();
  if (!plan.at_least(Tier::smoke)) return all;
  std::vector<std::vector<std::int64_t>> shapes = {{1, 1}, {33, 300}, {2, 3, 33}};
  if (plan.at_least(Tier::premerge)) shapes.insert(shapes.end(), {{130, 64}, {9, 2050}});
  for (const auto& variant : contract.variants) {
    for (const auto& shape : shapes) all.push_back(make_case(contract, variant.name, shape, "normal", 13));
  }
  return all;
}

const RegisterGate registered({
    .id = "tracking",
    .title =
        "an untracked input gets no gradient and the others do not notice; none tracked leaves no tape entry",
    .question = Question::trains,
    .rows = {"B1", "B11"},
    .cases = cases,
    .run = run,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
