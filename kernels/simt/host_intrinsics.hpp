// CUDA's intrinsics by CUDA's names, for the host compiler. Inlined always, so that a checked and a plain
// build of one program never share a copy.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/simt/emulator.hpp"

#define SIMT_INTRINSIC inline __attribute__((always_inline))
#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

#define threadIdx (::seamgate::simt::host::thread_index())
#define blockIdx (::seamgate::simt::host::block_index())
#define blockDim (::seamgate::simt::host::block_extent())
#define gridDim (::seamgate::simt::host::grid_extent())
inline constexpr int warpSize = 32;

namespace seamgate::simt::host {

template <class T>
SIMT_INTRINSIC T exchange(WarpOp op, unsigned mask, T value, int operand, int width, Place place) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles exchange 4 or 8 bytes");
  if constexpr (sizeof(T) == 4) {
    const std::uint64_t bits = __builtin_bit_cast(std::uint32_t, value);
    return __builtin_bit_cast(
        T, static_cast<std::uint32_t>(warp_operation(op, mask, bits, operand, width, place)));
  } else {
    return __builtin_bit_cast(
        T, warp_operation(op, mask, __builtin_bit_cast(std::uint64_t, value), operand, width, place));
  }
}

}  // namespace seamgate::simt::host

SIMT_INTRINSIC void __syncthreads(SIMT_PLACE) {
  ::seamgate::simt::host::barrier({file, line});
}

SIMT_INTRINSIC void __syncwarp(unsigned mask = 0xFFFFFFFFU, SIMT_PLACE) {
  using namespace ::seamgate::simt::host;
  warp_operation(WarpOp::sync, mask, 0, 0, 32, {file, line});
}
template <class T>
SIMT_INTRINSIC T __shfl_sync(unsigned mask, T value, int lane, int width = 32, SIMT_PLACE) {
  using namespace ::seamgate::simt::host;
  return exchange(WarpOp::shuffle, mask, value, lane, width, {file, line});
}
template <class T>
SIMT_INTRINSIC T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_PLACE) {
  using namespace ::seamgate::simt::host;
  return exchange(WarpOp::shuffle_up, mask, value, static_cast<int>(delta), width, {file, line});
}
template <class T>
SIMT_INTRINSIC T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_PLACE) {
  using namespace ::seamgate::simt::host;
  return exchange(WarpOp::shuffle_down, mask, value, static_cast<int>(delta), width, {file, line});
}
template <class T>
SIMT_INTRINSIC T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, SIMT_PLACE) {
  using namespace ::seamgate::simt::host;
  return exchange(WarpOp::shuffle_xor, mask, value, lane_mask, width, {file, line});
}
SIMT_INTRINSIC unsigned __ballot_sync(unsigned mask, int predicate, SIMT_PLACE) {
  using namespace ::seamgate::simt::host;
  return static_cast<unsigned>(warp_operation(WarpOp::ballot, mask, predicate != 0, 0, 32, {file, line}));
}
SIMT_INTRINSIC int __any_sync(unsigned mask, int predicate, SIMT_PLACE) {
  using namespace ::seamgate::simt::host;
  return static_cast<int>(warp_operation(WarpOp::any, mask, predicate != 0, 0, 32, {file, line}));
}
SIMT_INTRINSIC int __all_sync(unsigned mask, int predicate, SIMT_PLACE) {
  using namespace ::seamgate::simt::host;
  return static_cast<int>(warp_operation(WarpOp::all, mask, predicate != 0, 0, 32, {file, line}));
}

SIMT_INTRINSIC void __threadfence(SIMT_PLACE) {
  ::seamgate::simt::host::fence({file, line});
}

template <class T>
SIMT_INTRINSIC T atomicAdd(T* address, T value, SIMT_PLACE) {
  return ::seamgate::simt::host::atomic_add(address, value, {file, line});
}
template <class T>
SIMT_INTRINSIC T atomicCAS(T* address, T expected, T value, SIMT_PLACE) {
  return ::seamgate::simt::host::atomic_compare_and_swap(address, expected, value, {file, line});
}
template <class T>
SIMT_INTRINSIC T atomicExch(T* address, T value, SIMT_PLACE) {
  return ::seamgate::simt::host::atomic_exchange(address, value, {file, line});
}
template <class T>
SIMT_INTRINSIC T atomicMax(T* address, T value, SIMT_PLACE) {
  return ::seamgate::simt::host::atomic_max(address, value, {file, line});
}

template <class T>
SIMT_INTRINSIC T __ldg(const T* address) {
  return *address;
}

// Correctly rounded, as on a GPU. rsqrtf is approximate there (2 ulp): bits need not agree.
SIMT_INTRINSIC float __fadd_rn(float a, float b) {
  return a + b;
}
SIMT_INTRINSIC float __fsub_rn(float a, float b) {
  return a - b;
}
SIMT_INTRINSIC float __fmul_rn(float a, float b) {
  return a * b;
}
SIMT_INTRINSIC float __fdiv_rn(float a, float b) {
  return a / b;
}
SIMT_INTRINSIC float __fmaf_rn(float a, float b, float c) {
  return ::fmaf(a, b, c);
}
SIMT_INTRINSIC float __fsqrt_rn(float a) {
  return ::sqrtf(a);
}
SIMT_INTRINSIC float __frcp_rn(float a) {
  return 1.0F / a;
}
SIMT_INTRINSIC unsigned __float_as_uint(float a) {
  return __builtin_bit_cast(unsigned, a);
}
SIMT_INTRINSIC float __uint_as_float(unsigned a) {
  return __builtin_bit_cast(float, a);
}
SIMT_INTRINSIC int __float_as_int(float a) {
  return __builtin_bit_cast(int, a);
}
SIMT_INTRINSIC float __int_as_float(int a) {
  return __builtin_bit_cast(float, a);
}
SIMT_INTRINSIC int __popc(unsigned a) {
  return __builtin_popcount(a);
}
SIMT_INTRINSIC int __ffs(int a) {
  return __builtin_ffs(a);
}
SIMT_INTRINSIC int __clz(int a) {
  return a == 0 ? 32 : __builtin_clz(static_cast<unsigned>(a));
}
#if !defined(__GLIBC_PREREQ) || !__GLIBC_PREREQ(2, 42)  // newer C libraries declare it themselves
SIMT_INTRINSIC float rsqrtf(float a) {
  return 1.0F / ::sqrtf(a);
}
#endif
