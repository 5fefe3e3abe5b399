// The number type of truth at size, against quad: its arithmetic, its one rounding, and the pages of ops.
#include "reference/double_double.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include "reference/at_size.hpp"
#include "reference/real.hpp"
#include "reference/rounding.hpp"

namespace seamgate::reference {
namespace {

Real real_of(DoubleDouble value) {
  return Real(value.hi) + Real(value.lo);
}

// Signed, of any size between 2^-60 and 2^60, with a lower part of 50 bits, so that quad holds the sum
// exactly.
class Numbers {
 public:
  DoubleDouble next(int most_exponent = 60) {
    const double hi =
        std::ldexp(uniform_(engine_), static_cast<int>(engine_() % (2 * most_exponent + 1)) - most_exponent);
    return with_lower_part(hi);
  }
  DoubleDouble with_lower_part(double hi) {
    return {hi, std::ldexp(std::floor(std::ldexp(uniform_(engine_), 50)), std::ilogb(hi) - 104)};
  }

 private:
  std::mt19937_64 engine_{20240501};
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

double relative(DoubleDouble got, const Real& want) {
  using std::abs;
  if (want == Real(0)) return got.hi == 0 && got.lo == 0 ? 0.0 : HUGE_VAL;
  return static_cast<double>(Real(abs(Real(real_of(got) - want)) / abs(want)));
}

// Quad has 113 bits, so that a few of its own units come on top: 2^-110.
constexpr double quad = 0x1p-110;
constexpr double u2 = 0x1p-106;

TEST(DoubleDouble, ArithmeticStaysWithinItsBounds) {
  Numbers numbers;
  double add = 0;
  double multiply = 0;
  double divide = 0;
  double root = 0;
  for (int i = 0; i < 200000; ++i) {
    const DoubleDouble a = numbers.next();
    const DoubleDouble b = numbers.next();
    add = std::max(add, relative(a + b, Real(real_of(a) + real_of(b))));
    add = std::max(add, relative(a - b, Real(real_of(a) - real_of(b))));
    multiply = std::max(multiply, relative(a * b, Real(real_of(a) * real_of(b))));
    divide = std::max(divide, relative(a / b, Real(real_of(a) / real_of(b))));
    using std::sqrt;
    root = std::max(root, relative(sqrt(abs(a)), Real(sqrt(real_of(abs(a))))));
  }
  EXPECT_LE(add, 3 * u2 + quad);
  EXPECT_LE(multiply, 5 * u2 + quad);
  EXPECT_LE(divide, 10 * u2 + quad);
  EXPECT_LE(root, 4 * u2 + quad);
  EXPECT_GT(add, 0.0);
  EXPECT_GT(multiply, 0.25 * u2);
}

// With the sum of the low parts left out, as in a plainer algorithm, this loses half of the digits.
TEST(DoubleDouble, ASumThatCancelsKeepsItsDigits) {
  Numbers numbers;
  for (int i = 0; i < 20000; ++i) {
    const DoubleDouble a = numbers.next();
    const DoubleDouble b = numbers.with_lower_part(-a.hi);
    EXPECT_LE(relative(a + b, Real(real_of(a) + real_of(b))), 3 * u2 + quad);
  }
}

TEST(DoubleDouble, ExponentialHasNinetyNineBits) {
  Numbers numbers;
  double worst = 0;
  using std::exp;
  for (int i = 0; i < 60000; ++i) {
    DoubleDouble a = numbers.next(9);
    if (std::abs(a.hi) > 600) continue;
    if (i % 2 == 0) a.lo = 0;
    worst = std::max(worst, relative(exp(a), Real(exp(real_of(a)))));
  }
  EXPECT_LE(worst, 0x1p-99);
  EXPECT_EQ(exp(DoubleDouble(0.0)).hi, 1.0);
  EXPECT_EQ(exp(DoubleDouble(0.0)).lo, 0.0);
}

TEST(DoubleDouble, OrdinaryNumbersComeThroughExactly) {
  EXPECT_EQ((DoubleDouble(3.0) * DoubleDouble(7.0)).hi, 21.0);
  EXPECT_EQ((DoubleDouble(1.0) / DoubleDouble(4.0)).hi, 0.25);
  EXPECT_EQ(sqrt(DoubleDouble(0.0)).hi, 0.0);
  EXPECT_EQ(sqrt(DoubleDouble(9.0)).hi, 3.0);
  EXPECT_EQ((DoubleDouble(1.0) + DoubleDouble(0x1p-100)).lo, 0x1p-100);
}

template <Format format>
void expect_one_rounding(DoubleDouble value) {
  const double want = static_cast<double>(round_to(real_of(value), format));
  const DoubleDouble got = StoredAs<format>{}.stored(value);
  EXPECT_EQ(got.hi, want) << to_string(format) << " of " << value.hi << " + " << value.lo;
}

TEST(DoubleDouble, RoundsToAFormatOnceAndToEven) {
  Numbers numbers;
  for (int i = 0; i < 20000; ++i) {
    expect_one_rounding<Format::f32>(numbers.next(30));
    expect_one_rounding<Format::bf16>(numbers.next(30));
    expect_one_rounding<Format::f16>(numbers.next(24));
  }
}

// A tie of the upper part, which the lower part decides: rounding by way of the upper part alone, or of f32,
// goes the other way.
template <Format format>
void expect_ties_are_decided() {
  const FormatLimits limits = limits_of(format);
  std::mt19937_64 engine(7);
  for (int i = 0; i < 4000; ++i) {
    const int exponent =
        limits.min_exponent - limits.digits +
        static_cast<int>(engine() %
                         static_cast<unsigned>(limits.max_exponent - limits.min_exponent + limits.digits));
    const double unit = power_of_two(std::max(exponent, limits.min_exponent) - limits.digits + 1);
    const double sign = engine() % 2 == 0 ? 1.0 : -1.0;
    const auto multiple =
        static_cast<double>(engine() % (std::uint64_t{1} << static_cast<unsigned>(limits.digits)));
    const double tie = sign * (multiple + 0.5) * unit;
    for (const double rest : {0.0, 0x1p-60 * unit, -0x1p-60 * unit}) expect_one_rounding<format>({tie, rest});
    const double number = sign * (multiple + 1) * unit;
    for (const double rest : {0.0, 0x1p-60 * unit, -0x1p-60 * unit})
      expect_one_rounding<format>({number, rest});
  }
  const double over = largest_number(format) + power_of_two(limits.max_exponent - limits.digits);
  for (const double rest : {0.0, 0x1p-60 * over, -0x1p-60 * over}) {
    expect_one_rounding<format>({over, rest});
    expect_one_rounding<format>({-over, -rest});
  }
}

TEST(DoubleDouble, TheLowerPartDecidesATie) {
  expect_ties_are_decided<Format::f32>();
  expect_ties_are_decided<Format::bf16>();
  expect_ties_are_decided<Format::f16>();
}

}  // namespace
}  // namespace seamgate::reference
