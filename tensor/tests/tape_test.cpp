// What the tape promises: tracking, leaves, accumulation, one backward a graph.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tensor/autodiff/primitives.hpp"

namespace seamgate {
namespace {

using Bare = Tensor<Cpu>;
using Values = std::vector<float>;

template <class S>
class Tape : public testing::Test {
 public:
  using T = Tensor<Autodiff<Cpu, S>>;
  static T untracked(const Values& values) {
    return T::from_inner(Bare::from_floats(values, {static_cast<std::int64_t>(values.size())}));
  }
  static T leaf(const Values& values) { return untracked(values).require_grad(); }
};
using Strategies = testing::Types<NoCheckpointing, BalancedCheckpointing>;
TYPED_TEST_SUITE(Tape, Strategies);

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TYPED_TEST(Tape, ListsAnOperationsParentsInOrder) {
  const auto x = this->leaf({1, 2});
  const auto w = this->untracked({3, 4});
  const auto node = mul(x, w).node();
  EXPECT_EQ(node.op, "mul");
  EXPECT_FALSE(node.is_leaf);
  ASSERT_EQ(node.parents.size(), 2U);
  EXPECT_EQ(node.parents[0].id, x.node().id);
  EXPECT_EQ(node.parents[0].op, "leaf");
  EXPECT_TRUE(node.parents[0].tracked);
  EXPECT_EQ(node.parents[1].id, w.node().id);
  EXPECT_FALSE(node.parents[1].tracked);
}

TYPED_TEST(Tape, TellsTrackedFromRequireGrad) {
  const auto untracked = this->untracked({1});
  const auto leaf = untracked.require_grad();
  const auto made = neg(leaf);
  EXPECT_FALSE(untracked.is_tracked() || untracked.is_require_grad());
  EXPECT_TRUE(leaf.is_tracked() && leaf.is_require_grad() && leaf.node().is_leaf);
  EXPECT_TRUE(made.is_tracked() && !made.is_require_grad() && !made.node().is_leaf);
  EXPECT_EQ(leaf.require_grad().node().id, leaf.node().id);
}

TYPED_TEST(Tape, BackwardAddsNoNodeAndItsGradientsAreBare) {
  const auto x = this->leaf({1, 2, 3});
  const auto w = this->leaf({4, 5, 6});
  const auto loss = sum(mul(sqrt(mul(x, x)), w));
  const auto before = autodiff::nodes_created();
  const auto gradients = loss.backward();
  EXPECT_EQ(autodiff::nodes_created(), before);
  static_assert(std::is_same_v<decltype(x.grad(gradients)), std::optional<Bare>>);
  EXPECT_EQ(x.grad(gradients).value().to_floats(), (Values{4, 5, 6}));
}

TYPED_TEST(Tape, CountsOneEntryForEachTrackedOperationAndLeaf) {
  const auto before = autodiff::nodes_created();
  const auto x = this->leaf({1});
  EXPECT_EQ(autodiff::nodes_created(), before + 1);
  const auto y = neg(mul(x, this->untracked({2})));
  EXPECT_EQ(autodiff::nodes_created(), before + 3);
}

TYPED_TEST(Tape, WithoutATrackedParentThereIsNoEntry) {
  const auto before = autodiff::nodes_created();
  const auto y = sum(mul(this->untracked({1, 2}), this->untracked({3, 4})));
  EXPECT_EQ(autodiff::nodes_created(), before);
  EXPECT_FALSE(y.is_tracked());
  EXPECT_TRUE(y.node().parents.empty());
  EXPECT_NE(message_of([&] { (void)y.backward(); }).find("backward on an untracked tensor (sum#"),
            std::string::npos);
}

// x only, w only, both: an untracked parent gets no gradient, and the others do not notice.
TYPED_TEST(Tape, GivesTheSameGradientsWhicheverOtherParentIsTracked) {
  const auto run = [this](bool track_x, bool track_w) {
    const auto x = track_x ? this->leaf({1.1F, -2.3F}) : this->untracked({1.1F, -2.3F});
    const auto w = track_w ? this->leaf({0.7F, 0.3F}) : this->untracked({0.7F, 0.3F});
    const auto gradients = sum(div(mul(mul(x, w), x), add_scalar(square(w), 1.0F))).backward();
    return std::pair{x.grad(gradients), w.grad(gradients)};
  };
  const auto both = run(true, true);
  const auto x_only = run(true, false);
  const auto w_only = run(false, true);
  EXPECT_EQ(both.first.value().to_bytes(), x_only.first.value().to_bytes());
  EXPECT_EQ(both.second.value().to_bytes(), w_only.second.value().to_bytes());
  EXPECT_FALSE(x_only.second.has_value());
  EXPECT_FALSE(w_only.first.has_value());
}

TYPED_TEST(Tape, ParentsThatAreTrackedButNotLeavesPassGradientsOn) {
  const auto x = this->leaf({2, 3});
  const auto y = mul_scalar(x, 10.0F);
  const auto gradients = sum(mul(y, y)).backward();
  EXPECT_EQ(x.grad(gradients).value().to_floats(), (Values{400, 600}));
}

TYPED_TEST(Tape, FanOutAddsGradients) {
  const auto x = this->leaf({2, -1});
  const auto y = mul_scalar(x, 3.0F);
  const auto gradients = sum(add(add(y, mul(y, y)), x)).backward();
  EXPECT_EQ(x.grad(gradients).value().to_floats(), (Values{3 + 6 * 6 + 1, 3 - 6 * 3 + 1}));
}

TYPED_TEST(Tape, TwoBackwardsOfTwoGraphsAccumulate) {
  const auto x = this->leaf({2, 3});
  const auto w = this->leaf({5, 7});
  GradientsAccumulator<Cpu> accumulator;
  accumulator.add(sum(mul(x, w)).backward());
  accumulator.add(sum(mul_scalar(x, 10.0F)).backward());
  const auto total = accumulator.gradients();
  EXPECT_EQ(x.grad(total).value().to_floats(), (Values{15, 17}));
  EXPECT_EQ(w.grad(total).value().to_floats(), (Values{2, 3}));
}

TYPED_TEST(Tape, LeafGradientsAreReadableTwiceAndIntermediateOnesAreGone) {
  const auto x = this->leaf({1, 2});
  const auto y = mul_scalar(x, 2.0F);
  const auto loss = sum(y);
  const auto gradients = loss.backward();
  EXPECT_EQ(gradients.size(), 1U);
  EXPECT_EQ(x.grad(gradients).value().to_floats(), (Values{2, 2}));
  EXPECT_EQ(x.grad(gradients).value().to_floats(), (Values{2, 2}));
  EXPECT_FALSE(y.grad(gradients).has_value());
  EXPECT_FALSE(loss.grad(gradients).has_value());
  EXPECT_FALSE(this->leaf({1}).grad(gradients).has_value());
}

TYPED_TEST(Tape, ASecondBackwardThroughTheSameGraphIsAnError) {
  const auto x = this->leaf({1, 2});
  const auto shared = mul(x, x);
  const auto loss = sum(shared);
  (void)loss.backward();
  EXPECT_NE(message_of([&] {
              (void)loss.backward();
            }).find("second backward through the same graph: the step of sum#"),
            std::string::npos);
  // Through a new root over a used-up part as well, and the new part is left alone by the refusal.
  const auto other = sum(neg(shared));
  for (int i = 0; i < 2; ++i) {
    EXPECT_NE(message_of([&] { (void)other.backward(); }).find("the step of mul#"), std::string::npos);
  }
}

TYPED_TEST(Tape, RequireGradOnANonLeafIsAnError) {
  const auto y = mul_scalar(this->leaf({1}), 2.0F);
  EXPECT_NE(
      message_of([&] { (void)y.require_grad(); }).find("require_grad on a non-leaf tensor (mul_scalar#"),
      std::string::npos);
  EXPECT_TRUE(y.detach().require_grad().is_require_grad());
  EXPECT_TRUE(mul_scalar(this->untracked({1}), 2.0F).require_grad().is_require_grad());
}

TYPED_TEST(Tape, DetachAndNoGradGiveUntrackedValues) {
  const auto x = this->leaf({3, 4});
  const auto y = square(x);
  static_assert(std::is_same_v<decltype(y.no_grad()), Bare>);
  EXPECT_EQ(y.no_grad().to_floats(), (Values{9, 16}));
  EXPECT_FALSE(y.detach().is_tracked());
  // A detached factor is a constant: d(x * stop(x^2)) = x^2.
  const auto gradients = sum(mul(x, y.detach())).backward();
  EXPECT_EQ(x.grad(gradients).value().to_floats(), (Values{9, 16}));
}

TYPED_TEST(Tape, BackwardNeedsOneElementOrASeedOfTheRightShape) {
  const auto x = this->leaf({1, 2, 3});
  const auto y = mul_scalar(x, 2.0F);
  EXPECT_NE(message_of([&] { (void)y.backward(); }).find("backward on a tensor of shape [3]"),
            std::string::npos);
  EXPECT_NE(message_of([&] { (void)y.backward(Bare::ones({2})); }).find("a seed of shape [2]"),
            std::string::npos);
  const auto gradients = y.backward(Bare::from_floats(Values{1, 0, -1}, {3}));
  EXPECT_EQ(x.grad(gradients).value().to_floats(), (Values{2, 0, -2}));
}

TYPED_TEST(Tape, BackwardOnALeafGivesTheSeed) {
  const auto x = this->leaf({5});
  EXPECT_EQ(x.grad(x.backward()).value().to_floats(), (Values{1}));
}

TYPED_TEST(Tape, AnUpstreamGradientOfAnyLayoutIsHonoured) {
  using T = typename TestFixture::T;
  const T x = T::from_inner(Bare::from_floats(Values{1, 2, 3, 4, 5, 6}, {2, 3})).require_grad();
  const Bare seed = Bare::from_floats(Values{1, 2, 3, 4, 5, 6}, {3, 2}).transpose(0, 1);
  EXPECT_EQ(x.grad(mul(x, x).backward(seed)).value().to_floats(), (Values{2, 12, 30, 16, 40, 72}));
}

}  // namespace
}  // namespace seamgate
