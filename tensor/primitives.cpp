// The primitive operations on bare tensors: shape checks, then one call of the backend.
#include "tensor/primitives.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace seamgate {
namespace {

// "add" of "primitive.add".
const char* short_name(BinaryOp op) {
  return log_name(op).substr(log_name(op).find('.') + 1).data();
}

template <class B>
void same_device(const Tensor<B>& lhs, const Tensor<B>& rhs, const char* op) {
  if (lhs.device() == rhs.device()) return;
  throw std::invalid_argument(std::string(op) + ": operands on " + to_string(lhs.device()) + " and " +
                              to_string(rhs.device()) + "; both must be on one device");
}

template <class B>
Tensor<B> binary(BinaryOp op, const Tensor<B>& lhs, const Tensor<B>& rhs) {
  same_device(lhs, rhs, short_name(op));
  const Shape shape = broadcast(lhs.shape(), rhs.shape(), short_name(op));
  Tensor<B> out = Tensor<B>::empty(shape, DType::f32, lhs.device());
  B::binary(lhs.device(), op, lhs.expand(shape).view(), rhs.expand(shape).view(), out.view());
  return out;
}

template <class B>
Tensor<B> unary(UnaryOp op, const Tensor<B>& x, float scalar = 0.0F) {
  Tensor<B> out = Tensor<B>::empty(x.shape(), DType::f32, x.device());
  B::unary(x.device(), op, scalar, x.view(), out.view());
  return out;
}

// Sums the middle of [outer, len, inner], level by level of the tree.
template <class B>
Tensor<B> sum_middle(const Tensor<B>& x, std::int64_t outer, std::int64_t len, std::int64_t inner,
                     const Shape& shape) {
  if (len == 0 || outer * inner == 0) return Tensor<B>::zeros(shape, DType::f32, x.device());
  Tensor<B> terms = x.cast(DType::f32).contiguous();
  do {
    const std::int64_t blocks = (len + sum_block - 1) / sum_block;
    Tensor<B> sums = Tensor<B>::empty({outer, blocks, inner}, DType::f32, x.device());
    B::sum_blocks(x.device(), static_cast<const float*>(terms.data()), static_cast<float*>(sums.data()),
                  outer, len, inner);
    terms = sums;
    len = blocks;
  } while (len > 1);
  return terms.reshape(shape);
}

}  // namespace

#define SEAMGATE_DEFINE_BINARY(NAME)                           \
  template <class B>                                           \
  Tensor<B> NAME(const Tensor<B>& lhs, const Tensor<B>& rhs) { \
    return binary(BinaryOp::NAME, lhs, rhs);                   \
  }
SEAMGATE_DEFINE_BINARY(add)
SEAMGATE_DEFINE_BINARY(sub)
SEAMGATE_DEFINE_BINARY(mul)
SEAMGATE_DEFINE_BINARY(div)
SEAMGATE_DEFINE_BINARY(maximum)

#define SEAMGATE_DEFINE_UNARY(NAME)    \
  template <class B>                   \
  Tensor<B> NAME(const Tensor<B>& x) { \
    return unary(UnaryOp::NAME, x);    \
  }
SEAMGATE_DEFINE_UNARY(neg)
SEAMGATE_DEFINE_UNARY(square)
SEAMGATE_DEFINE_UNARY(sqrt)
SEAMGATE_DEFINE_UNARY(recip)
SEAMGATE_DEFINE_UNARY(exp)
SEAMGATE_DEFINE_UNARY(sigmoid)

#define SEAMGATE_DEFINE_SCALAR(NAME)                 \
  template <class B>                                 \
  Tensor<B> NAME(const Tensor<B>& x, float scalar) { \
    return unary(UnaryOp::NAME, x, scalar);          \
  }
SEAMGATE_DEFINE_SCALAR(add_scalar)
SEAMGATE_DEFINE_SCALAR(mul_scalar)
SEAMGATE_DEFINE_SCALAR(div_scalar)

template <class B>
Tensor<B> sum_dim(const Tensor<B>& x, int dim) {
  dim = normalised_dim(dim, x.rank(), "sum_dim");
  Shape shape = x.shape();
  std::int64_t outer = 1;
  std::int64_t inner = 1;
  for (int i = 0; i < dim; ++i) outer *= shape[i];
  for (int i = dim + 1; i < x.rank(); ++i) inner *= shape[i];
  shape[dim] = 1;
  return sum_middle(x, outer, x.shape()[dim], inner, shape);
}

