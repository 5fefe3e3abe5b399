// The number formats in which results are stored, and which reals round to one of their numbers.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace seamgate::reference {

enum class Format : std::uint8_t { f32, bf16, f16 };

constexpr std::string_view to_string(Format format) {
  switch (format) {
    case Format::f32:
      return "f32";
    case Format::bf16:
      return "bf16";
    case Format::f16:
      return "f16";
  }
  return "?";
}

// A finite number is k * 2^(e - digits + 1) with |k| < 2^digits and min_exponent <= e <= max_exponent.
struct FormatLimits {
  int digits;  // of the significand, the leading one included
  int min_exponent;
  int max_exponent;
};

constexpr FormatLimits limits_of(Format format) {
  switch (format) {
    case Format::bf16:
      return {8, -126, 127};
    case Format::f16:
      return {11, -14, 15};
    case Format::f32:
      break;
  }
  return {24, -126, 127};
}

// 2^exponent for the exponents of normal doubles; those of all formats and of their halves are among them.
constexpr double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
}

constexpr double largest_number(Format format) {
  const FormatLimits limits = limits_of(format);
  return (2 - power_of_two(1 - limits.digits)) * power_of_two(limits.max_exponent);
}

struct Interval {
  double lo = 0;
  double hi = 0;
};

namespace format_detail {

// floor(log2 |value|), but not below the format's least exponent.
inline int exponent_of(float value, const FormatLimits& limits) {
  const auto biased = static_cast<int>((std::bit_cast<std::uint32_t>(value) >> 23U) & 0xFFU);
  return std::max(biased - 127, limits.min_exponent);
}

}  // namespace format_detail

// Whether `value` is a number of the format, an infinity or a NaN.
inline bool is_representable(float value, Format format) {
  if (format == Format::f32 || !std::isfinite(value)) return true;
  const FormatLimits limits = limits_of(format);
  const double multiple = value * power_of_two(limits.digits - 1 - format_detail::exponent_of(value, limits));
  return std::abs(value) <= largest_number(format) && multiple == std::trunc(multiple);
}

// The reals that round to `value`, to nearest and ties to even, up to their two ends; those are exact. The
// cell of an infinity begins half a unit above the largest number; both zeros have the same cell. `value` is
// representable and no NaN.
inline Interval cell_of(float value, Format format) {
  const FormatLimits limits = limits_of(format);
  const double magnitude = std::abs(static_cast<double>(value));
  Interval cell;
  if (std::isinf(value)) {
    const double half_unit = power_of_two(limits.max_exponent - limits.digits);
    cell = {largest_number(format) + half_unit, std::numeric_limits<double>::infinity()};
  } else {
    const int exponent = format_detail::exponent_of(value, limits);
    const double half_unit = power_of_two(exponent - limits.digits);
    // Below a power of two numbers stand twice as dense, down to the least exponent.
    const bool denser_below =
        exponent > limits.min_exponent && (std::bit_cast<std::uint32_t>(value) & 0x007FFFFFU) == 0;
    cell = {magnitude - (denser_below ? half_unit / 2 : half_unit), magnitude + half_unit};
  }
  return std::signbit(value) ? Interval{-cell.hi, -cell.lo} : cell;
}

}  // namespace seamgate::reference
