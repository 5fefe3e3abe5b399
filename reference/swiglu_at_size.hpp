// SwiGLU at size, variant default: y = silu(a) * b, silu(a) = a * s, s = 1 / (1 + exp(-a));
//   da = gy * b * s * (1 + a * (1 - s)),  db = gy * silu(a)
// For |a| <= 80, where no sigmoid is below f32's numbers. 1 - s is exp(-a) * s, which keeps its digits.
// Source: reference/swiglu.hpp, and the adjoint by differentiation.
#pragma once

#include "reference/at_size.hpp"

namespace seamgate::reference {

struct SwiGluAtSize {
  static constexpr int inputs = 2;  // a, b
  static constexpr int outputs = 1;
  SEAMGATE_HOST_DEVICE static constexpr bool per_column(int) { return false; }
  static constexpr int passes = 0;
  static constexpr int sums = 1;

  template <class T>
  struct Row {};

  template <class T, class Cast>
  SEAMGATE_HOST_DEVICE static void add_terms(int, const double*, const double*, const Row<T>&, Cast, T*) {}

  template <class T>
  SEAMGATE_HOST_DEVICE static void finish(int, const T*, double, double, Row<T>&) {}

  template <class T, class Cast>
  SEAMGATE_HOST_DEVICE static void element(const double* in, const double* upstream, const Row<T>&, Cast,
                                           T* out, T* gradients, double* sizes) {
    const T a = T(in[0]);
    const T e = exp(T(-in[0]));
    const T s = T(1.0) / (T(1.0) + e);
    const T rest = e * s;  // 1 - s
    const T silu = a * s;
    const T g = T(upstream[0]) * T(in[1]);
    out[0] = silu * T(in[1]);
    gradients[0] = g * s * (T(1.0) + a * rest);
    sizes[0] = size_of_value(g) * size_of_value(s) * (1.0 + ::fabs(in[0]) * size_of_value(rest));
    gradients[1] = T(upstream[0]) * silu;
    sizes[1] = size_of_value(gradients[1]);
  }
};

}  // namespace seamgate::reference
