// One ask, one arm, one count: the seam on an op of three lines.
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "seam/tests/scale_op.hpp"

namespace seamgate::seam::testing {
namespace {

using Bare = Tensor<Cpu>;
using Tracked = Tensor<Autodiff<Cpu, BalancedCheckpointing>>;

Bare x_of(const Shape& shape, DType dtype = DType::f32) {
  std::vector<float> values(static_cast<std::size_t>(numel(shape)));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) - 2.5F;
  return Bare::from_floats(values, shape, dtype);
}

class SeamTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ::unsetenv(scale_contract().switch_name.c_str());
    ::unsetenv(scale_contract().adjoint_switch_name.c_str());
    ScaleKernels::forwards = ScaleKernels::backwards = 0;
    ScaleKernels::fails = false;
    ScaleSeam::counters().reset(lock_);
  }
  void TearDown() override { SetUp(); }

  AnyTensor ask(const std::vector<AnyTensor>& inputs, Machines machines = ScaleKernels::machines(),
                const Request& request = {"plain", 1e-6F, {}}) const {
    return ScaleSeam(machines, request).forward(inputs)[0];
  }
  CounterSnapshot counted() const {
    auto counters = ScaleSeam::counters().read(lock_);
    EXPECT_EQ(counters.broken_law(), "");
    return counters;
  }

  const SeamLock lock_;
  const Bare x_ = x_of({2, 3});
  const Bare s_ = Bare::from_floats(std::vector<float>{1.0F, -2.0F, 0.5F}, {3});
  const std::vector<float> y_ = {-2.5F, 3.0F, -0.25F, 0.5F, -3.0F, 1.25F};
};

TEST_F(SeamTest, ABareTensorIsServedByTheBareArm) {
  const AnyTensor y = ask({x_, s_});
  ASSERT_NE(y.as<Bare>(), nullptr);
  EXPECT_EQ(y.as<Bare>()->to_floats(), y_);
  EXPECT_EQ(counted().arms(), "(1,0,0,1)");
  EXPECT_EQ(ScaleKernels::forwards, 1);
}

TEST_F(SeamTest, ATensorOnATapeIsServedByTheNodeArmTrackedOrNot) {
  const auto untracked = ask({Tracked::from_inner(x_), Tracked::from_inner(s_)});
  EXPECT_FALSE(untracked.is_tracked());
  EXPECT_EQ(counted().arms(), "(1,0,1,0)");
  EXPECT_EQ(counted()[Counter::node_tracked], 0U);
  const auto tracked = ask({Tracked::from_inner(x_), Tracked::from_inner(s_).require_grad()});
  EXPECT_TRUE(tracked.is_tracked());
  EXPECT_EQ(tracked.as<Tracked>()->inner().to_floats(), y_);
  EXPECT_EQ(counted().arms(), "(2,0,2,0)");
  EXPECT_EQ(counted()[Counter::node_tracked], 1U);
}

TEST_F(SeamTest, ABackwardGoesThroughTheFusedAdjointAndIsCounted) {
  const auto x = Tracked::from_inner(x_).require_grad();
  const auto s = Tracked::from_inner(s_).require_grad();
  const auto gradients = ask({x, s}).as<Tracked>()->backward(Bare::ones({2, 3}));
  EXPECT_EQ(x.grad(gradients)->to_floats(), (std::vector<float>{1.0F, -2.0F, 0.5F, 1.0F, -2.0F, 0.5F}));
  EXPECT_EQ(s.grad(gradients)->to_floats(), (std::vector<float>{-2.0F, 0.0F, 2.0F}));
  EXPECT_EQ(ScaleKernels::backwards, 1);
  EXPECT_EQ(counted()[Counter::adjoint_fused], 1U);
  EXPECT_EQ(counted()[Counter::node_backward], 1U);
  EXPECT_EQ(counted()[Counter::gy_materialised], 0U);
}

