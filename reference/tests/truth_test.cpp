// Comparing with truth: what counts as an error, and of what size.
#include "reference/truth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/truth_values.hpp"

namespace seamgate::reference {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
const float nan = std::nanf("");
using Class = ElementClass;

TruthTensor make(std::vector<Real> values, std::vector<double> scales, std::vector<Class> classes = {},
                 Extent extent = Extent::rows_by_columns) {
  const auto columns = static_cast<std::int64_t>(values.size() / scales.size());
  const auto rows = static_cast<std::int64_t>(scales.size());
  return {{"t", extent},
          rows,
          extent == Extent::columns ? rows : columns,
          std::make_shared<const TruthValuesOf<Real>>(std::move(values)),
          std::move(scales),
          std::move(classes)};
}

TEST(TruthTensor, ErrorIsTheDifferenceInQuadOverTheScaleOfTheSlice) {
  const Real third = Real(1) / Real(3);
  const TruthTensor t = make({third, Real(2), Real(100), Real(300)}, {2, 300});
  const float nearest = 1.0F / 3.0F;
  EXPECT_NEAR(t.error(0, nearest), (static_cast<double>(nearest) - 1.0 / 3.0) / 2, 1e-17);
  EXPECT_GT(t.error(0, nearest), 0);
  EXPECT_EQ(t.error(1, 2.0F), 0);
  EXPECT_EQ(t.error(1, 3.0F), 0.5);
  EXPECT_EQ(t.error(2, 103.0F), 0.01);
}

TEST(TruthTensor, DifferencesBelowADoubleAreSeen) {
  const TruthTensor t = make({Real(1) + Real(std::ldexp(1.0, -100))}, {1});
  EXPECT_EQ(t.error(0, 1.0F), std::ldexp(1.0, -100));
  EXPECT_EQ(t.hi_lo(0).hi, 1);
  EXPECT_EQ(t.hi_lo(0).lo, std::ldexp(1.0, -100));
}

TEST(TruthTensor, AColumnIsItsOwnSlice) {
  const TruthTensor t = make({Real(1), Real(10)}, {1, 10}, {}, Extent::columns);
  EXPECT_EQ(t.error(0, 2.0F), 1);
  EXPECT_EQ(t.error(1, 11.0F), 0.1);
  EXPECT_EQ(t.max_scale(), 10);
}

TEST(TruthTensor, NothingButANumberIsANumber) {
  const TruthTensor t = make({Real(1)}, {1});
  for (const float got : {nan, inf, -inf}) EXPECT_TRUE(std::isnan(t.error(0, got))) << got;
}

TEST(TruthTensor, AScaleOfZeroDemandsZero) {
  const TruthTensor t = make({Real(0)}, {0});
  EXPECT_EQ(t.error(0, 0.0F), 0);
  EXPECT_EQ(t.error(0, -0.0F), 0);
  EXPECT_EQ(t.error(0, 1e-45F), inf);
  EXPECT_TRUE(std::isnan(t.error(0, nan)));
}

TEST(TruthTensor, OtherClassesAreMatchedExactly) {
  const float candidates[] = {0.0F, 1.0F, nan, inf, -inf};
  const struct {
    Class wanted;
    std::vector<bool> right;
  } table[] = {{Class::zero, {true, false, false, false, false}},
               {Class::nan, {false, false, true, false, false}},
               {Class::plus_infinity, {false, false, false, true, false}},
               {Class::minus_infinity, {false, false, false, false, true}}};
  for (const auto& row : table) {
    const TruthTensor t = make({Real(0)}, {0}, {row.wanted});
    ASSERT_TRUE(t.has_special());
    for (std::size_t k = 0; k < 5; ++k)
      EXPECT_EQ(t.error(0, candidates[k]) <= 1e-6, row.right[k])
          << static_cast<int>(row.wanted) << " " << candidates[k];
  }
}

TEST(TruthTensor, TheWorstErrorIsANaNBeforeAnything) {
  const TruthTensor t = make({Real(1), Real(1), Real(1), Real(1)}, {1});
  const std::vector<float> finite = {1, 1.5F, 3, 1};
  EXPECT_EQ(t.worst_error(finite).error, 2);
  EXPECT_EQ(t.worst_error(finite).index, 2U);
  const std::vector<float> spoilt = {1, nan, 3, 1};
  EXPECT_TRUE(std::isnan(t.worst_error(spoilt).error));
  EXPECT_EQ(t.worst_error(spoilt).index, 1U);
}

TEST(TruthTensor, AnElementIsJudgedByTheNearestOfItsAlternatives) {
  std::vector<Alternative<Real>> alternatives = {{1, Real(6), Real(6)}, {1, Real(1), Real(2)}};
  const auto values =
      std::make_shared<const TruthValuesOf<Real>>(std::vector<Real>{3, 4, 5}, std::move(alternatives));
  for (const Role role : {Role::output, Role::gradient}) {
    const TruthTensor t({"t", Extent::rows_by_columns}, 1, 3, values, {10}, {}, role);
    EXPECT_EQ(t.value(1), 4);
    for (const float right : {1.0F, 1.5F, 2.0F, 4.0F, 6.0F}) {
      EXPECT_EQ(t.error(1, right), 0) << right;
      EXPECT_EQ(t.error(1, right, Format::bf16), 0) << right;
    }
    EXPECT_EQ(t.error(1, 3.0F), 0.1);
    EXPECT_EQ(t.error(1, 0.5F), 0.05);
    EXPECT_EQ(t.error(1, 7.0F), 0.1);
    EXPECT_EQ(t.error(0, 4.0F), 0.1);
    EXPECT_EQ(t.error(2, 6.0F), 0.1);
    const double half_unit = 0x1p-6;  // of bf16 at 7 and at 5
    const double at_7 = 1 - half_unit;
    const double at_5 = 1 - half_unit;
    EXPECT_DOUBLE_EQ(t.error(1, 7.0F, Format::bf16), at_7 / (role == Role::output ? 6 : 10));
    EXPECT_DOUBLE_EQ(t.error(1, 5.0F, Format::bf16), at_5 / (role == Role::output ? 6 : 10));
    EXPECT_EQ(t.allowed(1, Format::bf16).lo, 1);
    EXPECT_EQ(t.allowed(1, Format::bf16).hi, 6);
    EXPECT_DOUBLE_EQ(t.allowed(1, Format::f32).hi, 6 + 1e-5);
    EXPECT_DOUBLE_EQ(t.allowed(1, Format::f32).lo, 1 - 1e-5);
  }
}

TEST(TruthTensor, AWrongNumberOfElementsIsRefused) {
  const TruthTensor t = make({Real(1), Real(1)}, {1});
  const std::vector<float> one = {1};
  EXPECT_THROW(t.worst_error(one), std::invalid_argument);
  std::vector<double> out(2);
  EXPECT_THROW(t.errors(one, out), std::invalid_argument);
}

TEST(TruthTensor, TheLargestValueLeavesOutWhatIsNoNumber) {
  const TruthTensor t = make({Real(-3), Real(std::numeric_limits<double>::infinity())}, {3},
                             {Class::number, Class::plus_infinity});
  EXPECT_EQ(t.max_abs(), 3);
}

TEST(TruthValues, TheQuadIsReachedInItsOwnTypeAlone) {
  const TruthTensor t = make({Real(7)}, {1});
  EXPECT_EQ(real_at(t, 0), Real(7));
  EXPECT_THROW(real_at<long double>(t, 0), std::invalid_argument);
}

}  // namespace
}  // namespace seamgate::reference
