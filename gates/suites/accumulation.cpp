// Gate `accumulation`: gradients of a value that is used twice add, in one graph and over two; intermediate
// gradients are gone after a backward, leaf gradients stay; a second backward and require_grad on an output
// are errors.
#include "gates/composite_truth.hpp"
#include "gates/inputs.hpp"
#include "gates/numeric.hpp"
#include "gates/sweep.hpp"
#include "gates/tape_graph.hpp"

namespace seamgate::gates {
namespace {

// Two calls with one input in common, each with an upstream gradient of its own, and the truth of each.
struct Calls {
  HostCase first, second;
  reference::Truth first_truth, second_truth;
};

// 1 or -2 for every element of the output: g and g * weight, and their sum, are exact in every dtype.
std::vector<float> weights_of(const HostCase& host) {
  std::vector<float> weights;
  for (const float value : host.upstream[0]) weights.push_back(value < 0.0F ? -2.0F : 1.0F);
  return weights;
}

std::vector<float> product(std::vector<float> a, const std::vector<float>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] *= b[i];
  return a;
}

Calls calls_of(const OpTraits& op, const Case& c, std::size_t common) {
  Case other = c;
  other.seed += 1000;
  Calls calls{host_for_first_output(op, c), host_for_first_output(op, other), {}, {}};
  calls.second.inputs[common] = calls.first.inputs[common];
  calls.second.upstream[0] = product(calls.first.upstream[0], weights_of(calls.first));
  calls.first_truth = evaluate_truth(op, c, calls.first);
  calls.second_truth = evaluate_truth(op, c, calls.second);
  return calls;
}

template <class T>
T weighted(const Context& context, const Case& c, const T& y, const std::vector<float>& weights) {
  const auto constant =
      tensor_of<typename T::Backend>(c, context.contract().outputs[0].extent, y.dtype(), weights);
  return mul(y, T::from_inner(constant));
}

// A gradient against the sum of the truths of the two uses that it comes from, and against their own
// gradients added in f32.
template <class B>
void check_sum(Context& context, const Case& c, const std::string& where, std::size_t input,
               const std::optional<std::vector<float>>& got, const reference::TruthTensor& truth,
               const std::optional<Tensor<B>>& a, const std::optional<Tensor<B>>& b) {
  const std::string name = "d" + context.contract().inputs[input].name;
  context.check(c, where + ": " + name + " arrives", got.has_value() && a.has_value() && b.has_value());
  if (!got || !a || !b) return;
  check_bits(context, c, where + ": " + name + " is the two gradients added", *got,
             cast(add(*a, *b), a->dtype()).to_floats());
  // In 16 bits each of the two was rounded before the sum was.
  if (a->dtype() == DType::f32) record_tensor(context, c, name, truth, *got, nullptr, where);
}

// The gradients of one call on its own, for the leaves that it is given.
template <class T>
std::vector<std::optional<Tensor<typename T::Backend>>> alone(Context& context, const Case& c,
                                                              const HostCase& host) {
  const auto leaves = leaves_of<T>(context, c, host);
  const T y = ask_module(context, c, leaves);
  const auto gradients = y.backward(seed_for(context, c, host, y));
  std::vector<std::optional<Tensor<typename T::Backend>>> all;
  for (const T& leaf : leaves) all.push_back(leaf.grad(gradients));
  return all;
}

// The output used twice: as it is, and weighted.
template <class T>
void check_output_used_twice(Context& context, const Case& c) {
  const std::string where = strategy_name<T>() + ", the output used twice";
  HostCase host = host_for_first_output(context.op(), c);
  const auto weights = weights_of(host);
  const auto leaves = leaves_of<T>(context, c, host);
  Watch watch(context);
  const T y = ask_module(context, c, leaves);
  const T z = add(y, weighted(context, c, y, weights));
  const auto got = gradients_of(leaves, z.backward(seed_for(context, c, host, z)));
  context.check(c, where + ": C (asked,skipped,node_ran,bare_ran)", watch.arms(), "(1,0,1,0)");
  context.check(c, where + ": backward steps counted",
                std::to_string(watch.counters()[seam::Counter::node_backward]), "1");
  watch.check(context, c, where);

  const auto first = evaluate_truth(context.op(), c, host);
  HostCase both = host;
  host.upstream[0] = product(host.upstream[0], weights);
  const auto second = evaluate_truth(context.op(), c, host);
  for (std::size_t i = 0; i < both.upstream[0].size(); ++i) both.upstream[0][i] += host.upstream[0][i];
  const auto at_once = alone<T>(context, c, both);  // the node sees one upstream gradient, the sum
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::string name = "d" + context.contract().inputs[i].name;
    context.check(c, where + ": " + name + " arrives", got[i].has_value() && at_once[i].has_value());
    if (!got[i] || !at_once[i]) continue;
    check_bits(context, c, where + ": " + name + " is that of the upstream gradients' sum", *got[i],
               at_once[i]->to_floats());
    record_tensor(context, c, name, sum_of(first.gradients[i], second.gradients[i]), *got[i], nullptr, where);
  }
}

