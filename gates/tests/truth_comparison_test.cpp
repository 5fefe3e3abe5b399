// A tensor against float128 through `compare_tensor`, the way every numeric gate compares.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "gates/numeric.hpp"
#include "reference/truth_values.hpp"

namespace seamgate::gates {
namespace {

using reference::ElementClass;
using reference::TruthTensor;

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
const Bar anything(std::numeric_limits<double>::infinity(), "test");

TruthTensor tensor(std::vector<double> values, std::int64_t rows, std::int64_t columns,
                   std::vector<double> scales, std::vector<ElementClass> classes = {}) {
  auto exact = std::make_shared<reference::TruthValuesOf<double>>(std::move(values));
  return {
      {"y", reference::Extent::rows_by_columns}, rows, columns, exact, std::move(scales), std::move(classes)};
}

const TruthTensor two_rows = tensor({1000.0, -500.0, 0.001, 0.0005}, 2, 2, {1000.0, 0.001});

TEST(CompareTensor, PassesTheRoundedTruth) {
  EXPECT_TRUE(compare_tensor(two_rows, {1000.0F, -500.0F, 0.001F, 0.0005F}, f32_bar()).passed);
}

TEST(CompareTensor, ALargeRowHidesNothingInASmallOne) {
  // 5e-7 of the whole tensor's largest element, but all of its own row.
  const auto result = compare_tensor(two_rows, {1000.0F, -500.0F, 0.0015F, 0.0005F}, f32_bar());
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(place_of(two_rows, result.worst), "row 1, column 0");
}

TEST(CompareTensor, FailsOnNanInfinityAllZeroAndAThousandfold) {
  for (const Bar& bar : {f32_bar(), anything}) {
    EXPECT_FALSE(compare_tensor(two_rows, {1000.0F, nan_value, 0.001F, 0.0005F}, bar).passed);
    EXPECT_FALSE(compare_tensor(two_rows, {1000.0F, infinity, 0.001F, 0.0005F}, bar).passed);
  }
  EXPECT_FALSE(compare_tensor(two_rows, {0.0F, 0.0F, 0.0F, 0.0F}, f32_bar()).passed);
  EXPECT_FALSE(compare_tensor(two_rows, {1e6F, -5e5F, 1.0F, 0.5F}, f32_bar()).passed);
}

TEST(CompareTensor, FailsOnAnotherNumberOfElements) {
  EXPECT_FALSE(compare_tensor(two_rows, {1000.0F, -500.0F, 0.001F}, anything).passed);
  EXPECT_FALSE(compare_tensor(two_rows, {}, anything).passed);
}

TEST(CompareTensor, AScaleOfZeroDemandsZero) {
  const TruthTensor zeros = tensor({0.0, 0.0}, 1, 2, {0.0});
  EXPECT_TRUE(compare_tensor(zeros, {0.0F, -0.0F}, f32_bar()).passed);
  EXPECT_FALSE(compare_tensor(zeros, {0.0F, 1e-45F}, f32_bar()).passed);
  EXPECT_FALSE(compare_tensor(zeros, {nan_value, 0.0F}, anything).passed);
}

TEST(CompareTensor, ANanThatTheTruthHasIsDemandedAndNoOther) {
  const TruthTensor special =
      tensor({1.0, std::nan("")}, 1, 2, {1.0}, {ElementClass::number, ElementClass::nan});
  EXPECT_TRUE(compare_tensor(special, {1.0F, nan_value}, f32_bar()).passed);
  EXPECT_FALSE(compare_tensor(special, {1.0F, 1.0F}, anything).passed);
  EXPECT_FALSE(compare_tensor(special, {nan_value, nan_value}, anything).passed);
  EXPECT_FALSE(compare_tensor(special, {1.0F, infinity}, anything).passed);
}

}  // namespace
}  // namespace seamgate::gates
