// The vocabulary in which an op's scalar definition is written. See rmsnorm.hpp for an example.
#pragma once

#include <cmath>
#include <span>

#include "reference/op_definition.hpp"
#include "reference/tape_arithmetic.hpp"

// A definition is a struct of static members:
//
//   static const std::string_view name; inputs(), outputs(), variants()    as in OpDefinition
//   static void check(const Attributes&)                                   throws std::invalid_argument
//   template <class T, class Rounding>
//   static void row(RowIn<T> in, const Attributes&, Rounding, RowOut<T> out)
//   static bool classify(const RowOfFloats& row, const Attributes&, RowClasses& classes)
//
// `row` is the op on one row, written from the formula: in[i] is the i-th input's row (or the vector that all
// rows share), out[j] the j-th output's row, all of one length N >= 1. T is the number type: quad, a recorded
// quad, a dual.
namespace seamgate::reference {

template <class T>
using RowIn = std::span<const std::span<const T>>;
template <class T>
using RowOut = std::span<const std::span<T>>;

// A cast that a variant declares between operations goes through the policy. This one makes every cast the
// identity; it is the instantiation that is differentiated, since casts differentiate as identity.
struct NoRounding {
  template <class T>
  T operator()(T value) const {
    return value;
  }
};

// One row as the kernel gets it. `upstream` is empty when no gradients are wanted; one of its spans is empty
// when that gradient is zero.
struct RowOfFloats {
  std::span<const std::span<const float>> inputs;
  std::span<const std::span<const float>> upstream;
};

// Where IEEE arithmetic in the declared statistics dtype leaves the real numbers, `classify` says for every
// element what must come out (for an input of extent `columns`: what the row contributes) and returns true.
// On an ordinary row it returns false and leaves the classes alone. Gradients are to be filled only if
// upstream is given.
struct RowClasses {
  std::span<const std::span<ElementClass>> outputs;
  std::span<const std::span<ElementClass>> gradients;
};

inline ElementClass class_of(double value) {
  if (std::isnan(value)) return ElementClass::nan;
  if (std::isinf(value)) return value > 0 ? ElementClass::plus_infinity : ElementClass::minus_infinity;
  return value == 0 ? ElementClass::zero : ElementClass::number;
}

}  // namespace seamgate::reference
