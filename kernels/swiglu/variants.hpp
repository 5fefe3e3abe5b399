// The variants of SwiGLU as policies: where a value is rounded. Where two variants are one function they
// share a policy, so that their bits are equal.
#pragma once

#include <string_view>

#include "kernels/simt/dtype.hpp"
#include "kernels/simt/scalar_types.hpp"
#include "kernels/simt/simt.hpp"

namespace seamgate::kernels::SIMT_BUILD::swiglu {

// `default`: y = cast(silu(a) * b), one cast, at the end.
template <class T>
struct OneCast {
  using Element = T;

  __device__ static float gate(float silu) { return silu; }
};

// `hf`: y = cast(cast(silu(a)) * b), as a module that stores the activation has it.
template <class T>
struct InnerCast {
  using Element = T;

  __device__ static float gate(float silu) { return simt::to_float(simt::from_float<T>(silu)); }
};

// Calls `visit` with the policy of a variant and dtype that the contract serves.
template <class Visitor>
auto with_policy(std::string_view variant, DType dtype, Visitor visit) {
  const bool inner_cast = variant == "hf";
  if (dtype == DType::bf16) return inner_cast ? visit(InnerCast<bf16>{}) : visit(OneCast<bf16>{});
  if (dtype == DType::f16) return inner_cast ? visit(InnerCast<f16>{}) : visit(OneCast<f16>{});
  return visit(OneCast<float>{});  // a cast to f32 changes nothing
}

}  // namespace seamgate::kernels::SIMT_BUILD::swiglu
