// What a scalar definition may write: + - * /, sqrt, exp, sum, sum_of_squares and constants taken from its
// inputs, on plain and on recorded numbers.
#pragma once

#include <cmath>
#include <span>

#include "reference/reverse_tape.hpp"

namespace seamgate::reference {

template <class T>
Var<T> operator+(Var<T> a, Var<T> b) {
  return a.tape->push(ReverseTape<T>::Operation::add, a.index, b.index, a.value() + b.value());
}
template <class T>
Var<T> operator-(Var<T> a, Var<T> b) {
  return a.tape->push(ReverseTape<T>::Operation::subtract, a.index, b.index, a.value() - b.value());
}
template <class T>
Var<T> operator*(Var<T> a, Var<T> b) {
  return a.tape->push(ReverseTape<T>::Operation::multiply, a.index, b.index, a.value() * b.value());
}
template <class T>
Var<T> operator/(Var<T> a, Var<T> b) {
  return a.tape->push(ReverseTape<T>::Operation::divide, a.index, b.index, a.value() / b.value());
}
template <class T>
Var<T> operator-(Var<T> a) {
  return a.tape->push(ReverseTape<T>::Operation::negate, a.index, 0, -a.value());
}

// A constant is a leaf that nobody reads.
template <class T>
Var<T> operator+(Var<T> a, double b) {
  return a + a.tape->leaf(T(b));
}
template <class T>
Var<T> operator+(double a, Var<T> b) {
  return b.tape->leaf(T(a)) + b;
}
template <class T>
Var<T> operator-(Var<T> a, double b) {
  return a - a.tape->leaf(T(b));
}
template <class T>
Var<T> operator-(double a, Var<T> b) {
  return b.tape->leaf(T(a)) - b;
}
template <class T>
Var<T> operator*(Var<T> a, double b) {
  return a * a.tape->leaf(T(b));
}
template <class T>
Var<T> operator*(double a, Var<T> b) {
  return b.tape->leaf(T(a)) * b;
}
template <class T>
Var<T> operator/(Var<T> a, double b) {
  return a / a.tape->leaf(T(b));
}
template <class T>
Var<T> operator/(double a, Var<T> b) {
  return b.tape->leaf(T(a)) / b;
}

template <class T>
Var<T> sqrt(Var<T> a) {
  using std::sqrt;
  return a.tape->push(ReverseTape<T>::Operation::square_root, a.index, 0, sqrt(a.value()));
}
template <class T>
Var<T> exp(Var<T> a) {
  using std::exp;
  return a.tape->push(ReverseTape<T>::Operation::exponential, a.index, 0, exp(a.value()));
}

// Where a definition chooses between two forms of one function.
template <class T>
bool is_below(Var<T> a, double bound) {
  return a.value() < T(bound);
}
template <class T>
bool is_below(const T& a, double bound) {
  return a < T(bound);
}

// The number alone, without a derivative: for a constant that a definition takes from its inputs and of which
// its result does not depend, such as the shift of an exponent.
template <class T>
double constant_of(Var<T> a) {
  return static_cast<double>(a.value());
}
template <class T>
double constant_of(const T& a) {
  return static_cast<double>(a);
}

// Over one or more numbers; in order, which in quad costs N units of 1e-34.
template <class T>
T sum(std::span<const T> terms) {
  T total = terms[0];
  for (std::size_t i = 1; i < terms.size(); ++i) total = total + terms[i];
  return total;
}
template <class T>
T sum_of_squares(std::span<const T> terms) {
  T total = terms[0] * terms[0];
  for (std::size_t i = 1; i < terms.size(); ++i) total = total + terms[i] * terms[i];
  return total;
}

// The same as one node: a chain of N additions would cost N adjoints more.
template <class T>
Var<T> sum(std::span<const Var<T>> terms) {
  T total = terms[0].value();
  for (std::size_t i = 1; i < terms.size(); ++i) total += terms[i].value();
  return terms[0].tape->push_many(ReverseTape<T>::Operation::sum, terms, total);
}
template <class T>
Var<T> sum_of_squares(std::span<const Var<T>> terms) {
  T total = terms[0].value() * terms[0].value();
  for (std::size_t i = 1; i < terms.size(); ++i) total += terms[i].value() * terms[i].value();
  return terms[0].tape->push_many(ReverseTape<T>::Operation::sum_of_squares, terms, total);
}

}  // namespace seamgate::reference
