// The vocabulary in which an op's scalar definition is written. See rmsnorm.hpp for an example.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "reference/casts.hpp"
#include "reference/op_definition.hpp"
#include "reference/tape_arithmetic.hpp"

// A definition is a struct of static members:
//
//   static const std::string_view name; inputs(), outputs(), variants()    as in OpDefinition
//   static void check(const Setting&)                                      throws std::invalid_argument
//   static std::vector<Format> output_formats(const Setting&)
//   template <class T, class Rounding>
//   static void row(RowIn<T> in, const Setting&, const Rounding& cast, RowOut<T> out)
//   static bool classify(const RowOfFloats& row, const Setting&, RowClasses& classes)
//
// `row` is the op on one row, written from the formula: in[i] is the i-th input's row (or the vector that all
// rows share), out[j] the j-th output's row, all of one length N >= 1. T is the number type: quad, a recorded
// quad, a dual, a quad with alternatives. Casts between operations go through `cast`, see casts.hpp; the last
// one, to the output's format, is not written.

namespace seamgate::reference {

template <class T>
using RowIn = std::span<const std::span<const T>>;
template <class T>
using RowOut = std::span<const std::span<T>>;

// What all rows of an evaluation share. `formats` are those of the inputs.
struct Setting {
  Attributes attributes;
  std::vector<Format> formats;
};

// As PyTorch promotes: two different formats meet in f32.
constexpr Format promote(Format a, Format b) {
  return a == b ? a : Format::f32;
}

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
//
// Slack, {0, 0} at first, is between which offsets from the exact value an element may be because f32
// arithmetic underflows on the way to it; `classify` writes all of it on every row on which it returns true,
// or never.
struct RowClasses {
  std::span<const std::span<ElementClass>> outputs;
  std::span<const std::span<ElementClass>> gradients;
  std::span<const std::span<Interval>> output_slack;
  std::span<const std::span<Interval>> gradient_slack;
};

inline ElementClass class_of(double value) {
  if (std::isnan(value)) return ElementClass::nan;
  if (std::isinf(value)) return value > 0 ? ElementClass::plus_infinity : ElementClass::minus_infinity;
  return value == 0 ? ElementClass::zero : ElementClass::number;
}

}  // namespace seamgate::reference
