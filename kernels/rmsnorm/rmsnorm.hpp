// RMSNorm's contract, and where its kernels are.
//
//   v = mean of x^2 over the last dimension, r = 1 / sqrt(v + eps), y = x * r * w          statistics in f32
//   inputs x (M x N) and w (N); output y (M x N); saved rstd = r (M, f32)
//
// Variants torch and seed are one function in f32 and differ in their default eps (1e-6 and 1e-5). Rounding order: x * r,
// then * w. y and dx are bit-identical over runs, grids and neighbours; dw for a fixed launch plan. y may not overlap x or w.
// A mean square beyond f32 gives r = 0, y = 0, dx = 0. Source: Zhang and Sennrich, "Root Mean Square Layer Normalization",
// 2019; the adjoint by differentiation.
#pragma once

#include "kernels/common/contract.hpp"
#include "kernels/common/kernel_api.hpp"

namespace seamgate::kernels {

const Contract& rmsnorm_contract();

// How many blocks share the rows of an adjoint when the plan leaves it open: a function of the shape alone, so that dw has
// the same bits on every machine.
int rmsnorm_row_blocks(std::int64_t rows, LaunchPlan plan);

}  // namespace seamgate::kernels
