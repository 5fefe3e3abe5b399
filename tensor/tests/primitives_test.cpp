// The primitive operations on bare tensors.
#include "tensor/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/simt/launch_log.hpp"
#include "tensor/blocked_sum.hpp"

namespace seamgate {
namespace {

using T = Tensor<Cpu>;
using Values = std::vector<float>;

T of(const Values& values, const Shape& shape, DType dtype = DType::f32) {
  return T::from_floats(values, shape, dtype);
}

TEST(Primitives, BroadcastAsNumPyDoes) {
  const T column = of({1, 2}, {2, 1});
  const T row = of({10, 20, 30}, {3});
  EXPECT_EQ(add(column, row).to_floats(), (Values{11, 21, 31, 12, 22, 32}));
  EXPECT_EQ(sub(column, row).to_floats(), (Values{-9, -19, -29, -8, -18, -28}));
  EXPECT_EQ(mul(row, column).to_floats(), (Values{10, 20, 30, 20, 40, 60}));
  EXPECT_EQ(div(row, column).to_floats(), (Values{10, 20, 30, 5, 10, 15}));
  EXPECT_EQ(add(of({1}, {}), row).shape(), (Shape{3}));
  EXPECT_THROW(add(of({1, 2}, {2}), row), std::invalid_argument);
  EXPECT_EQ(add(T::empty({0, 3}), row).shape(), (Shape{0, 3}));
}

TEST(Primitives, ComputeElementwiseInF32) {
  const T x = of({0.25F, 4.0F, 9.0F}, {3});
  EXPECT_EQ(neg(x).to_floats(), (Values{-0.25F, -4, -9}));
  EXPECT_EQ(square(x).to_floats(), (Values{0.0625F, 16, 81}));
  EXPECT_EQ(sqrt(x).to_floats(), (Values{0.5F, 2, 3}));
  EXPECT_EQ(recip(x).to_floats(), (Values{4, 0.25F, 1.0F / 9.0F}));
  EXPECT_EQ(add_scalar(x, 1.5F).to_floats(), (Values{1.75F, 5.5F, 10.5F}));
  EXPECT_EQ(mul_scalar(x, -2.0F).to_floats(), (Values{-0.5F, -8, -18}));
  EXPECT_EQ(div_scalar(x, 3.0F).to_floats(), (Values{0.25F / 3.0F, 4.0F / 3.0F, 3}));
  EXPECT_NEAR(exp(x).to_floats()[2], std::exp(9.0), 1e-3);
}

TEST(Primitives, TheMaximumKeepsNaNFromEitherSideAndTheFirstOfEquals) {
  EXPECT_EQ(maximum(of({-3, 2, -INFINITY}, {3}), of({-2, 1, -5}, {3})).to_floats(), (Values{-2, 2, -5}));
  EXPECT_EQ(maximum(of({-3, 2}, {2}), of({-2.5F}, {1})).to_floats(), (Values{-2.5F, 2}));
  for (const float value : maximum(of({NAN, 1, NAN}, {3}), of({1, NAN, NAN}, {3})).to_floats()) {
    EXPECT_TRUE(std::isnan(value));
  }
  const Values zeros = maximum(of({-0.0F, 0.0F}, {2}), of({0.0F, -0.0F}, {2})).to_floats();
  EXPECT_TRUE(std::signbit(zeros[0]));
  EXPECT_FALSE(std::signbit(zeros[1]));
}

TEST(Primitives, SigmoidIsRightInBothTails) {
  const Values got = sigmoid(of({-200, -1, 0, 1, 200}, {5})).to_floats();
  EXPECT_EQ(got[0], 0.0F);
  EXPECT_NEAR(got[1], 1 / (1 + std::exp(1.0)), 1e-7);
  EXPECT_EQ(got[2], 0.5F);
  EXPECT_EQ(got[4], 1.0F);
}

TEST(Primitives, WidenSixteenBitOperandsAndGiveF32) {
  const T a = of({1.0F, 1.0F}, {2}, DType::bf16);
  const T b = of({0.00390625F, 3.0F}, {2}, DType::f16);
  const T sum = add(a, b);
  EXPECT_EQ(sum.dtype(), DType::f32);
  EXPECT_EQ(sum.to_floats(), (Values{1.00390625F, 4.0F}));  // the first would not fit bf16
}

TEST(Primitives, ReadAnyLayout) {
  const T x = of({0, 1, 2, 3, 4, 5}, {2, 3});
  EXPECT_EQ(mul(x.transpose(0, 1), of({1, 10}, {2})).to_floats(), (Values{0, 30, 1, 40, 2, 50}));
  EXPECT_EQ(neg(x.slice(1, 0, 3, 2)).to_floats(), (Values{0, -2, -3, -5}));
  EXPECT_EQ(sum_dim(x.transpose(0, 1), 0).to_floats(), (Values{3, 12}));
}

TEST(Primitives, AreRightBeyondATile) {
  // A row longer than the tile of the strided walk, read with a stride.
  Values values(3 * 1300);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const Values got = add_scalar(of(values, {3, 1300}).slice(1, 1, 1300, 2), 0.5F).to_floats();
  ASSERT_EQ(got.size(), 3U * 650U);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t c = 0; c < 650; ++c) {
      ASSERT_EQ(got[row * 650 + c], static_cast<float>(row * 1300 + 2 * c + 1) + 0.5F) << row << ", " << c;
    }
  }
}

