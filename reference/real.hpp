// The number type of truth: 113 bits of significand, correctly rounded +, -, *, /; sqrt within one unit in
// the last place.
#pragma once

#if __has_include(<quadmath.h>) && defined(__SIZEOF_FLOAT128__) && !defined(SEAMGATE_PORTABLE_QUAD)
#define SEAMGATE_HAS_LIBQUADMATH 1
#else
#define SEAMGATE_HAS_LIBQUADMATH 0
#endif

#include <boost/multiprecision/cpp_bin_float.hpp>
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

}  // namespace seamgate::reference
