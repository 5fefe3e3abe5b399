// What is kept, what is computed again, how often, and that nothing is left.
#include "tensor/autodiff/checkpoint.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/simt/launch_log.hpp"
#include "tensor/autodiff/prepare.hpp"
#include "tensor/autodiff/primitives.hpp"

namespace seamgate {
namespace {

using Bare = Tensor<Cpu>;
using Keeping = Tensor<Autodiff<Cpu, NoCheckpointing>>;
using Balanced = Tensor<Autodiff<Cpu, BalancedCheckpointing>>;

template <class T>
T leaf(float value) {
  return T::from_inner(Bare::full(value, {2})).require_grad();
}

std::size_t launches(std::uint64_t mark, const char* name) {
  return simt::launch_log().count_since(mark, name);
}

void expect_balanced(const autodiff::CheckpointReport& report) {
  EXPECT_EQ(report.retrieved, report.checkpointed);
  EXPECT_EQ(report.left, 0);
  EXPECT_TRUE(report.left_values.empty());
}

TEST(Checkpointing, AMemoryBoundProducerRunsOnceMoreUnderBalancedAndNeverUnderNo) {
  const auto run = []<class T>(const T& x) {
    const T produced = sigmoid(x);
    const T y = sum(square(produced));
    const auto mark = simt::launch_log().mark();
    const auto gradients = y.backward();
    expect_balanced(gradients.checkpoint_report());
    // sigmoid's own backward calls it on x and on -x.
    return std::tuple{launches(mark, "primitive.sigmoid") - 2, gradients.checkpoint_report().recomputed,
                      x.grad(gradients).value().to_bytes()};
  };
  const auto [kept_launches, kept_recomputed, kept_dx] = run(leaf<Keeping>(0.3F));
  const auto [balanced_launches, balanced_recomputed, balanced_dx] = run(leaf<Balanced>(0.3F));
  EXPECT_EQ(kept_launches, 0U);
  EXPECT_EQ(kept_recomputed, 0);
  EXPECT_EQ(balanced_launches, 1U);
  EXPECT_EQ(balanced_recomputed, 1);
  EXPECT_EQ(kept_dx, balanced_dx);
}

TEST(Checkpointing, AValueThatSeveralStepsRetrieveIsRecomputedOnce) {
  const Balanced x = leaf<Balanced>(0.5F);
  const Balanced e = add_scalar(x, 0.25F);
  const Balanced y = sum(add(mul(e, e), add(square(e), sqrt(e))));
  const auto mark = simt::launch_log().mark();
  const auto gradients = y.backward();
  EXPECT_EQ(launches(mark, "primitive.add_scalar"), 1U);
  EXPECT_EQ(gradients.checkpoint_report().recomputed, 1);
  // mul twice, square, sqrt, and x once for the retro-forward.
  EXPECT_EQ(gradients.checkpoint_report().checkpointed, 5);
  expect_balanced(gradients.checkpoint_report());
}

TEST(Checkpointing, AChainIsRecomputedFromTheNearestKeptValue) {
  const Balanced x = leaf<Balanced>(0.5F);
  const Balanced chain = exp(add_scalar(mul_scalar(x, 2.0F), 1.0F));
  const auto gradients = sum(square(chain)).backward();
  EXPECT_EQ(gradients.checkpoint_report().recomputed, 3);
  expect_balanced(gradients.checkpoint_report());

  const Balanced kept = sum_dim(mul_scalar(leaf<Balanced>(0.5F), 2.0F), 0);  // compute-bound
  const auto from_kept = sum(square(add_scalar(kept, 1.0F))).backward();
  EXPECT_EQ(from_kept.checkpoint_report().recomputed, 1);
  expect_balanced(from_kept.checkpoint_report());
}

TEST(Checkpointing, AnOutputWhoseOperationHasAnUntrackedParentIsKept) {
  const Balanced x = leaf<Balanced>(0.5F);
  const Balanced untracked = Balanced::from_inner(Bare::full(3.0F, {2}));
  const Balanced product = mul(x, untracked);
  EXPECT_FALSE(product.node().is_recomputed);
  EXPECT_TRUE(mul(x, x).node().is_recomputed);
  const auto mark = simt::launch_log().mark();
  const auto gradients = sum(square(product)).backward();
  EXPECT_EQ(gradients.checkpoint_report().recomputed, 0);
  EXPECT_EQ(launches(mark, "primitive.mul_scalar"), 1U);  // square's backward, nothing recomputed
  EXPECT_EQ(x.grad(gradients).value().to_floats(), (std::vector<float>{9, 9}));
  expect_balanced(gradients.checkpoint_report());
}

TEST(Checkpointing, ComputeBoundOutputsAndLeavesAreNeverRecomputed) {
  const Balanced x = Balanced::from_inner(Bare::ones({2, 2})).require_grad();
  const Balanced y = matmul(x, x);
  EXPECT_FALSE(y.node().is_recomputed);
  const auto mark = simt::launch_log().mark();
  const auto gradients = sum(square(y)).backward();
  EXPECT_EQ(launches(mark, "primitive.matmul"), 2U);  // the two gradients of matmul
  EXPECT_EQ(gradients.checkpoint_report().recomputed, 0);
  expect_balanced(gradients.checkpoint_report());
}

TEST(Checkpointing, ADroppedOutputIsNotHeldByTheGraph) {
  // Under Balanced the graph holds the leaf alone: the intermediate's storage goes with its last tensor.
  bool intermediate_released = false;
  std::vector<float> memory(2, 4.0F);
  const auto build = [&]<class T>(const T& x) {
    const Bare view =
        Bare::from_storage(Storage(memory.data(), 8, Device::cpu(), [&] { intermediate_released = true; }), 0,
                           {2}, {1}, DType::f32);
    auto prep = autodiff::prepare<Cpu, typename T::Strategy>("custom", {&x});
    prep.memory_bound([](std::span<const Bare> parents) { return square(parents[0]); });
    prep.checkpoint(0);
    const T produced = prep.finish(view, [](autodiff::BackwardContext<Cpu>& ctx) {
      ctx.set_grad(0, mul(ctx.upstream(), mul_scalar(ctx.parent(0), 2.0F)));
    });
    return sum(square(produced));
  };
  const Balanced dropped = build(leaf<Balanced>(2.0F));
  EXPECT_TRUE(intermediate_released);
  intermediate_released = false;
  const Keeping kept = build(leaf<Keeping>(2.0F));
  EXPECT_FALSE(intermediate_released);
  (void)kept.backward();
  EXPECT_TRUE(intermediate_released) << "a backward must release what it used up";
  (void)dropped.backward();
}

TEST(Checkpointer, OneRetrieveTooManyIsAnError) {
  autodiff::Checkpointer<Cpu> store;
  store.need(7, "parent 0 of rms_norm#9");
  store.keep(7, Bare::ones({2}));
  EXPECT_EQ(store.retrieve(7, "parent 0 of rms_norm#9").to_floats(), (std::vector<float>{1, 1}));
  try {
    (void)store.retrieve(7, "parent 0 of rms_norm#9");
    FAIL() << "a value was retrieved more often than it was checkpointed";
  } catch (const std::logic_error& error) {
    EXPECT_NE(std::string(error.what()).find("parent 0 of rms_norm#9 was retrieved once too many"),
              std::string::npos);
  }
}

TEST(Checkpointer, NamesWhatIsLeft) {
  autodiff::Checkpointer<Cpu> store;
  store.need(7, "parent 0 of mul#9");
  store.need(7, "parent 1 of mul#9");
  store.keep(7, Bare::ones({2}));
  (void)store.retrieve(7, "parent 0 of mul#9");
  const auto report = store.report();
  EXPECT_EQ(report.checkpointed, 2);
  EXPECT_EQ(report.retrieved, 1);
  EXPECT_EQ(report.left, 1);
  EXPECT_EQ(report.left_values, (std::vector<std::string>{"parent 0 of mul#9"}));
}

TEST(Checkpointer, ARetroForwardOfAnotherShapeIsAnError) {
  autodiff::Checkpointer<Cpu> store;
  store.need(1, "input");
  store.keep(1, Bare::ones({2}));
  store.need(2, "parent 0 of square#3");
  store.recompute(2, [](std::span<const Bare> parents) { return sum(parents[0]); }, {1}, {2});
  EXPECT_THROW((void)store.retrieve(2, "parent 0 of square#3"), std::logic_error);
}

}  // namespace
}  // namespace seamgate
