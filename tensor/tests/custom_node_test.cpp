// Custom nodes: prepared with their parents, one gradient per tracked parent, honest about their checkpoints.
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tensor/autodiff/prepare.hpp"
#include "tensor/autodiff/primitives.hpp"

namespace seamgate {
namespace {

using Bare = Tensor<Cpu>;
using T = Tensor<Autodiff<Cpu, BalancedCheckpointing>>;
using Context = autodiff::BackwardContext<Cpu>;
using Values = std::vector<float>;

T leaf(const Values& values) {
  return T::from_inner(Bare::from_floats(values, {static_cast<std::int64_t>(values.size())})).require_grad();
}
T untracked(const Values& values) {
  return leaf(values).detach();
}

// y = x * w, keeping 2 * x as a state: parents, states and gradients of every kind in one node.
T product(const T& x, const T& w) {
  auto prep = autodiff::prepare<Cpu, BalancedCheckpointing>("product", {&x, &w});
  prep.compute_bound();
  prep.checkpoint(0);
  prep.checkpoint(1);
  const int twice = prep.checkpoint_value(mul_scalar(x.inner(), 2.0F));
  return prep.finish(mul(x.inner(), w.inner()), [twice](Context& ctx) {
    const Bare x_value = ctx.parent(0);
    const Bare w_value = ctx.parent(1);
    const Bare twice_x = ctx.value(twice);
    if (ctx.wants(0)) ctx.set_grad(0, mul(ctx.upstream(), w_value));
    if (ctx.wants(1)) ctx.set_grad(1, mul(ctx.upstream(), mul_scalar(twice_x, 0.5F)));
  });
}

TEST(CustomNode, TrainsBothItsParents) {
  const T x = leaf({1, 2});
  const T w = leaf({3, 4});
  const T y = product(mul_scalar(x, 1.0F), w);
  EXPECT_EQ(y.node().op, "product");
  EXPECT_EQ(y.node().parents[0].op, "mul_scalar");
  const auto gradients = sum(y).backward();
  EXPECT_EQ(x.grad(gradients).value().to_floats(), (Values{3, 4}));
  EXPECT_EQ(w.grad(gradients).value().to_floats(), (Values{1, 2}));
  // Two parents, one state, and x once more for mul_scalar's retro-forward.
  EXPECT_EQ(gradients.checkpoint_report().checkpointed, 4);
  EXPECT_EQ(gradients.checkpoint_report().retrieved, 4);
  EXPECT_EQ(gradients.checkpoint_report().left, 0);
}

TEST(CustomNode, GivesNoGradientToAnUntrackedParent) {
  const T x = untracked({1, 2});
  const T w = leaf({3, 4});
  const auto gradients = sum(product(x, w)).backward();
  EXPECT_FALSE(x.grad(gradients).has_value());
  EXPECT_EQ(w.grad(gradients).value().to_floats(), (Values{1, 2}));
  EXPECT_FALSE(product(x, untracked({1, 1})).is_tracked());
}

// Runs a backward step of a one- or two-parent node and returns the message of its error.
std::string error_of(const std::function<void(Context&)>& step, bool second_tracked = true) {
  const T x = leaf({1, 2});
  const T w = second_tracked ? leaf({3, 4}) : untracked({3, 4});
  auto prep = autodiff::prepare<Cpu, BalancedCheckpointing>("odd", {&x, &w});
  prep.compute_bound();
  prep.checkpoint(0);
  prep.checkpoint_value(x.inner());
  try {
    (void)sum(prep.finish(x.inner(), step)).backward();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CustomNode, MustGiveOneGradientPerTrackedParent) {
  EXPECT_TRUE(contains(error_of([](Context& ctx) { ctx.set_grad(0, ctx.upstream()); }),
                       "no gradient for tracked parent 1 (leaf#"));
  EXPECT_TRUE(contains(error_of([](Context& ctx) {
                         ctx.set_grad(0, ctx.upstream());
                         ctx.set_grad(0, ctx.upstream());
                       }),
                       "a second gradient for parent 0"));
  EXPECT_TRUE(contains(error_of([](Context& ctx) { ctx.set_grad(1, ctx.upstream()); }, false),
                       "a gradient for parent 1, which is untracked"));
  EXPECT_TRUE(
      contains(error_of([](Context& ctx) { ctx.set_grad(0, Bare::ones({3})); }), "a gradient of shape [3]"));
  EXPECT_TRUE(contains(error_of([](Context& ctx) { ctx.set_grad(2, ctx.upstream()); }), "it has 2 parents"));
}

TEST(CustomNode, MayRetrieveOnlyWhatItCheckpointed) {
  EXPECT_TRUE(
      contains(error_of([](Context& ctx) { (void)ctx.parent(1); }), "parent 1 was retrieved once too many"));
  EXPECT_TRUE(contains(error_of([](Context& ctx) {
                         (void)ctx.parent(0);
                         (void)ctx.parent(0);
                       }),
                       "parent 0 was retrieved once too many"));
  EXPECT_TRUE(contains(error_of([](Context& ctx) {
                         (void)ctx.value(0);
                         (void)ctx.value(0);
                       }),
                       "value 0 was retrieved once too many"));
  EXPECT_TRUE(contains(error_of([](Context& ctx) { (void)ctx.value(1); }), "it checkpointed 1 values"));
  EXPECT_TRUE(contains(error_of([](Context& ctx) { (void)ctx.upstream(1); }), "it has 1 outputs"));
}

TEST(CustomNode, WhatItNeverRetrievesIsReportedAsLeft) {
  const T x = leaf({1, 2});
  auto prep = autodiff::prepare<Cpu, BalancedCheckpointing>("forgetful", {&x});
  prep.compute_bound();
  prep.checkpoint(0);
  const T y = prep.finish(x.inner(), [](Context& ctx) { ctx.set_grad(0, ctx.upstream()); });
  const std::string name = y.node().op + "#" + std::to_string(y.node().id);
  const auto report = sum(y).backward().checkpoint_report();
  EXPECT_EQ(report.left, 1);
  EXPECT_EQ(report.left_values, (std::vector<std::string>{"parent 0 of " + name}));
  EXPECT_NE(report.retrieved, report.checkpointed);
}

TEST(CustomNode, MustStateWhatBoundsItAndFinishOnce) {
  const T x = leaf({1});
  auto silent = autodiff::prepare<Cpu, BalancedCheckpointing>("silent", {&x});
  EXPECT_THROW((void)silent.finish(x.inner(), [](Context&) {}), std::logic_error);
  silent.compute_bound();
  (void)silent.finish(x.inner(), [](Context&) {});
  EXPECT_THROW((void)silent.finish(x.inner(), [](Context&) {}), std::logic_error);
  auto other = autodiff::prepare<Cpu, BalancedCheckpointing>("other", {&x});
  EXPECT_THROW(other.checkpoint(1), std::logic_error);
}

TEST(CustomNode, MayHaveSeveralOutputsOfWhichSomeAreUnused) {
  const auto split = [](const T& x) {
    auto prep = autodiff::prepare<Cpu, BalancedCheckpointing>("split", {&x});
    prep.compute_bound();
    return prep.finish(
        std::vector<Bare>{mul_scalar(x.inner(), 2.0F), mul_scalar(x.inner(), 3.0F)}, [](Context& ctx) {
          ctx.set_grad(0, add(mul_scalar(ctx.upstream(0), 2.0F), mul_scalar(ctx.upstream(1), 3.0F)));
        });
  };
  const T x = leaf({1, 2});
  const auto both = split(x);
  EXPECT_EQ(both[1].inner().to_floats(), (Values{3, 6}));
  const auto gradients = sum(mul(both[0], both[1])).backward();  // 6 x^2
  EXPECT_EQ(x.grad(gradients).value().to_floats(), (Values{12, 24}));
  const auto second_only = sum(split(x)[1]).backward();
  EXPECT_EQ(x.grad(second_only).value().to_floats(), (Values{3, 3}));
}

}  // namespace
}  // namespace seamgate
