// The numbers of cases: the published vectors of the generator, the shape of the map, and that inputs have
// teeth.
#include "gates/inputs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "gates/ops/op_traits.hpp"

namespace seamgate::gates {
namespace {

using kernels::Extent;
using Block = std::array<std::uint32_t, 4>;

Case case_of(std::int64_t rows, std::int64_t columns, const std::string& distribution,
             std::uint64_t seed = 7) {
  Case c;
  c.op = "any";
  c.variant = "any";
  c.dtypes = {DType::f32};
  c.shape = {rows, columns};
  c.distribution = distribution;
  c.seed = seed;
  c.eps = 1e-6F;
  return c;
}

std::vector<float> rows_of(const Case& c, DType dtype = DType::f32) {
  return make_values(c, "first", Extent::rows_by_columns, dtype, true);
}

double mean_of(const std::vector<float>& values, double (*f)(double)) {
  double sum = 0.0;
  for (const float value : values) sum += f(value);
  return sum / static_cast<double>(values.size());
}

double mean_square(const std::vector<float>& values) {
  return mean_of(values, [](double v) { return v * v; });
}

// Random123's kat_vectors, philox4x32 with 10 rounds.
TEST(Philox, AnswersThePublishedVectors) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Values, AreBellShapedWithMeanZeroAndDeviationOne) {
  const auto values = rows_of(case_of(1000, 400, "normal"));
  const double count = static_cast<double>(values.size());
  EXPECT_NEAR(mean_of(values, [](double v) { return v; }), 0.0, 5.0 / std::sqrt(count));
  // Of 400,000 the sample deviation is within 0.1 % of 1.
  EXPECT_NEAR(std::sqrt(mean_square(values)), 1.0, 4.0 / std::sqrt(2.0 * count));
  // Four uniform terms: excess kurtosis -0.3.
  EXPECT_NEAR(mean_of(values, [](double v) { return v * v * v * v; }), 2.7, 0.03);
  EXPECT_NEAR(mean_of(values, [](double v) { return v * v * v; }), 0.0, 0.03);
  const auto largest = *std::max_element(values.begin(), values.end(),
                                         [](float a, float b) { return std::abs(a) < std::abs(b); });
  EXPECT_LT(std::abs(largest), 3.4643F);
  EXPECT_GT(std::abs(largest), 3.0F);
}

TEST(Values, AreAlwaysTheSameBits) {
  // A changed map would make every old replay line another case.
  const auto values = make_values(case_of(2, 2, "normal", 1), "x", Extent::rows_by_columns, DType::f32, true);
  EXPECT_EQ(values, make_values(case_of(2, 2, "normal", 1), "x", Extent::rows_by_columns, DType::f32, true));
  const std::vector<float> known = {0x1.106806p+0F, -0x1.9609dcp+0F, 0x1.0c4934p+0F, -0x1.41ff2p+1F};
  EXPECT_EQ(values, known);
}

TEST(Values, AreNeverConstantAndHaveBothSigns) {
  for (const auto& distribution : distributions()) {
    for (const DType dtype : {DType::f32, DType::bf16, DType::f16}) {
      const auto values = rows_of(case_of(9, 64, distribution), dtype);
      std::set<float> distinct(values.begin(), values.end());
      EXPECT_GE(distinct.size(), 10U) << distribution << " " << to_string(dtype);
      EXPECT_LT(*distinct.begin(), 0.0F) << distribution;
      EXPECT_GT(*distinct.rbegin(), 0.0F) << distribution;
      for (const float value : values)
        ASSERT_TRUE(std::isfinite(value)) << distribution << " " << to_string(dtype);
    }
  }
}

TEST(Values, KeepARowWhenRowsAreAdded) {
  for (const auto& distribution : distributions()) {
    const auto few = rows_of(case_of(4, 33, distribution));
    const auto many = rows_of(case_of(50, 33, distribution));
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin())) << distribution;
  }
}

TEST(Values, DifferBetweenRowsSeedsAndStreams) {
  const Case c = case_of(2, 100, "normal");
  const auto values = rows_of(c);
  EXPECT_FALSE(std::equal(values.begin(), values.begin() + 100, values.begin() + 100)) << "two rows";
  EXPECT_NE(values, rows_of(case_of(2, 100, "normal", 8)));
  EXPECT_NE(values, rows_of(case_of(2, 100, "normal", 7 + (1ULL << 32))))
      << "the upper half of the seed counts";
  EXPECT_NE(values, make_values(c, "second", Extent::rows_by_columns, DType::f32, true));
}

TEST(Values, OfPerColumnTensorsAndUpstreamAreNormalWhateverTheDistribution) {
  for (const std::string distribution : {"eps-dominated", "tiny", "huge", "mixed", "outlier", "zero-rows"}) {
    const Case c = case_of(30, 40, distribution);
    EXPECT_EQ(make_values(c, "w", Extent::columns, DType::f32, true),
              make_values(case_of(30, 40, "normal"), "w", Extent::columns, DType::f32, true))
        << distribution;
    EXPECT_EQ(make_values(c, "gy", Extent::rows_by_columns, DType::f32, false),
              make_values(case_of(30, 40, "normal"), "gy", Extent::rows_by_columns, DType::f32, false))
        << distribution;
    EXPECT_EQ(make_values(c, "w", Extent::columns, DType::f32, true).size(), 40U);
  }
}

