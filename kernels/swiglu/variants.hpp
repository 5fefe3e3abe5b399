// The variants of SwiGLU as policies: where a value is rounded.
#pragma once

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

}  // namespace seamgate::kernels::SIMT_BUILD::swiglu
