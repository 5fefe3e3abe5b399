// RMSNorm's truth where real numbers end: NaN, infinities, overflow, empty shapes; and what it refuses.
#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <limits>

#include "reference/tests/rmsnorm_case.hpp"
#include "reference/truth_values.hpp"

namespace seamgate::reference {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
const float nan = std::nanf("");
using Class = ElementClass;

std::size_t at(const RmsNormCase& c, std::int64_t m, std::int64_t n) {
  return static_cast<std::size_t>(m * c.columns + n);
}

// Rows other than `special` are as in the untouched case, bit for bit.
void expect_other_rows_unchanged(const RmsNormCase& changed, const RmsNormCase& original,
                                 std::int64_t special) {
  const Truth a = changed.truth();
  const Truth b = original.truth();
  for (std::int64_t m = 0; m < changed.rows; ++m) {
    for (std::int64_t n = 0; n < changed.columns && m != special; ++n) {
      const std::size_t i = at(changed, m, n);
      ASSERT_EQ(real_at(a.outputs[0], i), real_at(b.outputs[0], i));
      ASSERT_EQ(real_at(a.gradients[0], i), real_at(b.gradients[0], i));
      ASSERT_EQ(a.outputs[0].element_class(i), Class::number);
      ASSERT_EQ(a.gradients[0].element_class(i), Class::number);
    }
  }
}

TEST(RmsNormSpecials, ANaNInXSpoilsItsRowAndEveryColumnOfDw) {
  const RmsNormCase original(3, 5);
  RmsNormCase c = original;
  c.x_at(1, 2) = nan;
  const Truth truth = c.truth();
  for (std::int64_t n = 0; n < c.columns; ++n) {
    EXPECT_EQ(truth.outputs[0].element_class(at(c, 1, n)), Class::nan);
    EXPECT_EQ(truth.gradients[0].element_class(at(c, 1, n)), Class::nan);
    EXPECT_EQ(truth.gradients[1].element_class(static_cast<std::size_t>(n)), Class::nan);
  }
  expect_other_rows_unchanged(c, original, 1);
}

TEST(RmsNormSpecials, AnInfinityInXZeroesItsRowButForItsOwnColumn) {
  const RmsNormCase original(3, 5);
  RmsNormCase c = original;
  c.x_at(1, 2) = -inf;
  const Truth truth = c.truth();
  for (std::int64_t n = 0; n < c.columns; ++n) {
    EXPECT_EQ(truth.outputs[0].element_class(at(c, 1, n)), n == 2 ? Class::nan : Class::zero);
    EXPECT_EQ(truth.gradients[0].element_class(at(c, 1, n)), Class::nan);
    EXPECT_EQ(truth.gradients[1].element_class(static_cast<std::size_t>(n)),
              n == 2 ? Class::nan : Class::number);
  }
  expect_other_rows_unchanged(c, original, 1);
}

TEST(RmsNormSpecials, ARowWhoseSquaresOverflowF32IsZeroAndAddsNothingToDw) {
  const RmsNormCase original(3, 5);
  RmsNormCase c = original;
  c.x_at(1, 2) = 3e19F;
  const Truth truth = c.truth();
  RmsNormCase without = original;
  for (std::int64_t n = 0; n < c.columns; ++n) without.x_at(1, n) = 0;
  const Truth zero_row = without.truth();
  for (std::int64_t n = 0; n < c.columns; ++n) {
    EXPECT_EQ(truth.outputs[0].element_class(at(c, 1, n)), Class::zero);
    EXPECT_EQ(truth.gradients[0].element_class(at(c, 1, n)), Class::zero);
    EXPECT_EQ(real_at(truth.gradients[1], static_cast<std::size_t>(n)),
              real_at(zero_row.gradients[1], static_cast<std::size_t>(n)));
    EXPECT_EQ(truth.gradients[1].element_class(static_cast<std::size_t>(n)), Class::number);
  }
  expect_other_rows_unchanged(c, original, 1);
}

TEST(RmsNormSpecials, LargeSquaresBelowTheOverflowAreOrdinary) {
  RmsNormCase c(1, 4);
  c.x = {1.8e19F, 1e15F, -1e15F, 0};
  const Truth truth = c.truth();
  EXPECT_FALSE(truth.outputs[0].has_special());
  EXPECT_NEAR(truth.outputs[0].value(0), 2.0 * c.w[0], 1e-7);
}

TEST(RmsNormSpecials, NoTruthIsDefinedWhereRoundingDecidesOnTheOverflow) {
  RmsNormCase c(1, 2);
  c.x = {std::sqrt(FLT_MAX), 0};
  EXPECT_THROW(c.truth(), std::domain_error);
  c.x = {1e-30F, 0};
  c.eps = 0;
  EXPECT_THROW(c.truth(), std::domain_error);
}

TEST(RmsNormSpecials, AZeroRowIsExactlyZeroAndItsGradientIsNot) {
  RmsNormCase c(2, 4);
  for (std::int64_t n = 0; n < c.columns; ++n) c.x_at(0, n) = 0;
  const Truth truth = c.truth();
  for (std::int64_t n = 0; n < c.columns; ++n) {
    EXPECT_EQ(truth.outputs[0].value(at(c, 0, n)), 0);
    EXPECT_EQ(truth.outputs[0].scale(at(c, 0, n)), 0);
    EXPECT_EQ(truth.outputs[0].error(at(c, 0, n), -0.0F), 0);
    EXPECT_EQ(truth.outputs[0].error(at(c, 0, n), 1e-45F), std::numeric_limits<double>::infinity());
    const double g = static_cast<double>(c.gy[at(c, 0, n)]) * c.w[static_cast<std::size_t>(n)];
    EXPECT_NEAR(truth.gradients[0].value(at(c, 0, n)) / (1e3 * g), 1, 1e-7);
  }
  c.eps = 0;
  EXPECT_EQ(c.truth().outputs[0].element_class(0), Class::nan);
  EXPECT_EQ(c.truth().gradients[1].element_class(0), Class::nan);
}

TEST(RmsNormSpecials, ANaNInWSpoilsItsColumnOfYAndAllOfDx) {
  RmsNormCase c(2, 3);
  c.w[1] = nan;
  const Truth truth = c.truth();
  for (std::int64_t m = 0; m < c.rows; ++m) {
    for (std::int64_t n = 0; n < c.columns; ++n) {
      EXPECT_EQ(truth.outputs[0].element_class(at(c, m, n)), n == 1 ? Class::nan : Class::number);
      EXPECT_EQ(truth.gradients[0].element_class(at(c, m, n)), Class::nan);
    }
    EXPECT_GT(truth.outputs[0].scale(at(c, m, 0)), 0);
  }
  EXPECT_FALSE(truth.gradients[1].has_special());
}

TEST(RmsNormSpecials, InfiniteUpstreamsInOneColumnAddAsIeeeSays) {
  RmsNormCase c(2, 3);
  c.x_at(0, 1) = 0.5F;
  c.x_at(1, 1) = 0.5F;
  c.gy_at(0, 1) = inf;
  EXPECT_EQ(c.truth().gradients[1].element_class(1), Class::plus_infinity);
  EXPECT_EQ(c.truth().gradients[1].element_class(0), Class::number);
  EXPECT_FALSE(c.truth().outputs[0].has_special());
  c.gy_at(1, 1) = inf;
  EXPECT_EQ(c.truth().gradients[1].element_class(1), Class::plus_infinity);
  c.gy_at(1, 1) = -inf;
  EXPECT_EQ(c.truth().gradients[1].element_class(1), Class::nan);
  c.gy_at(0, 1) = 1;
  EXPECT_EQ(c.truth().gradients[1].element_class(1), Class::minus_infinity);
}

TEST(RmsNormShapes, NoRowsGivePlusZeroForDw) {
  const RmsNormCase c(0, 3);
  const Truth truth = c.truth();
  EXPECT_EQ(truth.outputs[0].size(), 0U);
  EXPECT_EQ(truth.gradients[0].size(), 0U);
  ASSERT_EQ(truth.gradients[1].size(), 3U);
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(truth.gradients[1].value(n), 0);
    EXPECT_FALSE(std::signbit(truth.gradients[1].value(n)));
    EXPECT_EQ(truth.gradients[1].scale(n), 0);
  }
}

