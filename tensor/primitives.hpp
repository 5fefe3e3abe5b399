// The primitive operations on bare tensors: the other half of every parity gate, so they stay simple.
#pragma once

#include <cstdint>

#include "tensor/tensor.hpp"

namespace seamgate {

// All arithmetic is in f32: operands of any dtype are widened on entry and the result is f32, packed, in
// storage of its own. Only `cast` makes another dtype. Sums are hierarchical (blocks of 32, of 32 blocks,
// ...) and depend on nothing but the length of the sum. Operands must be on one device. Misfits throw
// std::invalid_argument that names the operation. autodiff/primitives.hpp has the same names for tracked
// tensors; a bare template is chosen for bare tensors only.

// Elementwise with NumPy's broadcasting.
template <class B>
Tensor<B> add(const Tensor<B>& lhs, const Tensor<B>& rhs);
template <class B>
Tensor<B> sub(const Tensor<B>& lhs, const Tensor<B>& rhs);
template <class B>
Tensor<B> mul(const Tensor<B>& lhs, const Tensor<B>& rhs);
template <class B>
Tensor<B> div(const Tensor<B>& lhs, const Tensor<B>& rhs);
// The larger one, NaN where either is one. For bare tensors alone: it has no adjoint.
template <class B>
Tensor<B> maximum(const Tensor<B>& lhs, const Tensor<B>& rhs);

// Elementwise. `sqrt`, `recip` and divisions are IEEE, `exp` and `sigmoid` as good as the machine's expf.
template <class B>
Tensor<B> neg(const Tensor<B>& x);
template <class B>
Tensor<B> square(const Tensor<B>& x);
template <class B>
Tensor<B> sqrt(const Tensor<B>& x);
template <class B>
Tensor<B> recip(const Tensor<B>& x);
template <class B>
Tensor<B> exp(const Tensor<B>& x);
template <class B>
Tensor<B> sigmoid(const Tensor<B>& x);
template <class B>
Tensor<B> add_scalar(const Tensor<B>& x, float scalar);
template <class B>
Tensor<B> mul_scalar(const Tensor<B>& x, float scalar);
template <class B>
Tensor<B> div_scalar(const Tensor<B>& x, float scalar);

// Over one dimension, which stays with size 1. The sum of nothing is +0, the mean of nothing NaN.
template <class B>
Tensor<B> sum_dim(const Tensor<B>& x, int dim);
// sum_dim divided by the number of terms.
template <class B>
Tensor<B> mean_dim(const Tensor<B>& x, int dim);
// Over all elements in row-major order, to a scalar of rank 0.
template <class B>
Tensor<B> sum(const Tensor<B>& x);
// [M, K] by [K, N]; every product is rounded before it is added.
template <class B>
Tensor<B> matmul(const Tensor<B>& a, const Tensor<B>& b);

// Rearrangements as functions, so that generic code reads the same for bare and tracked tensors.
template <class B>
Tensor<B> cast(const Tensor<B>& x, DType dtype);
template <class B>
Tensor<B> reshape(const Tensor<B>& x, const Shape& shape);
template <class B>
Tensor<B> slice(const Tensor<B>& x, int dim, std::int64_t begin, std::int64_t end, std::int64_t step = 1);
template <class B>
Tensor<B> transpose(const Tensor<B>& x, int a, int b);
template <class B>
Tensor<B> expand(const Tensor<B>& x, const Shape& shape);
template <class B>
Tensor<B> contiguous(const Tensor<B>& x);

// The adjoint of broadcasting: sums over the dimensions in which `shape` was repeated. The result has
// `shape`.
template <class B>
Tensor<B> sum_to(const Tensor<B>& x, const Shape& shape);

}  // namespace seamgate
