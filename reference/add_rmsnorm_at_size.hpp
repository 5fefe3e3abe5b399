// Fused add and RMSNorm at size, variant torch: s = stored(x + residual), y = s * r * w with r of the stored
// s; outputs y and the sum; dx = dresidual = (Jacobian of the norm at s)^T gy + gsum, dw = sum over rows of
// gy * s * r.
//
// The definition admits both neighbours of a 16-bit sum that lies within the bar of a tie; this page demands
// the nearest even one, which an f32 sum with one cast gives always. Source: reference/add_rmsnorm.hpp, and
// the adjoint by differentiation.
#pragma once

#include "reference/rmsnorm_at_size.hpp"

namespace seamgate::reference {

struct AddRmsNormAtSize {
  static constexpr int inputs = 3;  // x, residual, w
  static constexpr int outputs = 2;
  SEAMGATE_HOST_DEVICE static constexpr bool per_column(int i) { return i == 2; }
  static constexpr int passes = RmsNormAtSize::passes;
  static constexpr int sums = RmsNormAtSize::sums;

  template <class T>
  using Row = RmsNormAtSize::Row<T>;

  template <class T, class Cast>
  SEAMGATE_HOST_DEVICE static void add_terms(int pass, const double* in, const double* upstream,
                                             const Row<T>& row, Cast cast, T* totals) {
    RmsNormAtSize::add_norm_terms(pass, T(cast.stored(T(in[0]) + T(in[1]))), in[2], upstream[0], row, totals);
  }

  template <class T>
  SEAMGATE_HOST_DEVICE static void finish(int pass, const T* totals, double columns, double eps,
                                          Row<T>& row) {
    RmsNormAtSize::finish(pass, totals, columns, eps, row);
  }

  template <class T, class Cast>
  SEAMGATE_HOST_DEVICE static void element(const double* in, const double* upstream, const Row<T>& row,
                                           Cast cast, T* out, T* gradients, double* sizes) {
    out[1] = T(in[0]) + T(in[1]);
    const T stored = cast.stored(out[1]);
    RmsNormAtSize::norm_element(stored, in[2], upstream[0], row, out[0], gradients[0], sizes[0], gradients[2],
                                sizes[2]);
    gradients[0] = gradients[0] + T(upstream[1]);
    sizes[0] += ::fabs(upstream[1]);
    gradients[1] = gradients[0];
    sizes[1] = sizes[0];
  }
};

}  // namespace seamgate::reference
