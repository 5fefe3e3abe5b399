// Rounding from quad to a storage format, to nearest and ties to even, once.
#pragma once

#include <cmath>
#include <limits>

#include "reference/format.hpp"

namespace seamgate::reference {

// Subnormals and overflow included: a magnitude from half a unit above the largest number on becomes an
// infinity. A NaN stays one. R has at least two digits more than the format.
template <class R>
R round_to(const R& value, Format format) {
  using std::abs;
  using std::ilogb;
  using std::isfinite;
  using std::ldexp;
  if (!isfinite(value) || value == R(0)) return value;
  const FormatLimits limits = limits_of(format);
  const int exponent = std::max(static_cast<int>(ilogb(value)), limits.min_exponent);
  if (exponent > limits.max_exponent) {
    const R infinity = std::numeric_limits<R>::infinity();
    return value > R(0) ? infinity : R(-infinity);
  }
  // Adding a number whose last place is the format's unit makes the addition itself round there.
  const R shift = ldexp(R(1.5), std::numeric_limits<R>::digits - 1 + exponent - limits.digits + 1);
  const R rounded = R(value + shift) - shift;
  if (R(abs(rounded)) > R(largest_number(format))) {
    const R infinity = std::numeric_limits<R>::infinity();
    return value > R(0) ? infinity : R(-infinity);
  }
  return rounded;
}

}  // namespace seamgate::reference