TEST_F(SeamTest, TheAdjointSwitchChoosesTensorOperationsWhenTheModuleIsAsked) {
  ::setenv(scale_contract().adjoint_switch_name.c_str(), "Tensor", 1);
  const auto s = Tracked::from_inner(s_).require_grad();
  const auto gradients = ask({Tracked::from_inner(x_), s}).as<Tracked>()->backward(Bare::ones({2, 3}));
  EXPECT_EQ(s.grad(gradients)->to_floats(), (std::vector<float>{-2.0F, 0.0F, 2.0F}));
  EXPECT_EQ(ScaleKernels::backwards, 0);
  EXPECT_EQ(counted()[Counter::adjoint_tensor], 1U);
  EXPECT_EQ(counted()[Counter::adjoint_fused], 0U);
}

TEST_F(SeamTest, AnUpstreamGradientThatTheAdjointDoesNotServeIsMaterialisedAndCounted) {
  const auto s = Tracked::from_inner(s_).require_grad();
  const Bare seed = x_of({3, 2}).transpose(0, 1);
  const auto got = ask({Tracked::from_inner(x_), s}).as<Tracked>()->backward(seed);
  const auto want = ask({Tracked::from_inner(x_), s}).as<Tracked>()->backward(seed.clone());
  EXPECT_EQ(s.grad(got)->to_floats(), s.grad(want)->to_floats());
  EXPECT_EQ(counted()[Counter::gy_materialised], 1U);
}

TEST_F(SeamTest, EveryReasonToDeclineCountsOnceAndTheTensorPathAnswers) {
  struct Ask {
    Decline reason;
    std::vector<AnyTensor> inputs;
    Machines machines = ScaleKernels::machines();
    const char* switch_word = nullptr;
  };
  const Device elsewhere{DeviceKind::cuda, 0};
  const Bare wide = Bare::ones({1, 9});
  const std::vector<Ask> asks = {
      {Decline::switched_off, {x_, s_}, ScaleKernels::machines(), "oFF"},
      {Decline::device, {x_, s_}, {nullptr, nullptr}},
      {Decline::device,
       {Tracked::from_inner(x_, {elsewhere, StrategyTag::balanced}), Tracked::from_inner(s_)}},
      {Decline::strategy,
       {Tracked::from_inner(x_, {Device::cpu(), StrategyTag::no_checkpointing}), Tracked::from_inner(s_)}},
      {Decline::strategy,
       {Tracked::from_inner(x_), Tracked::from_inner(s_, {Device::cpu(), StrategyTag::no_checkpointing})}},
      {Decline::dtype, {x_of({2, 3}, DType::bf16), s_}},
      {Decline::dtype, {x_, s_.cast(DType::f16)}},
      {Decline::empty, {Bare::empty({0, 3}), s_}},
      {Decline::shape, {wide, Bare::ones({9})}},
      {Decline::layout, {x_of({3, 2}).transpose(0, 1), s_}},
      {Decline::layout, {x_of({2, 5}).slice(1, 0, 3), s_}},
  };
  for (const auto& a : asks) {
    SetUp();
    if (a.switch_word != nullptr) ::setenv(scale_contract().switch_name.c_str(), a.switch_word, 1);
    const AnyTensor y = ask(a.inputs, a.machines);
    const auto counters = counted();
    EXPECT_EQ(counters.arms(), "(1,1,0,0)") << to_string(a.reason);
    for (const Decline reason : all_declines) {
      EXPECT_EQ(counters[reason], reason == a.reason ? 1U : 0U)
          << to_string(a.reason) << " counted under " << to_string(reason);
    }
    EXPECT_EQ(ScaleKernels::forwards, 0) << "a decline comes before any launch";
    EXPECT_EQ(y.shape(), a.inputs[0].shape());
  }
}