TEST(Primitives, SumOverAnyDimensionAndKeepIt) {
  Values values(2 * 3 * 4);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const T x = of(values, {2, 3, 4});
  EXPECT_EQ(sum_dim(x, 0).shape(), (Shape{1, 3, 4}));
  EXPECT_EQ(sum_dim(x, 0).to_floats(), (Values{12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34}));
  EXPECT_EQ(sum_dim(x, 1).to_floats(), (Values{12, 15, 18, 21, 48, 51, 54, 57}));
  EXPECT_EQ(sum_dim(x, -1).to_floats(), (Values{6, 22, 38, 54, 70, 86}));
  EXPECT_EQ(mean_dim(x, -1).to_floats(), (Values{1.5F, 5.5F, 9.5F, 13.5F, 17.5F, 21.5F}));
  EXPECT_EQ(sum(x).shape(), (Shape{}));
  EXPECT_EQ(sum(x).item(), 276.0F);
  EXPECT_THROW(sum_dim(x, 3), std::invalid_argument);
}

TEST(Primitives, TheSumOfNothingIsPositiveZero) {
  const Values got = sum_dim(T::empty({0, 2}), 0).to_floats();
  EXPECT_EQ(got, (Values{0, 0}));
  EXPECT_FALSE(std::signbit(got[0]));
  EXPECT_EQ(sum(T::empty({3, 0})).item(), 0.0F);
  EXPECT_EQ(sum_dim(T::empty({2, 0, 3}), 0).shape(), (Shape{1, 0, 3}));
  EXPECT_TRUE(std::isnan(mean_dim(T::empty({1, 0}), 1).to_floats()[0]));
}

// Values whose exact sum is known in double and whose sequential f32 sum is far off.
Values long_series(std::size_t count) {
  Values values(count);
  std::uint32_t state = 1;
  for (float& value : values) {
    state = state * 1664525U + 1013904223U;
    value = 0.5F + static_cast<float>(state >> 8) * (1.0F / 16777216.0F);
  }
  return values;
}
double exact_sum(const Values& values) {
  double total = 0;
  for (const float value : values) total += value;
  return total;
}

// What the tree of sums promises for sums of up to 17 M terms.
constexpr double sum_bar = 5e-7;

TEST(Primitives, TheErrorOfASumDoesNotGrowWithItsLength) {
  const Values values = long_series(std::size_t{1} << 21);
  const double want = exact_sum(values);
  float sequential = 0;
  for (const float value : values) sequential += value;
  const auto length = static_cast<std::int64_t>(values.size());
  EXPECT_GT(std::abs(sequential - want) / want, 1e-6)
      << "the series does not tell the two kinds of sum apart";
  EXPECT_LT(std::abs(sum(of(values, {length})).item() - want) / want, sum_bar);
  // Over rows, the dimension of dw.
  const T rows = of(values, {length, 1}).expand({length, 3});
  for (const float got : sum_dim(rows, 0).to_floats()) EXPECT_LT(std::abs(got - want) / want, sum_bar);
}

TEST(Primitives, ASumHasTheSameBitsAlongAnyDimensionAndInOneRunningTotal) {
  for (const std::size_t count : {1U, 31U, 32U, 33U, 1023U, 1024U, 1025U, 40000U}) {
    const Values values = long_series(count);
    BlockedSum running;
    for (const float value : values) running.add(value);
    const auto length = static_cast<std::int64_t>(count);
    EXPECT_EQ(sum(of(values, {length})).item(), running.total()) << count << " terms";
    EXPECT_EQ(sum_dim(of(values, {length, 1}).expand({length, 2}), 0).to_floats()[1], running.total())
        << count << " terms";
    EXPECT_EQ(sum_dim(of(values, {1, length}), 1).item(), running.total()) << count << " terms";
  }
}

TEST(Primitives, MatmulMultipliesMatrices) {
  const T a = of({1, 2, 3, 4, 5, 6}, {2, 3});
  const T b = of({1, 0, -1, 2, 0.5F, 1}, {3, 2});
  EXPECT_EQ(matmul(a, b).to_floats(), (Values{0.5F, 7, 2, 16}));
  EXPECT_EQ(matmul(b.transpose(0, 1), a.transpose(0, 1)).to_floats(), (Values{0.5F, 2, 7, 16}));
  EXPECT_EQ(matmul(T::empty({2, 0}), T::empty({0, 2})).to_floats(), (Values{0, 0, 0, 0}));
  EXPECT_THROW(matmul(a, a), std::invalid_argument);
  const Values values = long_series(std::size_t{1} << 20);
  const auto length = static_cast<std::int64_t>(values.size());
  const T dot = matmul(of(values, {1, length}), T::ones({length, 1}));
  EXPECT_LT(std::abs(dot.item() - exact_sum(values)) / exact_sum(values), sum_bar);
}

TEST(Primitives, SumToUndoesABroadcast) {
  const T x = of({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(sum_to(x, {3}).to_floats(), (Values{5, 7, 9}));
  EXPECT_EQ(sum_to(x, {2, 1}).to_floats(), (Values{6, 15}));
  EXPECT_EQ(sum_to(x, {}).item(), 21.0F);
  EXPECT_EQ(sum_to(x, {2, 3}).to_floats(), x.to_floats());
}

TEST(Primitives, LeaveTheirNamesInTheLaunchLogInOrder) {
  const T x = of({1, 4}, {2});
  const auto mark = simt::launch_log().mark();
  const T y = sqrt(mul(x, x));
  y.cast(DType::bf16);
  std::vector<std::string> names;
  for (const auto& record : simt::launch_log().since(mark)) names.push_back(record.kernel);
  EXPECT_EQ(names, (std::vector<std::string>{"primitive.mul", "primitive.sqrt", "primitive.cast"}));
}

}  // namespace
}  // namespace seamgate
