// A number as the unevaluated sum of two doubles, at least 100 bits, on the host and in device code: the
// truth where float128 cannot go.
//
// With u = 2^-53 the relative errors are at most: + and - 3u^2, * 5u^2, / 10u^2 (Joldes, Muller and Popescu,
// "Tight and rigorous error bounds for basic building blocks of double-word arithmetic", 2017), sqrt 4u^2
// (Lefevre, Louvet, Muller, Picot and Rideau, "Accurate calculation of Euclidean norms using double-word
// arithmetic", 2023), that is 2^-102 or less; exp 2^-99. They hold while no intermediate result overflows or
// is below 2^-960: sums and products of the formats' numbers stay far inside. An infinity or a NaN may come
// out as a NaN. Products are split by an explicit fma(), so that no flag has a say.
#pragma once

#include <cmath>
#include <cstdint>

#if defined(__CUDACC__)
#define SEAMGATE_HOST_DEVICE __host__ __device__
#else
#define SEAMGATE_HOST_DEVICE
#endif

namespace seamgate::reference {

struct DoubleDouble {
  double hi = 0;  // the nearest double
  double lo = 0;  // what is left, at most half a unit of hi

  DoubleDouble() = default;
  SEAMGATE_HOST_DEVICE constexpr DoubleDouble(double value) : hi(value) {}  // implicit: exact
  SEAMGATE_HOST_DEVICE constexpr DoubleDouble(double hi, double lo) : hi(hi), lo(lo) {}
};

namespace double_double_detail {

SEAMGATE_HOST_DEVICE inline std::uint64_t bits_of(double value) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint64_t>(__double_as_longlong(value));
#else
  return __builtin_bit_cast(std::uint64_t, value);
#endif
}

SEAMGATE_HOST_DEVICE inline double double_of(std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
  return __longlong_as_double(static_cast<long long>(bits));
#else
  return __builtin_bit_cast(double, bits);
#endif
}

// For the exponents of normal doubles.
SEAMGATE_HOST_DEVICE inline double power_of_2(int exponent) {
  return double_of(static_cast<std::uint64_t>(exponent + 1023) << 52U);
}

// a + b exactly, where |a| >= |b| or a is 0.
SEAMGATE_HOST_DEVICE inline DoubleDouble fast_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// a + b exactly.
SEAMGATE_HOST_DEVICE inline DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b;
  const double of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

// a * b exactly.
SEAMGATE_HOST_DEVICE inline DoubleDouble exact_product(double a, double b) {
  const double product = a * b;
  return {product, ::fma(a, b, -product)};
}

// By one double; at most 2u^2.
SEAMGATE_HOST_DEVICE inline DoubleDouble scaled(DoubleDouble a, double b) {
  const DoubleDouble p = exact_product(a.hi, b);
  return fast_sum(p.hi, ::fma(a.lo, b, p.lo));
}

// Plus one double; at most 2u^2.
SEAMGATE_HOST_DEVICE inline DoubleDouble shifted(DoubleDouble a, double b) {
  const DoubleDouble s = exact_sum(a.hi, b);
  return fast_sum(s.hi, a.lo + s.lo);
}

}  // namespace double_double_detail

SEAMGATE_HOST_DEVICE inline DoubleDouble operator-(DoubleDouble a) {
  return {-a.hi, -a.lo};
}

// AccurateDWPlusDW: bounded also where a and b cancel.
SEAMGATE_HOST_DEVICE inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  using namespace double_double_detail;
  const DoubleDouble s = exact_sum(a.hi, b.hi);
  const DoubleDouble t = exact_sum(a.lo, b.lo);
  const DoubleDouble v = fast_sum(s.hi, s.lo + t.hi);
  return fast_sum(v.hi, t.lo + v.lo);
}
SEAMGATE_HOST_DEVICE inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) {
  return a + (-b);
}
SEAMGATE_HOST_DEVICE inline DoubleDouble& operator+=(DoubleDouble& a, DoubleDouble b) {
  return a = a + b;
}

// DWTimesDW3.
SEAMGATE_HOST_DEVICE inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  using namespace double_double_detail;
  const DoubleDouble p = exact_product(a.hi, b.hi);
  const double rest = ::fma(a.lo, b.hi, ::fma(a.hi, b.lo, a.lo * b.lo));
  return fast_sum(p.hi, p.lo + rest);
}

