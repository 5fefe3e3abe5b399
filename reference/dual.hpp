// Forward-mode differentiation in one direction, for spot checks of the reverse tape: it shares no code with
// it.
#pragma once

#include <cmath>

namespace seamgate::reference {

template <class T>
struct Dual {
  T value{0};
  T derivative{0};

  Dual() = default;
  Dual(T v, T d = T(0)) : value(v), derivative(d) {}  // NOLINT: a constant is a dual of derivative 0

  friend Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.derivative + b.derivative}; }
  friend Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.derivative - b.derivative}; }
  friend Dual operator*(Dual a, Dual b) {
    return {a.value * b.value, a.derivative * b.value + a.value * b.derivative};
  }
  friend Dual operator/(Dual a, Dual b) {
    return {a.value / b.value, (a.derivative * b.value - a.value * b.derivative) / (b.value * b.value)};
  }
  friend Dual operator+(Dual a, double b) { return a + Dual(T(b)); }
  friend Dual operator/(Dual a, double b) { return a / Dual(T(b)); }
  friend Dual operator/(double a, Dual b) { return Dual(T(a)) / b; }
  friend Dual operator+(double a, Dual b) { return Dual(T(a)) + b; }
  friend Dual operator*(Dual a, double b) { return a * Dual(T(b)); }
  friend Dual operator-(Dual a) { return {-a.value, -a.derivative}; }
  friend Dual sqrt(Dual a) {
    using std::sqrt;
    const T root = sqrt(a.value);
    return {root, a.derivative / (root + root)};
  }
  friend bool is_below(Dual a, double bound) { return a.value < T(bound); }
  friend double constant_of(Dual a) { return static_cast<double>(a.value); }
  friend Dual exp(Dual a) {
    using std::exp;
    const T e = exp(a.value);
    return {e, a.derivative * e};
  }
};

}  // namespace seamgate::reference
