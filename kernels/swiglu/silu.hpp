// silu and its derivative in f32, with no overflow and no cancellation: from e = exp(-|a|), which is in [0,
// 1].
//   a >= 0: s = 1 / (1 + e), 1 - s = e / (1 + e)          a < 0: the two exchanged
#pragma once

#include <cmath>

#include "kernels/simt/simt.hpp"

namespace seamgate::kernels::SIMT_BUILD::swiglu {

// One division of a or a * e, so that it has fewer roundings than a * s.
__device__ inline float silu(float a) {
  const float e = expf(-fabsf(a));
  return (a >= 0.0F ? a : a * e) / (1.0F + e);
}

// s * (1 + a * (1 - s)). 1 - s as a difference would lose its digits from a = 10 on, where a is large enough
// to show it.
__device__ inline float silu_derivative(float a) {
  const float e = expf(-fabsf(a));
  const float whole = 1.0F + e;
  const float near = 1.0F / whole;
  const float far = e / whole;
  const float s = a >= 0.0F ? near : far;
  const float rest = a >= 0.0F ? far : near;  // 1 - s
  return s * (1.0F + a * rest);
}

}  // namespace seamgate::kernels::SIMT_BUILD::swiglu
