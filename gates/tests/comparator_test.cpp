// The comparators can fail: every way in which a comparison has been fooled before is played here.
#include "gates/comparator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace seamgate::gates {
namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
const Bar tight(1e-6, "test");
const Bar zero(0.0, "test");
const Bar anything(std::numeric_limits<double>::infinity(), "test");

using Values = std::vector<float>;
const Values right = {1.0F, -2.0F, 3.5F, 0.25F};

Values with(std::size_t index, float value) {
  Values changed = right;
  changed[index] = value;
  return changed;
}

Values scaled(float factor) {
  Values changed = right;
  for (auto& value : changed) value *= factor;
  return changed;
}

bool parity_passes(const Values& got, const Values& want, const Bar& bar = tight) {
  const Comparison result = compare_parity(got, want, bar);
  EXPECT_EQ(result.passed, result.message.empty()) << result.message;
  return result.passed;
}

TEST(Bar, RefusesNanAndNegativeNumbers) {
  for (const double value : {std::nan(""), -1e-300, -1.0, -std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(Bar{value}, std::invalid_argument) << value;
  }
  EXPECT_NO_THROW(Bar(0.0));
  EXPECT_NO_THROW(Bar(std::numeric_limits<double>::infinity()));
}

TEST(Bar, AdmitsNoNanNotEvenWhenItIsInfinite) {
  EXPECT_FALSE(anything.admits(std::nan("")));
  EXPECT_TRUE(anything.admits(std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(tight.admits(1e-6));
  EXPECT_FALSE(tight.admits(std::nextafter(1e-6, 1.0)));
}

TEST(Parity, PassesEqualValuesInDifferentMemory) {
  EXPECT_TRUE(parity_passes(Values(right), right, zero));
}

TEST(Parity, FailsOnNan) {
  for (std::size_t i = 0; i < right.size(); ++i) {
    EXPECT_FALSE(parity_passes(with(i, nan_value), right));
    EXPECT_FALSE(parity_passes(with(i, nan_value), right, anything));
    EXPECT_FALSE(parity_passes(right, with(i, nan_value), anything)) << "NaN in want is no wildcard";
    EXPECT_FALSE(parity_passes(with(i, nan_value), Values(with(i, nan_value)), anything))
        << "NaN is not equal to NaN";
  }
}

TEST(Parity, FailsOnInfinity) {
  for (const float value : {infinity, -infinity}) {
    EXPECT_FALSE(parity_passes(with(0, value), right));
    EXPECT_FALSE(parity_passes(with(0, value), right, anything));
    EXPECT_FALSE(parity_passes(right, with(0, value), anything));
    EXPECT_FALSE(parity_passes(with(0, value), Values(with(0, value)), anything));
  }
}

TEST(Parity, FailsOnAnotherNumberOfElements) {
  EXPECT_FALSE(parity_passes({1.0F, -2.0F, 3.5F}, right, anything));
  EXPECT_FALSE(parity_passes({1.0F, -2.0F, 3.5F, 0.25F, 0.0F}, right, anything));
  EXPECT_FALSE(parity_passes({}, right, anything));
  EXPECT_FALSE(parity_passes(right, {}, anything));
}

TEST(Parity, FailsWhenNothingIsCompared) {
  EXPECT_FALSE(parity_passes({}, {}, anything));
}

TEST(Parity, FailsOnAllZeroScaledAndOneWrongElement) {
  EXPECT_FALSE(parity_passes(Values(4, 0.0F), right));
  EXPECT_FALSE(parity_passes(Values(4, 3.5F), right)) << "a constant";
  EXPECT_FALSE(parity_passes(scaled(1000.0F), right));
  EXPECT_FALSE(parity_passes(scaled(1.00001F), right));
  EXPECT_FALSE(parity_passes(with(3, 0.2501F), right));
}

TEST(Parity, FailsWhenBothSidesShareMemory) {
  EXPECT_FALSE(compare_parity(right, right, anything).passed);
  const std::span<const float> all(right);
  EXPECT_FALSE(compare_parity(all.subspan(0, 2), all.subspan(1, 2), anything).passed)
      << "an overlap is enough";
  const Values twice = {1.0F, 2.0F, 1.0F, 2.0F};
  const std::span<const float> halves(twice);
  EXPECT_TRUE(compare_parity(halves.subspan(0, 2), halves.subspan(2, 2), zero).passed)
      << "neighbours do not overlap";
}

TEST(Parity, BarZeroFailsAndInfinityPassesOnUnequalFiniteOperands) {
  EXPECT_FALSE(parity_passes(with(0, std::nextafter(1.0F, 2.0F)), right, zero));
  EXPECT_TRUE(parity_passes(with(0, 1e30F), right, anything));
  EXPECT_TRUE(parity_passes(right, Values(4, 0.0F), anything));
}

TEST(Parity, MeasuresByWantAlone) {
  // A tolerance that grew with the kernel's own output would call this 0.999.
  EXPECT_NEAR(compare_parity(scaled(1000.0F), right, tight).error, 999.0, 1e-9);
  EXPECT_NEAR(compare_parity(right, scaled(1000.0F), tight).error, 0.999, 1e-9)
      << "swapped operands are another question";
}

TEST(Parity, MeasuresByAGivenScaleInPlaceOfWants) {
  const std::vector<float> got = {1.0F, 2.0F};
  const std::vector<float> want = {1.0F, 3.0F};
  EXPECT_DOUBLE_EQ(compare_parity(got, want, Bar(1.0), 10.0).error, 0.1);
  EXPECT_TRUE(compare_parity(got, want, Bar(0.1), 10.0).passed);
  EXPECT_FALSE(compare_parity(got, want, Bar(0.1), 9.0).passed);
  for (const double scale : {0.0, std::nan("")}) EXPECT_FALSE(compare_parity(got, want, Bar(1e6), scale).passed) << scale;
}

TEST(Parity, AllZeroWantAdmitsNothingButZeros) {
  const Values zeros(4, 0.0F);
  EXPECT_TRUE(parity_passes({0.0F, -0.0F, 0.0F, -0.0F}, zeros));
  EXPECT_FALSE(parity_passes({0.0F, 1e-38F, 0.0F, 0.0F}, zeros, Bar(1e300)));
}

TEST(Parity, ReportsTheWorstElementAndHowManyFailed) {
  Values got = right;
  got[1] = -2.1F;
  got[3] = 0.3F;
  const Comparison result = compare_parity(got, right, tight);
  EXPECT_EQ(result.worst, 1);
  EXPECT_EQ(result.failing, 2);
  EXPECT_EQ(result.got, static_cast<double>(-2.1F));
  EXPECT_EQ(result.want, -2.0);
  for (const char* part : {"element 1", "got -2.0999", "want -2", "bar 1e-06", "test", "2 over the bar"}) {
    EXPECT_NE(result.message.find(part), std::string::npos) << part << " is not in: " << result.message;
  }
}

TEST(Bits, TellsZerosAndNansApart) {
  EXPECT_TRUE(compare_bits(Values(right), right).passed);
  EXPECT_TRUE(compare_bits(with(0, nan_value), Values(with(0, nan_value))).passed) << "the same payload";
  EXPECT_FALSE(compare_bits(with(0, -0.0F), Values(with(0, 0.0F))).passed);
  EXPECT_FALSE(compare_bits(with(0, -nan_value), Values(with(0, nan_value))).passed);
  EXPECT_FALSE(compare_bits(with(2, std::nextafter(3.5F, 4.0F)), right).passed);
}

TEST(Bits, FailsOnEmptyOtherSizesAndSharedMemory) {
  EXPECT_FALSE(compare_bits({}, {}).passed);
  EXPECT_FALSE(compare_bits(Values{1.0F}, Values{1.0F, 2.0F}).passed);
  EXPECT_FALSE(compare_bits(right, right).passed);
  const Comparison result = compare_bits(with(2, 4.0F), right);
  EXPECT_EQ(result.worst, 2);
  EXPECT_EQ(result.failing, 1);
}

Comparison against_truth(const Values& got, std::int64_t want_count, const std::vector<Expected>& expected,
                         const Bar& bar) {
  return compare_with_truth(
      got, want_count, [&](std::int64_t i, float) { return expected[static_cast<std::size_t>(i)]; }, bar);
}

TEST(WithTruth, FailsOnAnErrorThatIsNan) {
  const std::vector<Expected> expected = {{1.0, 0.0, true}, {1.0, std::nan(""), true}};
  EXPECT_FALSE(against_truth({1.0F, 1.0F}, 2, expected, tight).passed);
  EXPECT_FALSE(against_truth({1.0F, 1.0F}, 2, expected, anything).passed);
}

TEST(WithTruth, FailsWhereAClassDiffersWhateverTheBar) {
  EXPECT_FALSE(against_truth({1.0F}, 1, {{1.0, 0.0, false}}, anything).passed);
}

TEST(WithTruth, FailsOnAnotherNumberOfElementsAndOnNone) {
  EXPECT_FALSE(against_truth({1.0F}, 2, {{1.0, 0.0, true}}, anything).passed);
  EXPECT_FALSE(against_truth({}, 0, {}, anything).passed);
}

TEST(WithTruth, AsksForEveryElement) {
  const Values got(1000, 1.0F);
  for (const std::int64_t wrong : {0, 1, 500, 998, 999}) {
    const auto result = compare_with_truth(
        got, 1000,
        [&](std::int64_t i, float) {
          return Expected{1.0, i == wrong ? 2e-6 : 0.0, true};
        },
        tight);
    EXPECT_FALSE(result.passed) << wrong;
    EXPECT_EQ(result.worst, wrong);
    EXPECT_EQ(result.failing, 1);
  }
}

TEST(WithTruth, PassesAtTheBarAndFailsJustOverIt) {
  EXPECT_TRUE(against_truth({1.0F}, 1, {{1.0, 1e-6, true}}, tight).passed);
  EXPECT_FALSE(against_truth({1.0F}, 1, {{1.0, std::nextafter(1e-6, 1.0), true}}, tight).passed);
  EXPECT_FALSE(against_truth({1.0F}, 1, {{1.0, 1e-300, true}}, zero).passed);
  EXPECT_TRUE(against_truth({1.0F}, 1, {{1.0, 1e300, true}}, anything).passed);
}

}  // namespace
}  // namespace seamgate::gates