TEST(RmsNormShapes, NoColumnsGiveNothing) {
  const RmsNormCase c(4, 0);
  const Truth truth = c.truth();
  EXPECT_EQ(truth.outputs[0].size() + truth.gradients[0].size() + truth.gradients[1].size(), 0U);
  EXPECT_EQ(truth.outputs[0].max_abs(), 0);
}

TEST(RmsNormShapes, RowStridesAreFollowedInAnyDirection) {
  const RmsNormCase c(3, 4);
  std::vector<float> reversed(3 * 6, nan);
  for (std::int64_t m = 0; m < 3; ++m) {
    for (std::int64_t n = 0; n < 4; ++n)
      reversed[static_cast<std::size_t>((2 - m) * 6 + n)] = c.x[at(c, m, n)];
  }
  TruthRequest request = c.request();
  request.inputs[0] = {reversed.data() + 12, -6};
  const Truth strided = find_definition("rmsnorm").evaluate(request);
  const Truth plain = c.truth();
  for (std::size_t i = 0; i < 12; ++i)
    ASSERT_EQ(real_at(strided.gradients[0], i), real_at(plain.gradients[0], i));
}

TEST(RmsNormShapes, TheNumberOfThreadsDoesNotChangeABit) {
  const RmsNormCase c(301, 13);
  const Truth one = c.truth();
  for (const int threads : {2, 3, 7, 0}) {
    TruthRequest request = c.request();
    request.threads = threads;
    const Truth many = find_definition("rmsnorm").evaluate(request);
    for (std::size_t g = 0; g < 2; ++g) {
      for (std::size_t i = 0; i < one.gradients[g].size(); ++i) {
        ASSERT_EQ(real_at(one.gradients[g], i), real_at(many.gradients[g], i)) << threads << " threads";
        ASSERT_EQ(one.gradients[g].scale(i), many.gradients[g].scale(i)) << threads << " threads";
      }
    }
  }
}