TEST_F(SeamTest, AFailedLaunchCountsFailedThrowsAndNothingElseAnswers) {
  ScaleKernels::fails = true;
  for (const auto& inputs :
       {std::vector<AnyTensor>{x_, s_}, {Tracked::from_inner(x_), Tracked::from_inner(s_).require_grad()}}) {
    ScaleSeam::counters().reset(lock_);
    try {
      ask(inputs);
      FAIL() << "no error";
    } catch (const LaunchFailed& error) {
      EXPECT_STREQ(error.what(), "scale forward: told to fail");
    }
    EXPECT_EQ(counted().arms(), "(1,0,0,0)");
    EXPECT_EQ(counted()[Counter::failed], 1U);
    EXPECT_EQ(counted()[Counter::node_tracked], 0U);
  }
}

TEST_F(SeamTest, AFailedBackwardThrowsAndIsNotCountedAsRun) {
  const auto y = ask({Tracked::from_inner(x_), Tracked::from_inner(s_).require_grad()});
  ScaleKernels::fails = true;
  EXPECT_THROW(y.as<Tracked>()->backward(Bare::ones({2, 3})), LaunchFailed);
  EXPECT_EQ(counted()[Counter::node_backward], 0U);
  EXPECT_EQ(counted()[Counter::adjoint_fused], 0U);
}

TEST_F(SeamTest, AnOddSwitchIsAnErrorBeforeAnythingIsCounted) {
  for (const auto& name : {scale_contract().switch_name, scale_contract().adjoint_switch_name}) {
    ::setenv(name.c_str(), "perhaps", 1);
    EXPECT_THROW(ask({x_, s_}), std::invalid_argument) << name;
    ::unsetenv(name.c_str());
  }
  EXPECT_EQ(counted().arms(), "(0,0,0,0)");
}

TEST_F(SeamTest, OffOnOffIsFollowedWithinOneProcess) {
  for (const char* word : {"0", "1", "no", "yes", "0"}) {
    ::setenv(scale_contract().switch_name.c_str(), word, 1);
    ask({x_, s_});
  }
  EXPECT_EQ(counted().arms(), "(5,3,0,2)");
}

TEST_F(SeamTest, BadInputIsOneLineAndNothingIsCounted) {
  struct Bad {
    std::vector<AnyTensor> inputs;
    Request request;
    const char* says;
  };
  const Request good{"plain", 1e-6F, {}};
  const float nan = __builtin_nanf("");
  const float infinity = __builtin_inff();
  const std::vector<Bad> table = {
      {{x_}, good, "scale: got 1 inputs; allowed: 2"},
      {{x_, s_, s_}, good, "scale: got 3 inputs; allowed: 2"},
      {{x_, s_}, {"plain", 0.0F, {}}, "scale: eps is 0"},
      {{x_, s_}, {"plain", -1e-6F, {}}, "scale: eps is -0.000001; allowed: a positive finite number"},
      {{x_, s_}, {"plain", nan, {}}, "scale: eps is nan"},
      {{x_, s_}, {"plain", infinity, {}}, "scale: eps is inf"},
      {{x_, s_}, {"fancy", 1e-6F, {}}, "scale: variant is 'fancy'; allowed: plain"},
      {{x_, Bare::ones({4})}, good, "scale: s is f32[4]"},
      {{x_, Bare::ones({1, 3})}, good, "scale: s is f32[1,3]"},
      {{x_, Tracked::from_inner(s_)}, good, "scale: s is on cpu"},
      {{Bare::ones({}), s_}, good, "scale: x has rank 0; allowed: 1 to 4"},
  };
  for (const auto& bad : table) {
    try {
      ask(bad.inputs, ScaleKernels::machines(), bad.request);
      ADD_FAILURE() << "no error: " << bad.says;
    } catch (const std::invalid_argument& error) {
      const std::string text = error.what();
      EXPECT_EQ(text.find(bad.says), 0U) << text;
      EXPECT_NE(text.find("allowed"), std::string::npos) << text;
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
  }
  EXPECT_EQ(counted().arms(), "(0,0,0,0)");
  EXPECT_EQ(ScaleKernels::forwards, 0);
}

}  // namespace
}  // namespace seamgate::seam::testing
