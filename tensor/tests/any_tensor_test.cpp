// Type-erased tensors, and what a raw launch takes.
#include "tensor/any_tensor.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tensor/autodiff/primitives.hpp"

namespace seamgate {
namespace {

using Bare = Tensor<Cpu>;
using Balanced = Tensor<Autodiff<Cpu, BalancedCheckpointing>>;
using Keeping = Tensor<Autodiff<Cpu, NoCheckpointing>>;

TEST(AnyTensor, KnowsABareTensor) {
  const AnyTensor any = Bare::ones({2, 3}, DType::bf16).transpose(0, 1);
  EXPECT_EQ(any.device(), Device::cpu());
  EXPECT_EQ(any.dtype(), DType::bf16);
  EXPECT_EQ(any.shape(), (Shape{3, 2}));
  EXPECT_EQ(any.strides(), (Strides{1, 3}));
  EXPECT_FALSE(any.on_tape());
  EXPECT_FALSE(any.is_tracked());
  EXPECT_FALSE(any.is_require_grad());
  EXPECT_EQ(any.strategy(), StrategyTag::none);
  EXPECT_EQ(any.tags(), (TapeTags{Device::cpu(), StrategyTag::none}));
  EXPECT_TRUE(any.tags_agree());
  EXPECT_NE(any.as<Bare>(), nullptr);
  EXPECT_EQ(any.as<Balanced>(), nullptr);
  EXPECT_EQ(any.view().data, any.as<Bare>()->data());
}

TEST(AnyTensor, KnowsATapeTrackedOrNot) {
  const Balanced untracked = Balanced::from_inner(Bare::ones({2}));
  const Balanced leaf = untracked.require_grad();
  const AnyTensor any[] = {untracked, leaf, neg(leaf)};
  for (const AnyTensor& tensor : any) {
    EXPECT_TRUE(tensor.on_tape());
    EXPECT_EQ(tensor.strategy(), StrategyTag::balanced);
    EXPECT_TRUE(tensor.tags_agree());
    EXPECT_NE(tensor.inner().as<Bare>(), nullptr);
    EXPECT_EQ(tensor.as<Keeping>(), nullptr);
  }
  EXPECT_FALSE(any[0].is_tracked());
  EXPECT_TRUE(any[1].is_tracked() && any[1].is_require_grad());
  EXPECT_TRUE(any[2].is_tracked() && !any[2].is_require_grad());
  EXPECT_EQ(AnyTensor(Keeping::from_inner(Bare::ones({2}))).strategy(), StrategyTag::no_checkpointing);
}

TEST(AnyTensor, NoticesTagsThatDisagreeWithTheTypeAlsoAfterAnOperation) {
  const TapeTags keeping{Device::cpu(), StrategyTag::no_checkpointing};
  const Balanced odd = Balanced::from_inner(Bare::ones({2}), keeping);
  const Balanced even = Balanced::from_inner(Bare::ones({2})).require_grad();
  EXPECT_FALSE(AnyTensor(odd).tags_agree());
  EXPECT_EQ(AnyTensor(odd).tags(), keeping);
  EXPECT_FALSE(AnyTensor(odd.require_grad()).tags_agree());
  EXPECT_FALSE(AnyTensor(odd.detach()).tags_agree());
  EXPECT_FALSE(AnyTensor(mul(even, odd)).tags_agree());
  EXPECT_FALSE(AnyTensor(mul_scalar(odd, 2.0F)).tags_agree());
  EXPECT_TRUE(AnyTensor(mul(even, even)).tags_agree());
  EXPECT_FALSE(AnyTensor(Balanced::from_inner(Bare::ones({2}), {Device::cuda(1), StrategyTag::balanced}))
                   .tags_agree());
}

TEST(AnyTensor, RefusesARawLaunchOnATape) {
  const AnyTensor any = Balanced::from_inner(Bare::ones({2, 2})).require_grad();
  try {
    (void)any.view();
    FAIL() << "a tracked tensor was given to a raw launch";
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("a raw launch takes bare tensors; got a tensor tracked by"), std::string::npos)
        << message;
    EXPECT_NE(message.find("cpu f32 [2, 2] on a tape (balanced, tracked)"), std::string::npos) << message;
  }
  EXPECT_THROW((void)AnyTensor(Keeping::from_inner(Bare::ones({2}))).view(), std::invalid_argument);
}

TEST(AnyTensor, IsVisitedWithItsStaticType) {
  const AnyTensor any = Balanced::from_inner(Bare::ones({3})).require_grad();
  const AnyTensor doubled = visit(any, [](const auto& tensor) { return AnyTensor(add(tensor, tensor)); });
  ASSERT_NE(doubled.as<Balanced>(), nullptr);
  EXPECT_TRUE(doubled.is_tracked());
  EXPECT_EQ(doubled.inner().as<Bare>()->to_floats(), (std::vector<float>{2, 2, 2}));
}

TEST(RawView, IsTheViewOfABareTensor) {
  const Bare x = Bare::ones({2, 3}).slice(1, 1, 3);
  const kernels::View view = raw_view(x);
  EXPECT_EQ(view.data, x.data());
  EXPECT_EQ(view.shape[1], 2);
  EXPECT_EQ(view.strides[0], 3);
}

}  // namespace
}  // namespace seamgate
