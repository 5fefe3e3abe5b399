// bf16 and f16 as 16 bits of storage, with conversions to and from f32 that need no toolkit. The same integer
// code runs on a GPU and on the host, so the bits agree. Arithmetic is done in f32; these types only hold.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define SIMT_HOST_DEVICE __host__ __device__ __forceinline__
#else
#include <bit>
#define SIMT_HOST_DEVICE inline __attribute__((always_inline))
#endif

namespace seamgate {

struct bf16 {  // 8 exponent bits, 7 fraction bits
  std::uint16_t bits;
};

struct f16 {  // IEEE binary16: 5 exponent bits, 10 fraction bits
  std::uint16_t bits;
};

namespace simt {

SIMT_HOST_DEVICE std::uint32_t bits_of(float value) {
#if defined(__CUDA_ARCH__)
  return __float_as_uint(value);
#else
  return __builtin_bit_cast(std::uint32_t, value);
#endif
}

SIMT_HOST_DEVICE float float_of(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __uint_as_float(bits);
#else
  return __builtin_bit_cast(float, bits);
#endif
}

// To f32: exact. A NaN keeps its sign and fraction.
SIMT_HOST_DEVICE float to_float(float value) {
  return value;
}
SIMT_HOST_DEVICE float to_float(bf16 value) {
  return float_of(static_cast<std::uint32_t>(value.bits) << 16);
}
SIMT_HOST_DEVICE float to_float(f16 value) {
  const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000U) << 16;
  const std::uint32_t exponent = (value.bits >> 10) & 0x1FU;
  const std::uint32_t fraction = value.bits & 0x3FFU;
  if (exponent == 0x1F) return float_of(sign | 0x7F800000U | (fraction << 13));
  if (exponent != 0) return float_of(sign | ((exponent + 112) << 23) | (fraction << 13));
  // Subnormal or zero: fraction * 2^-24, exact in f32.
  return float_of(sign | bits_of(static_cast<float>(fraction) * 5.9604644775390625e-8F));
}

// From f32: round to nearest, ties to even; overflow gives infinity; subnormals are kept; a NaN stays a
// (quiet) NaN.
template <class T>
SIMT_HOST_DEVICE T from_float(float value);

template <>
SIMT_HOST_DEVICE float from_float<float>(float value) {
  return value;
}

template <>
SIMT_HOST_DEVICE bf16 from_float<bf16>(float value) {
  const std::uint32_t bits = bits_of(value);
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return {static_cast<std::uint16_t>((bits >> 16) | 0x0040U)};
  return {static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16)};
}

template <>
SIMT_HOST_DEVICE f16 from_float<f16>(float value) {
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) {
    return {static_cast<std::uint16_t>(sign | 0x7E00U | ((magnitude >> 13) & 0x3FFU))};
  }
  if (magnitude >= 0x477FF000U) return {static_cast<std::uint16_t>(sign | 0x7C00U)};  // 65520 and above
  if (magnitude >= 0x38800000U) {                                                     // 2^-14: normal
    const std::uint32_t rebiased = magnitude - (112U << 23);
    return {static_cast<std::uint16_t>(sign | ((rebiased + 0xFFFU + ((rebiased >> 13) & 1U)) >> 13))};
  }
  if (magnitude < 0x33000000U) return {static_cast<std::uint16_t>(sign)};  // below 2^-25
  // Subnormal: the significand shifted to units of 2^-24, what falls off decides the rounding.
  const std::uint32_t shift = 126U - (magnitude >> 23);
  const std::uint32_t significand = (magnitude & 0x7FFFFFU) | 0x800000U;
  const std::uint32_t kept = significand >> shift;
  const std::uint32_t rest = significand & ((1U << shift) - 1U);
  const std::uint32_t half = 1U << (shift - 1U);
  const std::uint32_t up = (rest > half || (rest == half && (kept & 1U) != 0U)) ? 1U : 0U;
  return {static_cast<std::uint16_t>(sign | (kept + up))};
}

}  // namespace simt
}  // namespace seamgate
