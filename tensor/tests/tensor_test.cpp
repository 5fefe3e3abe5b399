// Bare tensors: storage, views, strides, casts.
#include "tensor/tensor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "kernels/simt/buffers.hpp"

namespace seamgate {
namespace {

using T = Tensor<Cpu>;

T counting(const Shape& shape, DType dtype = DType::f32) {
  std::vector<float> values(static_cast<std::size_t>(numel(shape)));
  std::iota(values.begin(), values.end(), 0.0F);
  return T::from_floats(values, shape, dtype);
}

TEST(Tensor, KeepsShapeStridesAndValues) {
  const T x = counting({2, 3});
  EXPECT_EQ(x.shape(), (Shape{2, 3}));
  EXPECT_EQ(x.strides(), (Strides{3, 1}));
  EXPECT_EQ(x.numel(), 6);
  EXPECT_EQ(to_string(x.device()), "cpu");
  EXPECT_TRUE(x.is_contiguous());
  EXPECT_EQ(x.to_floats(), (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

TEST(Tensor, FactoriesFillEveryElementInEveryDtype) {
  for (const DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    EXPECT_EQ(T::zeros({3}, dtype).to_floats(), (std::vector<float>{0, 0, 0}));
    EXPECT_EQ(T::ones({2}, dtype).to_floats(), (std::vector<float>{1, 1}));
    EXPECT_EQ(T::full(-2.5F, {1, 2}, dtype).to_floats(), (std::vector<float>{-2.5F, -2.5F}));
    for (const float value : T::empty({4}, dtype).to_floats()) EXPECT_TRUE(std::isnan(value));
  }
}

TEST(Tensor, AScalarHasRankZeroAndOneElement) {
  const T x = T::full(7.0F, {});
  EXPECT_EQ(x.rank(), 0);
  EXPECT_EQ(x.numel(), 1);
  EXPECT_EQ(x.item(), 7.0F);
  EXPECT_THROW(counting({2}).item(), std::invalid_argument);
}

TEST(Tensor, AnEmptyTensorHasAnAddressAndNoValues) {
  const T x = T::empty({0, 5});
  EXPECT_NE(x.data(), nullptr);
  EXPECT_TRUE(x.is_contiguous());
  EXPECT_TRUE(x.to_floats().empty());
  EXPECT_TRUE(x.transpose(0, 1).contiguous().to_bytes().empty());
}

TEST(Tensor, RoundsToNearestEvenIntoSixteenBits) {
  // 1 + 2^-8 lies between two bf16 values and goes to the even one, 1; 1 + 3 * 2^-8 goes up to 1 + 2^-6.
  const std::vector<float> values{1.00390625F, 1.01171875F, 1.0F / 3.0F};
  EXPECT_EQ(T::from_floats(values, {3}, DType::bf16).to_floats(),
            (std::vector<float>{1.0F, 1.015625F, 0.333984375F}));
  // In f16 the spacing at 2048 is 2.
  EXPECT_EQ(T::from_floats(std::vector<float>{2049.0F, 2051.0F, 1e6F}, {3}, DType::f16).to_floats(),
            (std::vector<float>{2048.0F, 2052.0F, std::numeric_limits<float>::infinity()}));
}

TEST(Tensor, ViewsShareStorage) {
  const T x = counting({2, 3, 4});
  const T sliced = x.slice(2, 1, 4, 2);
  EXPECT_EQ(sliced.shape(), (Shape{2, 3, 2}));
  EXPECT_EQ(sliced.strides(), (Strides{12, 4, 2}));
  EXPECT_EQ(sliced.to_floats(), (std::vector<float>{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23}));
  EXPECT_TRUE(sliced.storage().same_as(x.storage()));

  const T turned = x.transpose(0, -1);
  EXPECT_EQ(turned.shape(), (Shape{4, 3, 2}));
  EXPECT_EQ(turned.to_floats()[1], 12.0F);
  EXPECT_FALSE(turned.is_contiguous());

  const T wide = counting({3, 1}).expand({2, 3, 2});
  EXPECT_EQ(wide.strides(), (Strides{0, 1, 0}));
  EXPECT_EQ(wide.to_floats(), (std::vector<float>{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}));
}

TEST(Tensor, ReshapeSharesWhenItCanAndCopiesWhenItMust) {
  const T x = counting({2, 6});
  EXPECT_TRUE(x.reshape({3, 4}).storage().same_as(x.storage()));
  const T copied = x.transpose(0, 1).reshape({12});
  EXPECT_FALSE(copied.storage().same_as(x.storage()));
  EXPECT_EQ(copied.to_floats(), (std::vector<float>{0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11}));
  const T offset = x.slice(0, 1, 2).reshape({6});
  EXPECT_TRUE(offset.storage().same_as(x.storage()));
  EXPECT_EQ(offset.to_floats(), (std::vector<float>{6, 7, 8, 9, 10, 11}));
}

TEST(Tensor, ContiguousIsItselfOrAPackedCopyOfTheBits) {
  // A signalling NaN must come through a 16-bit copy with its payload.
  std::vector<std::uint16_t> bits{0x7f81, 0x3f80, 0xff85, 0x8000};
  const Storage storage(bits.data(), bits.size() * 2, Device::cpu());
  const T x = T::from_storage(storage, 0, {2, 2}, {1, 2}, DType::bf16);
  const T packed = x.contiguous();
  EXPECT_EQ(packed.strides(), (Strides{2, 1}));
  const std::vector<std::byte> bytes = packed.to_bytes();
  std::vector<std::uint16_t> got(4);
  std::memcpy(got.data(), bytes.data(), bytes.size());
  EXPECT_EQ(got, (std::vector<std::uint16_t>{0x7f81, 0xff85, 0x3f80, 0x8000}));
  EXPECT_TRUE(packed.contiguous().storage().same_as(packed.storage()));
  EXPECT_FALSE(packed.clone().storage().same_as(packed.storage()));
}

TEST(Tensor, CastIsItselfOrARoundedCopy) {
  const T x = counting({3});
  EXPECT_TRUE(x.cast(DType::f32).storage().same_as(x.storage()));
  const T third = T::full(1.0F / 3.0F, {2, 2}).transpose(0, 1).cast(DType::f16);
  EXPECT_EQ(third.dtype(), DType::f16);
  EXPECT_EQ(third.to_floats()[3], 0.333251953125F);
}

TEST(Tensor, CopyFromWritesThroughAView) {
  const T x = T::zeros({2, 3}, DType::bf16);
  x.slice(1, 0, 3, 2).copy_from(T::from_floats(std::vector<float>{1, 2, 3, 4}, {2, 2}));
  EXPECT_EQ(x.to_floats(), (std::vector<float>{1, 0, 2, 3, 0, 4}));
  EXPECT_THROW(x.copy_from(T::zeros({3, 2})), std::invalid_argument);
}

TEST(Tensor, LiesOverMemoryOfTheCallersMaking) {
  std::vector<float> memory(10, -1.0F);
  bool released = false;
  {
    const Storage storage(memory.data(), memory.size() * sizeof(float), Device::cpu(),
                          [&] { released = true; });
    const T x = T::from_storage(storage, 2, {2, 2}, {3, 1}, DType::f32);
    EXPECT_EQ(x.data(), memory.data() + 2);
    x.copy_from(counting({2, 2}));
    EXPECT_FALSE(released);
  }
  EXPECT_TRUE(released);
  EXPECT_EQ(memory, (std::vector<float>{-1, -1, 0, 1, -1, 2, 3, -1, -1, -1}));
}

TEST(Tensor, RefusesALayoutThatLeavesItsStorage) {
  std::vector<float> memory(6);
  const Storage storage(memory.data(), memory.size() * sizeof(float), Device::cpu());
  EXPECT_NO_THROW(T::from_storage(storage, 2, {2, 2}, {2, 1}, DType::f32));
  EXPECT_THROW(T::from_storage(storage, 3, {2, 2}, {2, 1}, DType::f32), std::invalid_argument);
  EXPECT_THROW(T::from_storage(storage, 0, {2, 2}, {5, 1}, DType::f32), std::invalid_argument);
  EXPECT_THROW(T::from_storage(storage, -1, {1}, {1}, DType::f32), std::invalid_argument);
  EXPECT_THROW(T::from_storage(storage, 5, {2}, {-1}, DType::f32), std::invalid_argument);
  EXPECT_THROW(T::from_storage(storage, 0, {2}, {1, 1}, DType::f32), std::invalid_argument);
  EXPECT_THROW(T::from_storage(storage, 0, {1}, {1}, DType(2)).slice(0, 0, 2), std::invalid_argument);
}

TEST(Tensor, RefusesWhatDoesNotFitAndNamesIt) {
  EXPECT_THROW(T::from_floats(std::vector<float>{1, 2}, {3}), std::invalid_argument);
  EXPECT_THROW(T::zeros({1, 1, 1, 1, 1}), std::invalid_argument);
  EXPECT_THROW(T::zeros({2, -1}), std::invalid_argument);
  EXPECT_THROW(T::zeros({2}, DType::f32, Device::cuda(0)), std::invalid_argument);
  const T x = counting({2, 3});
  EXPECT_THROW(x.slice(1, 1, 4), std::invalid_argument);
  EXPECT_THROW(x.slice(1, 2, 1), std::invalid_argument);
  EXPECT_THROW(x.slice(2, 0, 1), std::invalid_argument);
  EXPECT_THROW(x.slice(0, 0, 2, 0), std::invalid_argument);
  EXPECT_THROW(x.expand({2, 4}), std::invalid_argument);
  EXPECT_THROW(x.reshape({7}), std::invalid_argument);
  try {
    x.transpose(0, 2);
    FAIL() << "a dimension outside the rank was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "transpose: dimension 2 of a tensor of rank 2");
  }
}

TEST(Tensor, EntersAndLeavesTheRegistryOfBuffers) {
  const std::size_t before = simt::buffers().size();
  {
    const T x = counting({4});
    const T view = x.slice(0, 1, 3);
    EXPECT_EQ(simt::buffers().size(), before + 1);
  }
  EXPECT_EQ(simt::buffers().size(), before);
}

TEST(Tensor, AViewForAKernelPointsAtItsFirstElement) {
  const T x = counting({3, 4}).slice(0, 1, 3).slice(1, 2, 4);
  const kernels::View view = x.view();
  EXPECT_EQ(*static_cast<const float*>(view.data), 6.0F);
  EXPECT_EQ(view.rank, 2);
  EXPECT_EQ(view.shape[0], 2);
  EXPECT_EQ(view.strides[0], 4);
  EXPECT_EQ(view.columns(), 2);
}

}  // namespace
}  // namespace seamgate
