// The number type of truth: 113 bits of significand, correctly rounded +, -, *, /; sqrt within one unit in
// the last place.
#pragma once

#if __has_include(<quadmath.h>) && defined(__SIZEOF_FLOAT128__) && !defined(SEAMGATE_PORTABLE_QUAD)
#define SEAMGATE_HAS_LIBQUADMATH 1
#else
#define SEAMGATE_HAS_LIBQUADMATH 0
#endif

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#if SEAMGATE_HAS_LIBQUADMATH
#include <boost/multiprecision/float128.hpp>
#endif

namespace seamgate::reference {

// The same format in portable C++: slower, without subnormals, tested equal to libquadmath's.
using PortableReal = boost::multiprecision::cpp_bin_float_quad;

#if SEAMGATE_HAS_LIBQUADMATH
using Real = boost::multiprecision::float128;
#else
using Real = PortableReal;
#endif

// Error scales need the exponents of Real and a few digits: where long double is x87's it has both at
// hardware speed.
using Magnitude = long double;

// |value|, whose last place may be off.
template <class R>
Magnitude magnitude_of(const R& value) {
  return std::abs(static_cast<Magnitude>(value));
}

#if SEAMGATE_HAS_LIBQUADMATH && defined(__x86_64__) && LDBL_MANT_DIG == 64
// Both formats have the exponent of x87: the bits are moved, which takes a tenth of the library's conversion.
inline Magnitude magnitude_of(const Real& value) {
  const __float128 quad = value.backend().value();
  std::uint64_t words[2];
  std::memcpy(words, &quad, sizeof words);
  const auto exponent = static_cast<std::uint16_t>((words[1] >> 48U) & 0x7FFFU);
  if (exponent == 0 || exponent == 0x7FFF) return std::abs(static_cast<Magnitude>(value));
  const std::uint64_t significand =
      0x8000000000000000U | ((words[1] & 0xFFFFFFFFFFFFU) << 15U) | (words[0] >> 49U);
  Magnitude result = 0;
  std::memcpy(&result, &significand, sizeof significand);
  std::memcpy(reinterpret_cast<unsigned char*>(&result) + sizeof significand, &exponent, sizeof exponent);
  return result;
}
#endif

}  // namespace seamgate::reference
