// Four adjacent columns of a row at a time. A thread owns the same columns whether the row can be read as vectors or not, so
// that alignment never changes a result's bits.
#pragma once

#include <cstdint>

#include "kernels/simt/scalar_types.hpp"
#include "kernels/simt/simt.hpp"

// Before a loop that gains nothing from being unrolled, so that it does not cost registers.
#if defined(__CUDACC__)
#define SEAMGATE_KEEP_ROLLED _Pragma("unroll 1")
#else
#define SEAMGATE_KEEP_ROLLED
#endif

namespace seamgate::kernels::SIMT_BUILD {

using simt::from_float;
using simt::to_float;

inline constexpr int quad_width = 4;

template <class T>
struct alignas(quad_width * sizeof(T)) Quad {
  T v[quad_width];
};

// Reads columns [column, column + 4) of a row of n; columns past n read as 0. `vector` promises alignment of every
// whole quad of the row.
template <class T>
__device__ inline void load_quad(const T* row, std::int64_t column, std::int64_t n, bool vector,
                                 float (&out)[quad_width]) {
  if (vector && column + quad_width <= n) {
    const Quad<T> quad = *reinterpret_cast<const Quad<T>*>(row + column);
    for (int j = 0; j < quad_width; ++j) out[j] = to_float(quad.v[j]);
    return;
  }
  for (int j = 0; j < quad_width; ++j) out[j] = column + j < n ? to_float(row[column + j]) : 0.0F;
}

template <class T>
__device__ inline void store_quad(T* row, std::int64_t column, std::int64_t n, bool vector,
                                  const float (&in)[quad_width]) {
  if (vector && column + quad_width <= n) {
    Quad<T> quad;
    for (int j = 0; j < quad_width; ++j) quad.v[j] = from_float<T>(in[j]);
    *reinterpret_cast<Quad<T>*>(row + column) = quad;
    return;
  }
  for (int j = 0; j < quad_width; ++j) {
    if (column + j < n) row[column + j] = from_float<T>(in[j]);
  }
}

// Whether every whole quad of every row that starts `stride` elements after the last is aligned.
template <class T>
inline bool quads_aligned(const T* data, std::int64_t stride) {
  return reinterpret_cast<std::uintptr_t>(data) % alignof(Quad<T>) == 0 && stride % quad_width == 0;
}

}  // namespace seamgate::kernels::SIMT_BUILD
