// The variants of RMSNorm as policies: where a value is rounded, what the weight means, which dtype comes out. Statistics are
// f32 throughout. A pair of variants that is one function at a dtype shares a policy there, so its bits are equal.
#pragma once

#include <type_traits>

#include "kernels/simt/scalar_types.hpp"
#include "kernels/simt/simt.hpp"

namespace seamgate::kernels::SIMT_BUILD::rmsnorm {

template <class T>
__device__ inline float rounded(float value) {
  return simt::to_float(simt::from_float<T>(value));
}

// y = cast(x * r * w), one cast, at the end. `torch`, `seed`; and in f32 also `llama`, `t5` and `burn`. TY is f32 for `t5`
// with an f32 weight, which keeps x * r as it is.
template <class TX, class TW, class TY = TX>
struct OneCast {
  using X = TX;
  using W = TW;
  using Y = TY;

  __device__ static float weight(float w) { return w; }
  // What multiplies or divides a row, from the root of its mean square.
  __device__ static float factor(float root) { return 1.0F / root; }
  __device__ static float normalised(float x, float factor) { return x * factor; }
  // xhat as dw sees it.
  __device__ static float normalised_for_dw(float x, float rstd) { return x * rstd; }
};

// `gemma`: the weight is centred at 0, and 1 + w is taken in f32.
template <class TX, class TW>
struct Gemma : OneCast<TX, TW> {
  __device__ static float weight(float w) { return 1.0F + w; }
};

// y = w * cast(x * r), the inner cast to TC. `llama` (TC is x's dtype) and `t5` (w's, where that is 16-bit); dw uses the
// rounded value.
template <class TX, class TW, class TC, class TY>
struct InnerCast : OneCast<TX, TW, TY> {
  __device__ static float normalised(float x, float factor) { return rounded<TC>(x * factor); }
  __device__ static float normalised_for_dw(float x, float rstd) { return rounded<TC>(x * rstd); }
};

// `burn`: x / cast(sqrt(v + eps)) * g with every step rounded to x's dtype.
template <class TX>
struct Burn : OneCast<TX, TX> {
  __device__ static float factor(float root) { return rounded<TX>(root); }
  __device__ static float normalised(float x, float factor) { return rounded<TX>(x / factor); }
};

// Calls `visit` with the policy of one cast at the end, to x's dtype.
template <class Visitor>
auto with_one_cast(DType x, DType w, Visitor visit) {
  if (x == DType::bf16) return w == DType::f32 ? visit(OneCast<bf16, float>{}) : visit(OneCast<bf16, bf16>{});
  if (x == DType::f16) return w == DType::f32 ? visit(OneCast<f16, float>{}) : visit(OneCast<f16, f16>{});
  return visit(OneCast<float, float>{});
}

// Calls `visit` with the policy of a variant that the contract serves at these dtypes.
template <class T, class Visitor>
auto with_16_bit(std::string_view variant, DType w, Visitor visit) {
  if (w == DType::f32) {
    if (variant == "llama") return visit(InnerCast<T, float, T, float>{});
    if (variant == "t5") return visit(OneCast<T, float, float>{});
    if (variant == "gemma") return visit(Gemma<T, float>{});
    return visit(OneCast<T, float>{});
  }
  if (variant == "llama" || variant == "t5") return visit(InnerCast<T, T, T, T>{});
  if (variant == "gemma") return visit(Gemma<T, T>{});
  if (variant == "burn") return visit(Burn<T>{});
  return visit(OneCast<T, T>{});
}

template <class Visitor>
auto with_policy(std::string_view variant, DType x, DType w, Visitor visit) {
  if (x == DType::bf16) return with_16_bit<bf16>(variant, w, visit);
  if (x == DType::f16) return with_16_bit<f16>(variant, w, visit);
  if (variant == "gemma") return visit(Gemma<float, float>{});
  return visit(OneCast<float, float>{});
}

}  // namespace seamgate::kernels::SIMT_BUILD::rmsnorm
