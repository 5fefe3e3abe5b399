// Sums of truths: values in float128, scales that add, classes as IEEE addition has them.
#include "gates/composite_truth.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "reference/truth_values.hpp"

namespace seamgate::gates {
namespace {

using reference::ElementClass;
using reference::Extent;
using reference::Real;
using reference::TruthTensor;

TruthTensor tensor(Extent extent, std::vector<Real> values, std::int64_t rows, std::int64_t columns,
                   std::vector<double> scales, std::vector<ElementClass> classes = {}) {
  auto exact = std::make_shared<reference::TruthValuesOf<Real>>(std::move(values));
  return {{"dx", extent}, rows, columns, exact, std::move(scales), std::move(classes)};
}

TEST(SumOfTruths, AddsValuesBeyondDoublePrecisionAndScales) {
  const Real tiny = Real(1) / Real(1ULL << 60);
  const auto a = tensor(Extent::rows_by_columns, {1, 2, 3, 4}, 2, 2, {10, 20});
  const auto b = tensor(Extent::rows_by_columns, {tiny, -2, 5, 0}, 2, 2, {1, 2});
  const auto sum = sum_of(a, b);
  EXPECT_EQ(reference::real_at(sum, 0), Real(1) + tiny);
  EXPECT_EQ(sum.hi_lo(0).lo, static_cast<double>(tiny));
  EXPECT_EQ(sum.value(1), 0);
  EXPECT_EQ(sum.value(2), 8);
  EXPECT_EQ(sum.scale(1), 11);
  EXPECT_EQ(sum.scale(2), 22);
  EXPECT_EQ(sum.name(), "dx");
  EXPECT_FALSE(sum.has_special());
}

TEST(SumOfTruths, TakesTheScaleOfPlainValuesFromTheSliceTheyStandIn) {
  const std::vector<float> past = {1, -7, 0.5F, 0.25F};
  const auto rows = sum_of(tensor(Extent::rows_by_columns, {1, 2, 3, 4}, 2, 2, {10, 20}), past);
  EXPECT_EQ(rows.value(1), -5);
  EXPECT_EQ(rows.scale(0), 17);
  EXPECT_EQ(rows.scale(3), 20.5);
  const auto columns = sum_of(tensor(Extent::columns, {1, 2, 3, 4}, 9, 4, {1, 1, 1, 1}), past);
  EXPECT_EQ(columns.scale(1), 8);
  EXPECT_EQ(columns.scale(3), 1.25);
}

TEST(SumOfTruths, HasTheClassesOfIeeeAddition) {
  constexpr auto number = ElementClass::number;
  constexpr auto zero = ElementClass::zero;
  constexpr auto nan = ElementClass::nan;
  constexpr auto plus = ElementClass::plus_infinity;
  constexpr auto minus = ElementClass::minus_infinity;
  const std::vector<ElementClass> left = {number, zero, zero, plus, plus, minus, nan, number};
  const std::vector<ElementClass> right = {number, zero, number, minus, number, minus, plus, nan};
  const std::vector<ElementClass> want = {number, zero, number, nan, plus, minus, nan, nan};
  const std::vector<Real> twos(left.size(), 2);
  const auto sum = sum_of(tensor(Extent::rows_by_columns, twos, 1, 8, {1}, left),
                          tensor(Extent::rows_by_columns, twos, 1, 8, {1}, right));
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_EQ(sum.element_class(i), want[i]) << i;
  EXPECT_EQ(sum.value(0), 4);
  EXPECT_EQ(sum.value(2), 2) << "a zero adds nothing";
}

TEST(SumOfTruths, KeepsWhatEitherTermMayBeBesides) {
  const auto with = [](std::vector<Real> values, std::vector<reference::Alternative<Real>> alternatives) {
    auto exact = std::make_shared<reference::TruthValuesOf<Real>>(std::move(values), std::move(alternatives));
    return TruthTensor({"dx", Extent::rows_by_columns}, 1, 3, exact, {4}, {});
  };
  const auto a = with({1, 2, 3}, {{1, 1.5, 1.75}, {1, 2.25, 2.5}});
  const auto b = with({10, 20, 30}, {{1, 21, 22}, {2, 29, 29}});
  const auto sum = sum_of(a, b);
  EXPECT_EQ(sum.error(0, 11.5F), 0.5 / 8) << "nothing else may be there";
  EXPECT_EQ(sum.error(1, 21.5F), 0) << "the least of the first";
  EXPECT_EQ(sum.error(1, 24.5F), 0) << "the largest of both";
  EXPECT_EQ(sum.error(1, 25.0F), 0.5 / 8);
  EXPECT_EQ(sum.error(2, 32.0F), 0);
  EXPECT_EQ(sum.error(2, 31.0F), 1.0 / 8);
  EXPECT_EQ(sum_of(a, std::vector<float>{0, 1, 0}).error(1, 2.5F), 0);
}

TEST(SumOfTruths, RefusesAnotherNumberOfElements) {
  const auto a = tensor(Extent::rows_by_columns, {1, 2}, 1, 2, {1});
  EXPECT_THROW((void)sum_of(a, std::vector<float>{1}), std::invalid_argument);
  EXPECT_THROW((void)sum_of(a, tensor(Extent::rows_by_columns, {1}, 1, 1, {1})), std::invalid_argument);
}

}  // namespace
}  // namespace seamgate::gates
