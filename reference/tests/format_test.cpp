// Errors in 16 bit: every pattern of a format against the rule in its own words, and the cells at the ends of
// a format.
#include "reference/format.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "reference/truth_values.hpp"

namespace seamgate::reference {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
const Format sixteen_bit[] = {Format::bf16, Format::f16};

// Decoded from the bit fields, which shares nothing with format.hpp.
float decode(std::uint16_t bits, Format format) {
  if (format == Format::bf16) return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
  const int exponent = (bits >> 10U) & 31;
  const int fraction = bits & 1023;
  float magnitude = 0;
  if (exponent == 31) {
    magnitude = fraction == 0 ? inf : std::nanf("");
  } else {
    magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                              : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

// Finite numbers in ascending order without -0, infinities at the ends: index of the nearest, ties to the
// even one, by comparing distances alone.
struct Line {
  std::vector<double> numbers;
  std::vector<bool> even;
  double top;  // from here on numbers round to infinity

  explicit Line(Format format) {
    const std::uint16_t infinity = format == Format::bf16 ? 0x7F80 : 0x7C00;
    for (int k = infinity - 1; k >= 1; --k) push(static_cast<std::uint16_t>(0x8000 | k), format);
    for (int k = 0; k < infinity; ++k) push(static_cast<std::uint16_t>(k), format);
    const std::size_t n = numbers.size();
    top = numbers[n - 1] + (numbers[n - 1] - numbers[n - 2]) / 2;
  }
  void push(std::uint16_t bits, Format format) {
    numbers.push_back(decode(bits, format));
    even.push_back((bits & 1U) == 0);
  }
  double nearest(const Real& v) const {
    if (v >= Real(top)) return inf;
    if (v <= Real(-top)) return -inf;
    if (v >= Real(numbers.back())) return numbers.back();
    if (v <= Real(numbers.front())) return numbers.front();
    std::size_t lo = 0;
    std::size_t hi = numbers.size() - 1;
    while (hi - lo > 1) {
      const std::size_t middle = (lo + hi) / 2;
      (Real(numbers[middle]) <= v ? lo : hi) = middle;
    }
    const Real below = v - Real(numbers[lo]);
    const Real above = Real(numbers[hi]) - v;
    if (below == above) return even[lo] ? numbers[lo] : numbers[hi];
    return below < above ? numbers[lo] : numbers[hi];
  }
};

TruthTensor make(const Real& value, double scale, Role role) {
  return {{"t", Extent::rows_by_columns},
          1,
          1,
          std::make_shared<const TruthValuesOf<Real>>(std::vector<Real>{value}),
          {scale},
          {},
          role};
}

// Values of all kinds: ordinary, on and near ties, powers of two, subnormal, near the overflow and beyond.
std::vector<Real> values_for(Format format) {
  const FormatLimits limits = limits_of(format);
  const Real tiny = ldexp(Real(1), limits.min_exponent - limits.digits + 1);
  const Real most = largest_number(format);
  const Real half_unit = ldexp(Real(1), -limits.digits);
  std::vector<Real> all = {Real(1) / 3,
                           sqrt(Real(2)) * 1000,
                           Real(1),
                           1 + half_unit,
                           1 + 3 * half_unit,
                           (1 + half_unit) * (1 + Real(0.9e-6)),
                           (1 + half_unit) * (1 - Real(1.1e-6)),
                           1 - half_unit / 2,
                           (1 - half_unit / 2) * (1 - Real(1.2e-6)),
                           (1 - half_unit / 2) * (1 + Real(1.2e-6)),
                           tiny,
                           tiny / 2,
                           tiny / 2 * (1 + Real(0.7e-6)),
                           tiny / 2 * (1 + Real(3e-6)),
                           tiny * Real(2.5),
                           tiny * 7 / 3,
                           tiny / 1000,
                           ldexp(Real(1), limits.min_exponent),
                           ldexp(Real(1), limits.min_exponent) - tiny / 2,
                           most,
                           most * (1 + half_unit / 3),
                           Real(Line(format).top) * (1 - Real(0.9e-6)),
                           Real(Line(format).top) * (1 - Real(1.1e-6)),
                           Real(Line(format).top),
                           most * 3};
  const std::size_t count = all.size();
  for (std::size_t k = 0; k < count; ++k) all.push_back(-all[k]);
  return all;
}

TEST(SixteenBit, EveryPatternPassesExactlyWhenItIsBetweenTheRoundedEnds) {
  for (const Format format : sixteen_bit) {
    const Line line(format);
    for (const Real& t : values_for(format)) {
      const double magnitude = static_cast<double>(abs(t));
      for (const double scale : {0.0, 2 * magnitude, 1e4 * magnitude}) {  // 0: an output
        const TruthTensor truth = make(t, scale, scale == 0 ? Role::output : Role::gradient);
        const Real d = Real(bar) * (scale == 0 ? Real(abs(t)) : Real(scale));
        const double lo = line.nearest(t - d);
        const double hi = line.nearest(t + d);
        const Interval allowed = truth.allowed(0, format);
        ASSERT_EQ(allowed.lo, lo) << to_string(format) << " " << t;
        ASSERT_EQ(allowed.hi, hi) << to_string(format) << " " << t;
        int admitted = 0;
        for (int bits = 0; bits < 65536; ++bits) {
          const float got = decode(static_cast<std::uint16_t>(bits), format);
          ASSERT_TRUE(is_representable(got, format));
          const bool want = lo <= got && got <= hi;
          const bool passes = truth.error(0, got, format) <= bar;
          ASSERT_EQ(passes, want) << to_string(format) << " t=" << t << " got=" << got << " S=" << scale;
          admitted += want ? 1 : 0;
        }
        ASSERT_GE(admitted, 1);
      }
    }
  }
}

TEST(SixteenBit, RoundingAgreesWithTheNearestNumberOnTheLine) {
  for (const Format format : sixteen_bit) {
    const Line line(format);
    for (const Real& t : values_for(format))
      EXPECT_EQ(static_cast<double>(round_to(t, format)), line.nearest(t)) << to_string(format) << " " << t;
    for (std::size_t k = 0; k + 1 < line.numbers.size(); ++k) {
      const Real tie = (Real(line.numbers[k]) + Real(line.numbers[k + 1])) / 2;
      ASSERT_EQ(static_cast<double>(round_to(tie, format)), line.numbers[line.even[k] ? k : k + 1]);
      ASSERT_EQ(round_to(Real(line.numbers[k]), format), Real(line.numbers[k]));
    }
  }
}

TEST(SixteenBit, CellsOfNeighboursMeetInTheMiddle) {
  for (const Format format : sixteen_bit) {
    const Line line(format);
    for (std::size_t k = 0; k + 1 < line.numbers.size(); ++k) {
      const double middle = (line.numbers[k] + line.numbers[k + 1]) / 2;
      ASSERT_EQ(cell_of(static_cast<float>(line.numbers[k]), format).hi, middle) << line.numbers[k];
      ASSERT_EQ(cell_of(static_cast<float>(line.numbers[k + 1]), format).lo, middle) << line.numbers[k];
    }
    EXPECT_EQ(cell_of(inf, format).lo, line.top);
    EXPECT_EQ(cell_of(static_cast<float>(line.numbers.back()), format).hi, line.top);
    EXPECT_EQ(cell_of(-inf, format).hi, -line.top);
    EXPECT_EQ(cell_of(-0.0F, format).lo, cell_of(0.0F, format).lo);
    EXPECT_EQ(cell_of(-0.0F, format).hi, cell_of(0.0F, format).hi);
  }
}

TEST(SixteenBit, RoundingIsStraightFromQuad) {
  // A hair above a tie: a double in between would fall on the tie, and from there down.
  const Real hair = ldexp(Real(1), -100);
  EXPECT_EQ(round_to(Real(1 + ldexp(Real(1), -8) + hair), Format::bf16), Real(1.0078125));
  EXPECT_EQ(round_to(Real(1 + ldexp(Real(1), -8)), Format::bf16), Real(1));
  EXPECT_EQ(round_to(Real(1 + ldexp(Real(1), -24) + hair), Format::f32), 1 + ldexp(Real(1), -23));
  const TruthTensor t = make(1 + ldexp(Real(1), -8) + hair, 1, Role::gradient);
  EXPECT_EQ(t.error(0, 1.0078125F, Format::bf16), 0);
  EXPECT_EQ(t.error(0, 1.0F, Format::bf16), std::ldexp(1.0, -100));
}

TEST(SixteenBit, AnExactZeroAdmitsBothZerosAlone) {
  for (const Role role : {Role::output, Role::gradient}) {
    const TruthTensor t = make(Real(0), 0, role);
    EXPECT_EQ(t.error(0, 0.0F, Format::f16), 0);
    EXPECT_EQ(t.error(0, -0.0F, Format::f16), 0);
    EXPECT_EQ(t.error(0, std::ldexp(1.0F, -24), Format::f16), inf);
    EXPECT_TRUE(std::isnan(t.error(0, std::nanf(""), Format::f16)));
  }
  const TruthTensor scaled = make(Real(0), 1, Role::gradient);
  EXPECT_EQ(scaled.error(0, std::ldexp(1.0F, -20), Format::f16), std::ldexp(1.0, -20) - std::ldexp(1.0, -25));
}

TEST(SixteenBit, AnOverflowIsANumberThereAndAnInfinityAnInfinity) {
  EXPECT_EQ(make(Real(70000), 70000, Role::output).error(0, inf, Format::f16), 0);
  EXPECT_GT(make(Real(70000), 70000, Role::output).error(0, 65504.0F, Format::f16), bar);
  EXPECT_GT(make(Real(65504), 65504, Role::output).error(0, inf, Format::f16), bar);
  EXPECT_GT(make(Real(70000), 70000, Role::output).error(0, -inf, Format::f16), 1);
  EXPECT_TRUE(std::isnan(make(Real(70000), 70000, Role::output).error(0, inf, Format::f32)));
}

TEST(SixteenBit, AValueThatTheFormatDoesNotHaveIsRefused) {
  const TruthTensor t = make(Real(1), 1, Role::output);
  EXPECT_THROW(t.error(0, 1.001F, Format::bf16), std::invalid_argument);
  EXPECT_THROW(t.error(0, 1.0001F, Format::f16), std::invalid_argument);
  EXPECT_THROW(t.error(0, 65536.0F, Format::f16), std::invalid_argument);
  EXPECT_FALSE(is_representable(std::ldexp(1.0F, -25), Format::f16));
  EXPECT_TRUE(is_representable(std::ldexp(1.0F, -133), Format::bf16));
}

TEST(SixteenBit, F32KeepsItsRuleAndItsAllowedIntervalIsTheBarTimesS) {
  const TruthTensor t = make(Real(3), 8, Role::output);
  EXPECT_EQ(t.error(0, 4.0F, Format::f32), 0.125);
  EXPECT_EQ(t.error(0, 4.0F), 0.125);
  EXPECT_DOUBLE_EQ(t.allowed(0, Format::f32).lo, 3 - 8e-6);
  EXPECT_DOUBLE_EQ(t.allowed(0, Format::f32).hi, 3 + 8e-6);
}

}  // namespace
}  // namespace seamgate::reference
