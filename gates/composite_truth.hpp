// The truth of a graph around an op, where gradients add: in float128, element by element.
#pragma once

#include <span>

#include "reference/truth.hpp"

namespace seamgate::gates {

// a + b. Scales add: terms that are each within a bar of their own scale are together within that bar of the
// sum.
reference::TruthTensor sum_of(const reference::TruthTensor& a, const reference::TruthTensor& b);

// a + values, such as an upstream gradient that reaches an input past the op. The scale of values is their
// largest magnitude in a's slice.
reference::TruthTensor sum_of(const reference::TruthTensor& a, std::span<const float> values);

}  // namespace seamgate::gates
