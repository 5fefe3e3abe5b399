// SwiGLU's contract, and where its kernels are.
//
//   y = silu(a) * b, silu(a) = a * s, s = 1 / (1 + exp(-a))                       f32 inside
//   da = gy * b * s * (1 + a * (1 - s)), db = gy * silu(a)
//   inputs a and b (M x N), output y (M x N); nothing is saved, no workspace
//
// a and b may be the halves of one buffer: every tensor has a row stride of its own. Variants: `default`
// rounds y once; `hf` rounds silu(a) to the dtype before the product. In f32 they are one function. Gradients
// are f32 with one cast at the end, and the inner cast differentiates as identity, so they are those of
// `default`. Rounding order: silu, then * b; (gy * b) * (s * (1 + a * (1 - s))). Finite for every finite a;
// a = -Inf gives NaN as a * s does. All results are bit-identical over runs, grids, layouts and neighbours on
// one machine; expf differs between host and GPU. y may not overlap a or b. Source: Shazeer, "GLU Variants
// Improve Transformer", 2020; the adjoint by differentiation.
#pragma once

#include "kernels/common/contract.hpp"
#include "kernels/common/kernel_api.hpp"

namespace seamgate::kernels {

const Contract& swiglu_contract();

}  // namespace seamgate::kernels