// DWDivDW3: the reciprocal by one Newton step, times a.
SEAMGATE_HOST_DEVICE inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  using namespace double_double_detail;
  const double guess = 1.0 / b.hi;
  const DoubleDouble residue = fast_sum(::fma(-b.hi, guess, 1.0), -(b.lo * guess));
  return a * shifted(scaled(residue, guess), guess);
}

SEAMGATE_HOST_DEVICE inline DoubleDouble sqrt(DoubleDouble a) {
  if (a.hi == 0.0) return {};
  const double root = ::sqrt(a.hi);
  return double_double_detail::fast_sum(root, (a.lo + ::fma(-root, root, a.hi)) / (2.0 * root));
}

SEAMGATE_HOST_DEVICE inline DoubleDouble abs(DoubleDouble a) {
  return a.hi < 0.0 ? -a : a;
}

// For |a| <= 600. a = k ln 2 + 64 r with |r| < 0.0055: exp(r) - 1 by eleven terms (the twelfth is below
// 2^-111 of it), then six times s(2 + s), which keeps the digits that squaring 1 + s would lose, each with
// 11u^2 or less.
SEAMGATE_HOST_DEVICE inline DoubleDouble exp(DoubleDouble a) {
  using namespace double_double_detail;
  // ln 2 in three parts, the first of 31 bits, so that its product with k is exact.
  const double k = ::rint(a.hi * 0x1.71547652b82fep+0);
  DoubleDouble r = exact_sum(a.hi, -k * 0x1.62e42fec00000p-1);
  r = r + exact_product(-k, 0x1.d1cf79abc9e3bp-32) + DoubleDouble(-k * 0x1.cc01f97b57a08p-87) +
      DoubleDouble(a.lo);
  r = {r.hi * 0x1p-6, r.lo * 0x1p-6};
  constexpr double inverse_factorial[][2] = {{0x1.ae64567f544e4p-26, -0x1.c062e06d1f209p-80},
                                             {0x1.27e4fb7789f5cp-22, 0x1.cbbc05b4fa99ap-76},
                                             {0x1.71de3a556c734p-19, -0x1.c154f8ddc6c00p-73},
                                             {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
                                             {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73},
                                             {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
                                             {0x1.1111111111111p-7, 0x1.1111111111111p-63},
                                             {0x1.5555555555555p-5, 0x1.5555555555555p-59},
                                             {0x1.5555555555555p-3, 0x1.5555555555555p-57},
                                             {0.5, 0.0},
                                             {1.0, 0.0}};
  DoubleDouble s(inverse_factorial[0][0], inverse_factorial[0][1]);
  for (int n = 1; n < 11; ++n) s = s * r + DoubleDouble(inverse_factorial[n][0], inverse_factorial[n][1]);
  s = s * r;
  for (int i = 0; i < 6; ++i) s = s * shifted(s, 2.0);
  s = shifted(s, 1.0);
  const double factor = power_of_2(static_cast<int>(k));
  return {s.hi * factor, s.lo * factor};
}

// The nearest number k * 2^(e - digits + 1), |k| < 2^digits, min_exponent <= e <= max_exponent, ties to even,
// rounded once from both parts; an infinity from half a unit above the largest on. digits <= 51, and all
// numbers are normal doubles.
SEAMGATE_HOST_DEVICE inline double round_to(DoubleDouble value, int digits, int min_exponent,
                                            int max_exponent) {
  using namespace double_double_detail;
  if (!(::fabs(value.hi) < HUGE_VAL) || value.hi == 0.0) return value.hi;
  // hi rounded to odd: where lo is not 0 the last bit stands for it, so that a tie of hi alone is none.
  std::uint64_t bits = bits_of(value.hi);
  if (value.lo != 0.0 && (bits & 1U) == 0) bits = (value.lo > 0.0) == (value.hi > 0.0) ? bits + 1 : bits - 1;
  const double odd = double_of(bits);
  const int exponent = static_cast<int>((bits >> 52U) & 0x7ffU) - 1023;
  const int own = exponent > min_exponent ? exponent : min_exponent;
  const double rounded = ::rint(odd * power_of_2(digits - 1 - own)) * power_of_2(own - digits + 1);
  const double largest = (2.0 - power_of_2(1 - digits)) * power_of_2(max_exponent);
  return ::fabs(rounded) <= largest ? rounded : ::copysign(HUGE_VAL, rounded);
}

// A few digits of a magnitude, for error scales.
SEAMGATE_HOST_DEVICE inline double size_of_value(DoubleDouble value) {
  return ::fabs(value.hi);
}

}  // namespace seamgate::reference