template <class B>
Tensor<B> mean_dim(const Tensor<B>& x, int dim) {
  dim = normalised_dim(dim, x.rank(), "mean_dim");
  return div_scalar(sum_dim(x, dim), static_cast<float>(x.shape()[dim]));
}

template <class B>
Tensor<B> sum(const Tensor<B>& x) {
  return sum_middle(x, 1, x.numel(), 1, Shape{});
}

template <class B>
Tensor<B> matmul(const Tensor<B>& a, const Tensor<B>& b) {
  same_device(a, b, "matmul");
  if (a.rank() != 2 || b.rank() != 2 || a.shape()[1] != b.shape()[0]) {
    throw std::invalid_argument("matmul: shapes " + to_string(a.shape()) + " and " + to_string(b.shape()) +
                                "; allowed are [M, K] and [K, N]");
  }
  Tensor<B> out = Tensor<B>::empty({a.shape()[0], b.shape()[1]}, DType::f32, a.device());
  B::matmul(a.device(), a.view(), b.view(), out.view());
  return out;
}

template <class B>
Tensor<B> cast(const Tensor<B>& x, DType dtype) {
  return x.cast(dtype);
}

template <class B>
Tensor<B> reshape(const Tensor<B>& x, const Shape& shape) {
  return x.reshape(shape);
}

template <class B>
Tensor<B> slice(const Tensor<B>& x, int dim, std::int64_t begin, std::int64_t end, std::int64_t step) {
  return x.slice(dim, begin, end, step);
}

template <class B>
Tensor<B> transpose(const Tensor<B>& x, int a, int b) {
  return x.transpose(a, b);
}

template <class B>
Tensor<B> expand(const Tensor<B>& x, const Shape& shape) {
  return x.expand(shape);
}

template <class B>
Tensor<B> contiguous(const Tensor<B>& x) {
  return x.contiguous();
}

template <class B>
Tensor<B> sum_to(const Tensor<B>& x, const Shape& shape) {
  Tensor<B> result = x;
  const int lead = x.rank() - shape.rank();
  for (int i = 0; i < x.rank(); ++i) {
    const bool repeated = i < lead || (shape[i - lead] == 1 && x.shape()[i] != 1);
    if (repeated) result = sum_dim(result, i);
  }
  return result.reshape(shape);
}

#define SEAMGATE_DEFINE_PRIMITIVES(B)                                                        \
  template Tensor<B> add(const Tensor<B>&, const Tensor<B>&);                                \
  template Tensor<B> sub(const Tensor<B>&, const Tensor<B>&);                                \
  template Tensor<B> mul(const Tensor<B>&, const Tensor<B>&);                                \
  template Tensor<B> div(const Tensor<B>&, const Tensor<B>&);                                \
  template Tensor<B> maximum(const Tensor<B>&, const Tensor<B>&);                            \
  template Tensor<B> neg(const Tensor<B>&);                                                  \
  template Tensor<B> square(const Tensor<B>&);                                               \
  template Tensor<B> sqrt(const Tensor<B>&);                                                 \
  template Tensor<B> recip(const Tensor<B>&);                                                \
  template Tensor<B> exp(const Tensor<B>&);                                                  \
  template Tensor<B> sigmoid(const Tensor<B>&);                                              \
  template Tensor<B> add_scalar(const Tensor<B>&, float);                                    \
  template Tensor<B> mul_scalar(const Tensor<B>&, float);                                    \
  template Tensor<B> div_scalar(const Tensor<B>&, float);                                    \
  template Tensor<B> sum_dim(const Tensor<B>&, int);                                         \
  template Tensor<B> mean_dim(const Tensor<B>&, int);                                        \
  template Tensor<B> sum(const Tensor<B>&);                                                  \
  template Tensor<B> matmul(const Tensor<B>&, const Tensor<B>&);                             \
  template Tensor<B> cast(const Tensor<B>&, DType);                                          \
  template Tensor<B> reshape(const Tensor<B>&, const Shape&);                                \
  template Tensor<B> slice(const Tensor<B>&, int, std::int64_t, std::int64_t, std::int64_t); \
  template Tensor<B> transpose(const Tensor<B>&, int, int);                                  \
  template Tensor<B> expand(const Tensor<B>&, const Shape&);                                 \
  template Tensor<B> contiguous(const Tensor<B>&);                                           \
  template Tensor<B> sum_to(const Tensor<B>&, const Shape&);
SEAMGATE_FOR_EACH_BACKEND(SEAMGATE_DEFINE_PRIMITIVES)

}  // namespace seamgate
