// The backward pass over a graph.
#pragma once

#include "tensor/autodiff/gradients.hpp"

namespace seamgate::autodiff {

// Runs every step between `root` and the leaves, children before parents, on bare tensors; adds no node. A
// value's gradient has that value's shape and dtype: contributions are added in f32 and rounded once.
// Deterministic: the order of additions is that of the nodes' making. The steps are used up: a second pass
// over any of them throws std::logic_error that names the node, before anything is computed. `seed` is the
// gradient of `root`, in its shape.
template <class B>
Gradients<B> backward(const Edge<B>& root, const Tensor<B>& seed);

}  // namespace seamgate::autodiff
