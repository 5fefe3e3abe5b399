// Gate `checkpointing`: both strategies give the same bits, a tape whose tags disagree with its type is
// declined before any launch, what was checkpointed is retrieved, and a memory-bound producer runs once more
// under the strategy that recomputes.
#include "gates/numeric.hpp"
#include "gates/sweep.hpp"
#include "gates/tape_graph.hpp"

namespace seamgate::gates {
namespace {

struct Result {
  std::vector<float> output;
  HostGradients gradients;
};

std::string yes_no(bool yes) {
  return yes ? "yes" : "no";
}

template <class T>
constexpr bool recomputes = T::Strategy::recomputes;

void check_balance(Context& context, const Case& c, const std::string& where,
                   const autodiff::CheckpointReport& report) {
  context.check(c, where + ": retrieved of what was checkpointed", std::to_string(report.retrieved),
                std::to_string(report.checkpointed));
  std::string left;
  for (const auto& value : report.left_values) left += value + " ";
  context.check(c, where + ": left in the store", left, "");
  context.check(c, where + ": retrievals still announced", std::to_string(report.left), "0");
  context.check(c, where + ": something was checkpointed", report.checkpointed > 0);
}

void check_same(Context& context, const Case& c, const std::string& where, const Result& got,
                const Result& want) {
  check_bits(context, c, where + ": the output", got.output, want.output);
  for (std::size_t i = 0; i < want.gradients.size(); ++i) {
    const std::string name = where + ": d" + context.contract().inputs[i].name;
    context.check(c, name, got.gradients[i] ? "arrives" : "none", want.gradients[i] ? "arrives" : "none");
    if (got.gradients[i] && want.gradients[i])
      check_bits(context, c, name, *got.gradients[i], *want.gradients[i]);
  }
}

// The module on leaves, or the tensor path.
template <class T>
Result plain(Context& context, const Case& c, const HostCase& host, Route route) {
  const std::string where = strategy_name<T>() + (route == Route::seam ? ", node" : ", tensor path");
  const auto leaves = leaves_of<T>(context, c, host);
  const T y = ask_module(context, c, leaves, route);
  const auto gradients = y.backward(seed_for(context, c, host, y));
  check_balance(context, c, where, gradients.checkpoint_report());
  return {y.inner().to_floats(), gradients_of(leaves, gradients)};
}

// The first input comes from a memory-bound operation, which an untracked parent keeps from being dropped.
template <class T>
Result produced(Context& context, const Case& c, const HostCase& host, bool untracked_parent) {
  const auto& contract = context.contract();
  const std::string where = strategy_name<T>() + (untracked_parent ? ", a producer with an untracked parent"
                                                                   : ", a memory-bound producer");
  HostCase turned = host;
  turned.inputs[0] = negated(host.inputs[0]);
  const auto leaves = leaves_of<T>(context, c, turned);
  const auto ran = std::make_shared<int>(0);
  const T untracked = T::from_inner(bare_input<T>(context, c, host, 0));
  const T* parents[] = {&leaves[0], &untracked};
  const std::span<const T* const> both(parents);
  std::vector<T> inputs = leaves;
  Watch watch(context);
  inputs[0] = negation(untracked_parent ? both : both.first(1), ran);
  const bool again = recomputes<T> && !untracked_parent;
  context.check(c, where + ": its output may be dropped", yes_no(inputs[0].node().is_recomputed),
                yes_no(again));
  const T y = ask_module(context, c, inputs);
  const auto gradients = y.backward(seed_for(context, c, host, y));
  const std::string times = again ? "1" : "0";
  context.check(c, where + ": runs again", std::to_string(*ran), times);
  context.check(c, where + ": recomputed, as the store reports",
                std::to_string(gradients.checkpoint_report().recomputed), times);
  const auto seen = watch.seen();
  context.check(c, where + ": its launches by the witness", std::to_string(seen.count_of("primitive.neg")), again ? "2" : "1");
  context.record().note(c.str() + " " + where + ": launches of forward and backward: " + std::to_string(seen.count()) + " (" + seen.str() + ")");
  watch.check(context, c, where);
  context.check(c, where + ": C (asked,skipped,node_ran,bare_ran)", watch.arms(), "(1,0,1,0)");
  context.check(c, where + ": fused forwards by the witness", std::to_string(watch.forward_launches()),
                std::to_string(contract.forward_launches));
  check_balance(context, c, where, gradients.checkpoint_report());
  Result result{y.inner().to_floats(), gradients_of(leaves, gradients)};
  if (result.gradients[0]) result.gradients[0] = negated(*result.gradients[0]);
  return result;
}

// The output goes on through a memory-bound operation with an untracked parent, to one that asks for its
// value again.
template <class T>
HostGradients consumed(Context& context, const Case& c, const HostCase& host) {
  const std::string where = strategy_name<T>() + ", a consumer with an untracked parent";
  const auto leaves = leaves_of<T>(context, c, host);
  const T y = ask_module(context, c, leaves);
  const T scaled = mul(y, T::from_inner(tensor_of<typename T::Backend>(
                              c, context.contract().outputs[0].extent, y.dtype(), host.upstream[0])));
  context.check(c, where + ": its output may be dropped", yes_no(scaled.node().is_recomputed), "no");
  const T loss = square(scaled);
  const auto gradients =
      loss.backward(Tensor<typename T::Backend>::ones(loss.shape(), loss.dtype(), loss.device()));
  context.check(c, where + ": recomputed, as the store reports",
                std::to_string(gradients.checkpoint_report().recomputed), "0");
  check_balance(context, c, where, gradients.checkpoint_report());
  return gradients_of(leaves, gradients);
}

template <class T>
void check_one_retrieve_too_many(Context& context, const Case& c, const HostCase& host) {
  using B = typename T::Backend;
  const auto leaves = leaves_of<T>(context, c, host);
  const T y = ask_module(context, c, leaves);
  auto greedy = autodiff::prepare<B, typename T::Strategy>("greedy", {&y});
  greedy.compute_bound();
  greedy.checkpoint(0);
  const T z = greedy.finish(y.inner(), [](autodiff::BackwardContext<B>& step) {
    (void)step.parent(0);
    step.set_grad(0, step.parent(0));
  });
  const std::string error = message_of([&] { (void)z.backward(seed_for(context, c, host, z)); });
  context.check(
      c, strategy_name<T>() + ": one retrieve too many is an error (" + error + ")",
      error.find("greedy") != std::string::npos && error.find("once too many") != std::string::npos);
}

// One input whose tape says `tags`, on a leaf or handed on by an operation.
template <class T>
void check_odd_tags(Context& context, const Case& c, const HostCase& host, std::size_t odd, TapeTags tags,
                    bool handed_on, seam::Decline reason, const Result& want) {
  const auto& contract = context.contract();
  const std::string where = strategy_name<T>() + ", " + contract.inputs[odd].name + " tagged " +
                            to_string(tags.device) + " " + std::string(to_string(tags.strategy)) +
                            (handed_on ? " by its producer" : "");
  auto leaves = leaves_of<T>(context, c, host);
  const auto bare = bare_input<T>(context, c, host, odd);
  leaves[odd] = T::from_inner(handed_on ? cast(neg(bare), bare.dtype()) : bare, tags).require_grad();
  auto inputs = leaves;
  if (handed_on) inputs[odd] = negation(leaves[odd]);
  Watch watch(context);
  const T y = ask_module(context, c, inputs);
  const auto counters = watch.counters();
  watch.check(context, c, where);
  context.check(c, where + ": C (asked,skipped,node_ran,bare_ran)", counters.arms(), "(1,1,0,0)");
  context.check(c, where + ": declined for '" + std::string(to_string(reason)) + "'",
                std::to_string(counters[reason]), "1");
  context.check(c, where + ": fused forwards by the witness", std::to_string(watch.forward_launches()), "0");
  context.check(c, where + ": the output is tracked", y.is_tracked());
  if (!y.is_tracked()) return;
  const auto gradients = y.backward(seed_for(context, c, host, y));
  context.check(c, where + ": fused backwards by the witness", std::to_string(watch.backward_launches()),
                "0");
  Result got{y.inner().to_floats(), gradients_of(leaves, gradients)};
  if (handed_on && got.gradients[odd]) got.gradients[odd] = negated(*got.gradients[odd]);
  check_same(context, c, where, got, want);
}

template <class T>
void check_tags(Context& context, const Case& c, const HostCase& host, const Result& tensor_path) {
  const Device own = bare_input<T>(context, c, host, 0).device();
  const Device other_kind = own.kind == DeviceKind::cpu ? Device::cuda(0) : Device::cpu();
  const StrategyTag strategy = T::Strategy::tag;
  for (std::size_t odd = 0; odd < context.contract().inputs.size(); ++odd) {
    for (const bool handed_on : {false, true}) {
      for (const StrategyTag tag :
           {StrategyTag::none, StrategyTag::no_checkpointing, StrategyTag::balanced}) {
        if (tag != strategy)
          check_odd_tags<T>(context, c, host, odd, {own, tag}, handed_on, seam::Decline::strategy,
                            tensor_path);
      }
      for (const Device device : {other_kind, Device{own.kind, own.index + 1}}) {
        check_odd_tags<T>(context, c, host, odd, {device, strategy}, handed_on, seam::Decline::device,
                          tensor_path);
      }
    }
  }
}

void run(Context& context, const Case& c) {
  const HostCase host = make_host_case(context.op(), c);
  struct {
    Result node, tensor_path, produced, kept;
    HostGradients consumed;
  } by_strategy[all_strategies.size()];
  for (std::size_t s = 0; s < all_strategies.size(); ++s) {
    with_tape(context.backend(), all_strategies[s], [&]<class T>() {
      auto& results = by_strategy[s];
      results.node = plain<T>(context, c, host, Route::seam);
      results.tensor_path = plain<T>(context, c, host, Route::tensor_path);
      results.produced = produced<T>(context, c, host, false);
      results.kept = produced<T>(context, c, host, true);
      results.consumed = consumed<T>(context, c, host);
      check_one_retrieve_too_many<T>(context, c, host);
      check_tags<T>(context, c, host, results.tensor_path);
      check_same(context, c, strategy_name<T>() + ", with and without a producer", results.produced,
                 results.node);
      check_same(context, c, strategy_name<T>() + ", with and without a kept producer", results.kept,
                 results.node);
    });
  }
  check_same(context, c, "both strategies, node", by_strategy[1].node, by_strategy[0].node);
  check_same(context, c, "both strategies, tensor path", by_strategy[1].tensor_path,
             by_strategy[0].tensor_path);
  check_same(context, c, "both strategies, consumed", {by_strategy[1].node.output, by_strategy[1].consumed},
             {by_strategy[0].node.output, by_strategy[0].consumed});
}

std::vector<Case> cases(const Plan& plan) {
  std::vector<Case> all = structure_cases(plan);
  const auto& contract = plan.contract();
  if (!plan.at_least(Tier::smoke)) return all;
  std::vector<std::vector<std::int64_t>> shapes = {{33, 300}, {2, 3, 33}};
  if (plan.at_least(Tier::premerge)) shapes.insert(shapes.end(), {{130, 64}, {9, 2050}});
  for (const auto& variant : contract.variants) {
    for (const auto& shape : shapes) all.push_back(make_case(contract, variant.name, shape, "normal", 17));
  }
  return all;
}

const RegisterGate registered({
    .id = "checkpointing",
    .title = "both strategies give the same bits, checkpoints balance, and tags that disagree are declined",
    .question = Question::trains,
    .rows = {"B3", "B4", "B5", "B6"},
    .cases = cases,
    .run = run,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