// An input of two calls, in one graph and in two whose gradients are accumulated.
template <class T>
void check_input_used_twice(Context& context, const Case& c, std::size_t common) {
  using B = typename T::Backend;
  const auto& contract = context.contract();
  const Calls calls = calls_of(context.op(), c, common);
  const auto first_alone = alone<T>(context, c, calls.first);
  const auto second_alone = alone<T>(context, c, calls.second);
  for (const bool one_graph : {true, false}) {
    const std::string where = strategy_name<T>() + ", " + contract.inputs[common].name +
                              " used by two calls of " + (one_graph ? "one graph" : "two graphs");
    const auto leaves = leaves_of<T>(context, c, calls.first);
    auto others = leaves_of<T>(context, c, calls.second);
    others[common] = leaves[common];
    Watch watch(context);
    const T y = ask_module(context, c, leaves);
    const T other = ask_module(context, c, others);
    Gradients<B> total;
    if (one_graph) {
      const T z = add(y, weighted(context, c, other, weights_of(calls.first)));
      total = z.backward(seed_for(context, c, calls.first, z));
    } else {
      autodiff::GradientsAccumulator<B> accumulator;
      accumulator.add(y.backward(seed_for(context, c, calls.first, y)));
      accumulator.add(other.backward(seed_for(context, c, calls.second, other)));
      total = accumulator.gradients();
    }
    const auto counters = watch.counters();
    context.check(c, where + ": C (asked,skipped,node_ran,bare_ran)", counters.arms(), "(2,0,2,0)");
    context.check(c, where + ": backward steps counted",
                  std::to_string(counters[seam::Counter::node_backward]), "2");
    watch.check(context, c, where);
    context.check(c, where + ": leaves with a gradient", std::to_string(total.size()),
                  std::to_string(2 * leaves.size() - 1));
    const auto got = gradients_of(leaves, total);
    const auto got_others = gradients_of(others, total);
    check_sum(context, c, where, common, got[common],
              sum_of(calls.first_truth.gradients[common], calls.second_truth.gradients[common]),
              first_alone[common], second_alone[common]);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (i == common) continue;
      const std::string name = where + ": d" + contract.inputs[i].name + " of the ";
      context.check(c, name + "calls arrives", got[i].has_value() && got_others[i].has_value());
      if (!got[i] || !got_others[i] || !first_alone[i] || !second_alone[i]) continue;
      check_bits(context, c, name + "first call", *got[i], first_alone[i]->to_floats());
      check_bits(context, c, name + "second call", *got_others[i], second_alone[i]->to_floats());
    }
  }
}

// What is left after a backward, and what may not be done any more.
template <class T>
void check_after_backward(Context& context, const Case& c) {
  const std::string where = strategy_name<T>() + ": ";
  const std::string op = context.contract().op + "#";
  const HostCase host = host_for_first_output(context.op(), c);
  const auto leaves = leaves_of<T>(context, c, host);
  std::vector<T> inputs;
  for (const T& leaf : leaves) inputs.push_back(negation(leaf));
  const T y = ask_module(context, c, inputs);
  const T z = mul_scalar(y, 2.0F);
  const auto seed = seed_for(context, c, host, z);
  const auto gradients = z.backward(seed);
  context.check(c, where + "gradients kept", std::to_string(gradients.size()), std::to_string(leaves.size()));
  context.check(c, where + "the loss's gradient is gone", !z.grad(gradients).has_value());
  context.check(c, where + "the output's gradient is gone", !y.grad(gradients).has_value());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::string name = context.contract().inputs[i].name;
    context.check(c, where + "the gradient of " + name + ", an intermediate, is gone",
                  !inputs[i].grad(gradients).has_value());
    const auto once = leaves[i].grad(gradients);
    const auto twice = leaves[i].grad(gradients);
    context.check(c, where + "d" + name + " of the leaf is readable twice",
                  once.has_value() && twice.has_value());
    if (once && twice)
      check_bits(context, c, where + "d" + name + " read twice", twice->to_floats(), once->to_floats());
  }

  Watch watch(context);
  const auto refused = [&](const std::string& what, const std::string& error, const std::string& kind) {
    context.check(c, where + what + " is an error that names the node (" + error + ")",
                  error.find(kind) != std::string::npos && error.find(op) != std::string::npos);
  };
  refused("a second backward from the output",
          message_of([&] { (void)y.backward(seed_for(context, c, host, y)); }), "second backward");
  const T over = mul_scalar(y, 3.0F);
  refused("a backward from a new loss over the used graph", message_of([&] { (void)over.backward(seed); }),
          "second backward");
  refused("require_grad on the output", message_of([&] { (void)y.require_grad(); }), "non-leaf");
  context.check(c, where + "the refusals compute nothing: backward steps",
                std::to_string(watch.counters()[seam::Counter::node_backward]), "0");
  watch.check(context, c, where + "the refusals");
  context.check(c, where + "a detached output may require a gradient",
                y.detach().require_grad().is_require_grad());
}

void run(Context& context, const Case& c) {
  for (const StrategyTag strategy : all_strategies) {
    with_tape(context.backend(), strategy, [&]<class T>() {
      check_output_used_twice<T>(context, c);
      for (std::size_t i = 0; i < context.contract().inputs.size(); ++i)
        check_input_used_twice<T>(context, c, i);
      check_after_backward<T>(context, c);
    });
  }
}

std::vector<Case> cases(const Plan& plan) {
  std::vector<Case> all = structure_cases(plan);
  const auto& contract = plan.contract();
  if (!plan.at_least(Tier::smoke)) return all;
  std::vector<std::vector<std::int64_t>> shapes = {{17, 300}, {2, 3, 33}};
  if (plan.at_least(Tier::premerge)) shapes.insert(shapes.end(), {{130, 64}, {9, 2050}});
  for (const auto& variant : contract.variants) {
    for (const auto& shape : shapes) all.push_back(make_case(contract, variant.name, shape, "normal", 19));
  }
  return all;
}

const RegisterGate registered({
    .id = "accumulation",
    .title = "gradients of what is used twice add, and a used graph is an error",
    .question = Question::trains,
    .rows = {"B7", "B8", "B9", "B10"},
    .cases = cases,
    .run = run,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
