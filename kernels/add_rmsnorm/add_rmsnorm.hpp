// Fused add + RMSNorm's contract, and where its kernels are.
//
//   s = cast(x + residual), v = mean of s^2 over the last dimension, r = 1 / sqrt(v + eps), y = cast(s * r * w)
//   inputs x, residual (M x N, one dtype) and w (N); outputs y and sum = s (M x N, x's dtype); saved rstd = r (M, f32)
//
// The sum is rounded to x's dtype, f32 included, and what is normalised is the rounded sum, so that the next layer adds to
// what this one saw. The adjoint reads the sum and not x: dx = dresidual = J^T gy + gsum, the residual's own gradient added
// after the Jacobian of the norm; f32 with one cast at the end. dw = sum over rows of gy * s * r.
//
// Variant torch (one cast). Repeatability, layouts and limits are RMSNorm's (kernels/rmsnorm/rmsnorm.hpp). No output may
// overlap an input. Source: as RMSNorm; the residual stream of pre-norm transformers.
#pragma once

#include "kernels/common/contract.hpp"

namespace seamgate::kernels {

const Contract& add_rmsnorm_contract();

}  // namespace seamgate::kernels
