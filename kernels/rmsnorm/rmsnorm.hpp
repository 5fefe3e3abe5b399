// RMSNorm's contract, and where its kernels are.
//
//   v = mean of x^2 over the last dimension, r = 1 / sqrt(v + eps), y = x * r * w          statistics in f32
//   inputs x (M x N) and w (N); output y (M x N); saved rstd = r (M, f32)
//
// Variants (kernels/rmsnorm/variants.hpp; T is 16-bit, casts round to nearest even):
//   torch  cast(x * r * w)               f32, T; T with an f32 w gives T          eps 1e-6
//   llama  w * cast(x * r)               f32, T; T with an f32 w gives f32        eps 1e-6
//   t5     w * cast(x * r), to w's dtype where that is 16-bit                     eps 1e-6
//   gemma  cast(x * r * (1 + w))         as torch; w is centred at 0              eps 1e-6
//   burn   x / cast(sqrt(v + eps)) * w   f32, T; every step rounded               eps 1e-5
//   seed   x * r * w                     f32                                      eps 1e-5
// In f32 all but gemma are one function. Gradients are f32 with one cast at the end, dx to x's dtype and dw to w's; casts
// differentiate as identity, and dw of llama and t5 uses x * r as the forward rounded it.
//
// y and dx are bit-identical over runs, grids and neighbours, dw for a fixed launch plan. y may not overlap x or w. A mean
// square beyond f32 gives r = 0, y = 0, dx = 0. Source: Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019;
// the adjoint by differentiation.
#pragma once

#include "kernels/common/contract.hpp"
#include "kernels/common/kernel_api.hpp"

namespace seamgate::kernels {

const Contract& rmsnorm_contract();

// How many blocks share the rows of an adjoint when the plan leaves it open: a function of the shape alone, so that dw has
// the same bits on every machine.
int rmsnorm_row_blocks(std::int64_t rows, LaunchPlan plan);

}  // namespace seamgate::kernels