TEST(RmsNormShapes, AnUpstreamWithoutDataIsZero) {
  const RmsNormCase c(2, 3);
  TruthRequest request = c.request();
  request.upstream[0].data = nullptr;
  const Truth truth = find_definition("rmsnorm").evaluate(request);
  EXPECT_GT(truth.outputs[0].max_abs(), 0);
  EXPECT_EQ(truth.gradients[0].max_abs() + truth.gradients[1].max_abs(), 0);
}

std::string refusal(const TruthRequest& request) {
  try {
    find_definition("rmsnorm").evaluate(request);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(RmsNormRequests, BadOnesAreRefusedInOneLine) {
  const RmsNormCase c(2, 3);
  EXPECT_EQ(refusal(c.request("gamma")),
            "rmsnorm: no variant 'gamma'; there are: torch, seed, llama, t5, gemma, burn");
  TruthRequest request = c.request();
  request.attributes.eps = -1e-6F;
  EXPECT_NE(refusal(request).find("it must be finite and not negative"), std::string::npos);
  request.attributes.eps = nan;
  EXPECT_NE(refusal(request).find("eps is nan"), std::string::npos);
  request = c.request();
  request.inputs.pop_back();
  EXPECT_EQ(refusal(request), "rmsnorm: takes 2 inputs, got 1");
  request = c.request();
  request.upstream.clear();
  EXPECT_EQ(refusal(request), "rmsnorm: takes 1 upstream gradients, got 0");
  request = c.request();
  request.inputs[1].data = nullptr;
  EXPECT_EQ(refusal(request), "rmsnorm: input w has no data");
  request = c.request();
  request.rows = -1;
  EXPECT_EQ(refusal(request), "rmsnorm: shape -1x3 has a negative extent");
}

TEST(RmsNormRequests, AFailureInOneRowIsReportedFromAnyThread) {
  RmsNormCase c(200, 2);
  c.x_at(150, 0) = std::sqrt(FLT_MAX);
  c.x_at(150, 1) = 0;
  TruthRequest request = c.request();
  request.threads = 4;
  EXPECT_THROW(find_definition("rmsnorm").evaluate(request), std::domain_error);
}

}  // namespace
}  // namespace seamgate::reference
