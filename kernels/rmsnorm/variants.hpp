// The variants of RMSNorm as policies: where a value is rounded, and what the weight means. Statistics are f32 throughout.
#pragma once

#include "kernels/simt/scalar_types.hpp"
#include "kernels/simt/simt.hpp"

namespace seamgate::kernels::SIMT_BUILD::rmsnorm {

// y = cast(x * r * w): one cast, at the end. The variants `torch` and `seed` are this one function in f32; they differ in
// their default eps.
template <class TX, class TW>
struct OneCast {
  using X = TX;
  using W = TW;
  using Y = TX;

  __device__ static float weight(float w) { return w; }
  __device__ static float normalised(float x, float rstd) { return x * rstd; }
};

}  // namespace seamgate::kernels::SIMT_BUILD::rmsnorm