TEST(Values, EpsDominatedRowsHaveAMeanSquareWellBelowEps) {
  for (const float eps : {1e-6F, 1e-5F, 1e-12F}) {
    Case c = case_of(8, 4096, "eps-dominated");
    c.eps = eps;
    const double ratio = mean_square(rows_of(c)) / static_cast<double>(eps);
    EXPECT_LT(ratio, 0.25) << eps;
    EXPECT_GT(ratio, 1e-4) << eps << ": a row of zeros would say nothing of the rest";
  }
}

TEST(Values, TinyHugeMixedAndOutlierHaveTheirScales) {
  EXPECT_NEAR(std::sqrt(mean_square(rows_of(case_of(50, 400, "tiny")))), 1e-4, 2e-6);
  EXPECT_NEAR(std::sqrt(mean_square(rows_of(case_of(50, 400, "huge")))), 1e4, 2e2);
  const auto mixed = rows_of(case_of(10, 400, "mixed"));
  const double scales[] = {1e-4, 1e-2, 1.0, 1e2, 1e4};
  for (std::size_t row = 0; row < 10; ++row) {
    const std::vector<float> values(mixed.begin() + static_cast<std::ptrdiff_t>(row * 400),
                                    mixed.begin() + static_cast<std::ptrdiff_t>((row + 1) * 400));
    EXPECT_NEAR(std::sqrt(mean_square(values)) / scales[row % 5], 1.0, 0.2) << row;
  }
  const auto outlier = rows_of(case_of(1, 300, "outlier"));
  EXPECT_GT(std::abs(outlier[100]), 10.0F);
  EXPECT_EQ(std::count_if(outlier.begin(), outlier.end(), [](float v) { return std::abs(v) > 4.0F; }), 1);
}

TEST(Values, EveryThirdRowOfZeroRowsIsZeroAndNoOther) {
  const auto values = rows_of(case_of(7, 16, "zero-rows"));
  for (std::size_t row = 0; row < 7; ++row) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * 16);
    EXPECT_EQ(std::all_of(begin, begin + 16, [](float v) { return v == 0.0F; }), row % 3 == 0) << row;
  }
}

TEST(Values, OfExactAreSmallIntegersOverFour) {
  for (const float value : rows_of(case_of(9, 64, "exact"))) {
    EXPECT_EQ(value * 4.0F, std::round(value * 4.0F));
    EXPECT_LE(std::abs(value), 1.75F);
  }
}

// An op with points, for the distribution that asks for them.
const std::vector<float> some_points = {-100.0F, 0.0F, 1.0F, 33.0F};
const RegisterOp pointed({.name = "pointed", .points = some_points});

TEST(Values, OfPointsAreNearOnePointARowAndEveryFourthIsNormal) {
  Case c = case_of(8, 64, "points");
  c.op = "pointed";
  const auto values = rows_of(c);
  const auto normal = rows_of(case_of(8, 64, "normal"));
  std::set<float> seen;
  std::size_t exact = 0;
  for (std::size_t row = 0; row < 8; ++row) {
    const auto nearest = [&](float v) {
      return *std::min_element(some_points.begin(), some_points.end(),
                               [&](float a, float b) { return std::abs(a - v) < std::abs(b - v); });
    };
    const float point = nearest(values[row * 64]);
    seen.insert(point);
    for (std::size_t column = 0; column < 64; ++column) {
      const float value = values[row * 64 + column];
      if (column % 4 == 3) {
        EXPECT_EQ(value, normal[row * 64 + column]);
        continue;
      }
      EXPECT_NEAR(value, point, 0.22) << row << ", " << column;
      exact += std::abs(value - point) < 1e-5F ? 1U : 0U;
    }
  }
  EXPECT_EQ(seen.size(), some_points.size()) << "rows step through the points";
  EXPECT_GT(exact, 20U) << "some are within a few last bits";
  const auto third = make_values(c, "third", Extent::rows_by_columns, DType::f32, true);
  EXPECT_GT(std::abs(third[0] - values[0]), 0.5F) << "where a row starts among the points depends on the input";
  EXPECT_EQ(make_values(c, "gy", Extent::rows_by_columns, DType::f32, false),
            make_values(case_of(8, 64, "normal"), "gy", Extent::rows_by_columns, DType::f32, false));
}

TEST(Values, AreExactInTheirDtype) {
  for (const auto& distribution : distributions()) {
    for (const float value : rows_of(case_of(5, 64, distribution), DType::bf16)) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      ASSERT_EQ(bits & 0xffffU, 0U) << distribution;
    }
  }
}

}  // namespace
}  // namespace seamgate::gates
