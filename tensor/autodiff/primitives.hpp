// The primitive operations on tracked tensors: the names and formulas of tensor/primitives.hpp,
// differentiated by the tape.
#pragma once

#include <cstdint>

#include "tensor/autodiff/tracked_tensor.hpp"
#include "tensor/primitives.hpp"

namespace seamgate {

// Elementwise operations, casts and rearrangements are memory-bound, sums and matmul compute-bound. Gradients
// are computed in f32 and summed back over broadcast dimensions; casts differentiate as identity.

template <class B, class S>
Tensor<Autodiff<B, S>> add(const Tensor<Autodiff<B, S>>& lhs, const Tensor<Autodiff<B, S>>& rhs);
template <class B, class S>
Tensor<Autodiff<B, S>> sub(const Tensor<Autodiff<B, S>>& lhs, const Tensor<Autodiff<B, S>>& rhs);
template <class B, class S>
Tensor<Autodiff<B, S>> mul(const Tensor<Autodiff<B, S>>& lhs, const Tensor<Autodiff<B, S>>& rhs);
template <class B, class S>
Tensor<Autodiff<B, S>> div(const Tensor<Autodiff<B, S>>& lhs, const Tensor<Autodiff<B, S>>& rhs);

template <class B, class S>
Tensor<Autodiff<B, S>> neg(const Tensor<Autodiff<B, S>>& x);
template <class B, class S>
Tensor<Autodiff<B, S>> square(const Tensor<Autodiff<B, S>>& x);
template <class B, class S>
Tensor<Autodiff<B, S>> sqrt(const Tensor<Autodiff<B, S>>& x);
template <class B, class S>
Tensor<Autodiff<B, S>> recip(const Tensor<Autodiff<B, S>>& x);
template <class B, class S>
Tensor<Autodiff<B, S>> exp(const Tensor<Autodiff<B, S>>& x);
template <class B, class S>
Tensor<Autodiff<B, S>> sigmoid(const Tensor<Autodiff<B, S>>& x);
template <class B, class S>
Tensor<Autodiff<B, S>> add_scalar(const Tensor<Autodiff<B, S>>& x, float scalar);
template <class B, class S>
Tensor<Autodiff<B, S>> mul_scalar(const Tensor<Autodiff<B, S>>& x, float scalar);
template <class B, class S>
Tensor<Autodiff<B, S>> div_scalar(const Tensor<Autodiff<B, S>>& x, float scalar);

template <class B, class S>
Tensor<Autodiff<B, S>> sum_dim(const Tensor<Autodiff<B, S>>& x, int dim);
template <class B, class S>
Tensor<Autodiff<B, S>> mean_dim(const Tensor<Autodiff<B, S>>& x, int dim);
template <class B, class S>
Tensor<Autodiff<B, S>> sum(const Tensor<Autodiff<B, S>>& x);
template <class B, class S>
Tensor<Autodiff<B, S>> matmul(const Tensor<Autodiff<B, S>>& a, const Tensor<Autodiff<B, S>>& b);

template <class B, class S>
Tensor<Autodiff<B, S>> cast(const Tensor<Autodiff<B, S>>& x, DType dtype);
template <class B, class S>
Tensor<Autodiff<B, S>> reshape(const Tensor<Autodiff<B, S>>& x, const Shape& shape);
template <class B, class S>
Tensor<Autodiff<B, S>> slice(const Tensor<Autodiff<B, S>>& x, int dim, std::int64_t begin, std::int64_t end,
                             std::int64_t step = 1);
template <class B, class S>
Tensor<Autodiff<B, S>> transpose(const Tensor<Autodiff<B, S>>& x, int a, int b);
template <class B, class S>
Tensor<Autodiff<B, S>> expand(const Tensor<Autodiff<B, S>>& x, const Shape& shape);
template <class B, class S>
Tensor<Autodiff<B, S>> contiguous(const Tensor<Autodiff<B, S>>& x);

}  // namespace seamgate
