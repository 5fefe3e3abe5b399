// A number that may be one of several: what inner roundings near a tie leave open. Arithmetic on such numbers
// gives every combination.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace seamgate::reference {

// `first` is what correct rounding of exact arithmetic gives; `others`, mostly none, are as right.
template <class R>
struct Choices {
  R first{0};
  std::vector<R> others;

  Choices() = default;
  Choices(R value) : first(value) {}  // NOLINT: a plain number is the only choice

  void admit(const R& value) {
    if (value != first && std::find(others.begin(), others.end(), value) == others.end())
      others.push_back(value);
  }
};

namespace choices_detail {

template <class R, class F>
Choices<R> each(const Choices<R>& a, F f) {
  Choices<R> result(f(a.first));
  for (const R& other : a.others) result.admit(f(other));
  return result;
}
template <class R, class F>
Choices<R> each(const Choices<R>& a, const Choices<R>& b, F f) {
  Choices<R> result(f(a.first, b.first));
  if (a.others.empty() && b.others.empty()) return result;
  const auto with = [&](const R& left) {
    result.admit(f(left, b.first));
    for (const R& right : b.others) result.admit(f(left, right));
  };
  with(a.first);
  for (const R& left : a.others) with(left);
  return result;
}

}  // namespace choices_detail

template <class R>
Choices<R> operator+(const Choices<R>& a, const Choices<R>& b) {
  return choices_detail::each(a, b, [](const R& p, const R& q) { return R(p + q); });
}
template <class R>
Choices<R> operator-(const Choices<R>& a, const Choices<R>& b) {
  return choices_detail::each(a, b, [](const R& p, const R& q) { return R(p - q); });
}
template <class R>
Choices<R> operator*(const Choices<R>& a, const Choices<R>& b) {
  return choices_detail::each(a, b, [](const R& p, const R& q) { return R(p * q); });
}
template <class R>
Choices<R> operator/(const Choices<R>& a, const Choices<R>& b) {
  return choices_detail::each(a, b, [](const R& p, const R& q) { return R(p / q); });
}
template <class R>
Choices<R> operator-(const Choices<R>& a) {
  return choices_detail::each(a, [](const R& p) { return R(-p); });
}
template <class R>
Choices<R> operator+(const Choices<R>& a, double b) {
  return a + Choices<R>(R(b));
}
template <class R>
Choices<R> operator+(double a, const Choices<R>& b) {
  return Choices<R>(R(a)) + b;
}
template <class R>
Choices<R> operator-(const Choices<R>& a, double b) {
  return a - Choices<R>(R(b));
}
template <class R>
Choices<R> operator-(double a, const Choices<R>& b) {
  return Choices<R>(R(a)) - b;
}
template <class R>
Choices<R> operator*(const Choices<R>& a, double b) {
  return a * Choices<R>(R(b));
}
template <class R>
Choices<R> operator*(double a, const Choices<R>& b) {
  return Choices<R>(R(a)) * b;
}
template <class R>
Choices<R> operator/(const Choices<R>& a, double b) {
  return a / Choices<R>(R(b));
}
template <class R>
Choices<R> operator/(double a, const Choices<R>& b) {
  return Choices<R>(R(a)) / b;
}
template <class R>
Choices<R> sqrt(const Choices<R>& a) {
  using std::sqrt;
  return choices_detail::each(a, [](const R& p) { return R(sqrt(p)); });
}
template <class R>
Choices<R> exp(const Choices<R>& a) {
  using std::exp;
  return choices_detail::each(a, [](const R& p) { return R(exp(p)); });
}
template <class R>
bool is_below(const Choices<R>& a, double bound) {
  return a.first < R(bound);
}

template <class R>
double constant_of(const Choices<R>& a) {
  return static_cast<double>(a.first);
}

// Sums take the first choice of every term: a statistic of a row has one value, not 2^N.
template <class R>
Choices<R> sum(std::span<const Choices<R>> terms) {
  R total = terms[0].first;
  for (std::size_t i = 1; i < terms.size(); ++i) total += terms[i].first;
  return total;
}
template <class R>
Choices<R> sum_of_squares(std::span<const Choices<R>> terms) {
  R total = terms[0].first * terms[0].first;
  for (std::size_t i = 1; i < terms.size(); ++i) total += terms[i].first * terms[i].first;
  return total;
}

}  // namespace seamgate::reference
