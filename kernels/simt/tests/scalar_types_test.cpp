// bf16 and f16 conversions on every 16-bit pattern and around every boundary of f32.
#include "kernels/simt/scalar_types.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace seamgate::simt {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// The value by definition, from the fields, in double.
double value_of(std::uint16_t bits, int fraction_bits) {
  const int exponent_bits = 15 - fraction_bits;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == (1 << exponent_bits) - 1) return fraction != 0 ? std::nan("") : sign * infinity;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

// Nearest by search over both neighbours, ties to the even pattern; the definition, not the algorithm.
template <class T>
std::uint16_t nearest(float value, int fraction_bits, std::uint16_t infinity_bits) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(static_cast<double>(value));
  std::uint16_t low = 0;
  std::uint16_t high = infinity_bits;  // first pattern above every finite one
  while (high - low > 1) {
    const auto middle = static_cast<std::uint16_t>((low + high) / 2);
    (value_of(middle, fraction_bits) <= magnitude ? low : high) = middle;
  }
  // Infinity stands where the next finite value would be.
  const double below = value_of(low, fraction_bits);
  const double above = high == infinity_bits
                           ? 2 * below - value_of(static_cast<std::uint16_t>(low - 1), fraction_bits)
                           : value_of(high, fraction_bits);
  const double to_low = magnitude - below;
  const double to_high = above - magnitude;
  const bool up = to_high < to_low || (to_high == to_low && (high & 1) == 0);
  return sign | (up ? high : low);
}

template <class T>
void expect_round_trip(int fraction_bits) {
  for (int pattern = 0; pattern < 65536; ++pattern) {
    const T given{static_cast<std::uint16_t>(pattern)};
    const float value = to_float(given);
    const double expected = value_of(given.bits, fraction_bits);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << pattern;
      ASSERT_TRUE(std::isnan(to_float(from_float<T>(value)))) << pattern;
      ASSERT_EQ(from_float<T>(value).bits & 0x8000, pattern & 0x8000) << pattern;
    } else {
      ASSERT_EQ(static_cast<double>(value), expected) << pattern;
      ASSERT_EQ(std::signbit(value), std::signbit(expected)) << pattern;
      ASSERT_EQ(from_float<T>(value).bits, given.bits) << pattern;
    }
  }
}

// At, just below and just above every value and every midpoint between neighbours.
template <class T>
void expect_nearest_even(int fraction_bits, std::uint16_t infinity_bits) {
  for (int pattern = 0; pattern < infinity_bits; ++pattern) {
    const double here = value_of(static_cast<std::uint16_t>(pattern), fraction_bits);
    const double step = pattern + 1 < infinity_bits
                            ? value_of(static_cast<std::uint16_t>(pattern + 1), fraction_bits) - here
                            : here - value_of(static_cast<std::uint16_t>(pattern - 1), fraction_bits);
    for (const double target : {here, here + step / 2}) {
      const auto middle = static_cast<float>(target);
      for (const float value : {std::nextafter(middle, 0.0F), middle, std::nextafter(middle, infinity)}) {
        if (std::isinf(value)) continue;
        ASSERT_EQ(from_float<T>(value).bits, nearest<T>(value, fraction_bits, infinity_bits)) << value;
        ASSERT_EQ(from_float<T>(-value).bits, nearest<T>(-value, fraction_bits, infinity_bits)) << -value;
      }
    }
  }
}

TEST(ScalarTypes, Bf16RoundTripsOnAllPatterns) {
  expect_round_trip<bf16>(7);
}
TEST(ScalarTypes, F16RoundTripsOnAllPatterns) {
  expect_round_trip<f16>(10);
}
TEST(ScalarTypes, Bf16RoundsToNearestEvenAroundEveryValueAndMidpoint) {
  expect_nearest_even<bf16>(7, 0x7F80);
}
TEST(ScalarTypes, F16RoundsToNearestEvenAroundEveryValueAndMidpoint) {
  expect_nearest_even<f16>(10, 0x7C00);
}

TEST(ScalarTypes, OverflowGivesInfinityAndNaNStaysNaN) {
  EXPECT_EQ(from_float<f16>(65519.0F).bits, 0x7BFF);
  EXPECT_EQ(from_float<f16>(65520.0F).bits, 0x7C00);
  EXPECT_EQ(from_float<f16>(-1e30F).bits, 0xFC00);
  EXPECT_EQ(from_float<bf16>(std::numeric_limits<float>::max()).bits, 0x7F80);
  EXPECT_EQ(from_float<bf16>(-infinity).bits, 0xFF80);
  // A NaN whose upper fraction bits are zero must not turn into infinity.
  const float small_nan = float_of(0x7F800001U);
  EXPECT_TRUE(std::isnan(to_float(from_float<bf16>(small_nan))));
  EXPECT_TRUE(std::isnan(to_float(from_float<f16>(small_nan))));
}

}  // namespace
}  // namespace seamgate::simt
