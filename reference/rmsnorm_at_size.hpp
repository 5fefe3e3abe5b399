// RMSNorm at size, variant torch: y = x * r * w, r = 1 / sqrt(mean(x^2) + eps); with xhat = x * r and g = gy
// * w
//   dx = r * (g - xhat * mean(g * xhat)),  dw = sum over rows of gy * xhat
// Source: reference/rmsnorm.hpp, and the adjoint by differentiation.
#pragma once

#include "reference/at_size.hpp"

namespace seamgate::reference {

struct RmsNormAtSize {
  static constexpr int inputs = 2;  // x, w
  static constexpr int outputs = 1;
  SEAMGATE_HOST_DEVICE static constexpr bool per_column(int i) { return i == 1; }
  static constexpr int passes = 2;
  static constexpr int sums = 2;

  template <class T>
  struct Row {
    T r = T(0.0);
    T projection = T(0.0);  // mean of g * xhat
    double magnitude = 0;   // mean of |g * xhat|
  };

  template <class T, class Cast>
  SEAMGATE_HOST_DEVICE static void add_terms(int pass, const double* in, const double* upstream,
                                             const Row<T>& row, Cast, T* totals) {
    add_norm_terms(pass, T(in[0]), in[1], upstream[0], row, totals);
  }

  template <class T>
  SEAMGATE_HOST_DEVICE static void finish(int pass, const T* totals, double columns, double eps,
                                          Row<T>& row) {
    if (pass == 0) {
      row.r = T(1.0) / sqrt(totals[0] / T(columns) + T(eps));
    } else {
      row.projection = totals[0] / T(columns);
      row.magnitude = size_of_value(totals[1]) / columns;
    }
  }

  template <class T, class Cast>
  SEAMGATE_HOST_DEVICE static void element(const double* in, const double* upstream, const Row<T>& row, Cast,
                                           T* out, T* gradients, double* sizes) {
    norm_element(T(in[0]), in[1], upstream[0], row, out[0], gradients[0], sizes[0], gradients[1], sizes[1]);
  }

  // The norm of a value v, for ops that are built on it.
  template <class T>
  SEAMGATE_HOST_DEVICE static void add_norm_terms(int pass, const T& v, double w, double gy,
                                                  const Row<T>& row, T* totals) {
    if (pass == 0) {
      totals[0] = totals[0] + v * v;
    } else {
      const T term = T(gy) * T(w) * (v * row.r);
      totals[0] = totals[0] + term;
      totals[1] = totals[1] + abs(term);
    }
  }

  template <class T>
  SEAMGATE_HOST_DEVICE static void norm_element(const T& v, double w, double gy, const Row<T>& row, T& y,
                                                T& dv, double& dv_size, T& dw, double& dw_size) {
    const T xhat = v * row.r;
    const T g = T(gy) * T(w);
    y = xhat * T(w);
    dv = row.r * (g - xhat * row.projection);
    dv_size = size_of_value(row.r) * (size_of_value(g) + size_of_value(xhat) * row.magnitude);
    dw = T(gy) * xhat;
    dw_size = size_of_value(dw);
  }
};

}  // namespace seamgate::reference
