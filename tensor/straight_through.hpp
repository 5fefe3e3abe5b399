// A declared cast inside an operation: the value is rounded, the derivative is that of the value before.
#pragma once

#include "tensor/autodiff/prepare.hpp"
#include "tensor/autodiff/primitives.hpp"
#include "tensor/primitives.hpp"

namespace seamgate {

// The values of `x` rounded to nearest even to what `dtype` holds, as f32.
template <class B>
Tensor<B> rounded(const Tensor<B>& x, DType dtype) {
  return cast(cast(x, dtype), DType::f32);
}

// `value` in place of `x`, with x's gradient: the upstream gradient, unrounded. For a bare tensor, `value` itself.
template <class B>
Tensor<B> straight_through(const Tensor<B>&, const Tensor<B>& value) {
  return value;
}

template <class B, class S>
Tensor<Autodiff<B, S>> straight_through(const Tensor<Autodiff<B, S>>& x, const Tensor<B>& value) {
  autodiff::Preparation<B, S> node = autodiff::prepare<B, S>("straight_through", {&x});
  node.compute_bound();
  return node.finish(value, [](autodiff::BackwardContext<B>& context) { context.set_grad(0, context.upstream()); });
}

// The bare tensor of either kind.
template <class B>
const Tensor<B>& bare_of(const Tensor<B>& x) {
  return x;
}
template <class B, class S>
const Tensor<B>& bare_of(const Tensor<Autodiff<B, S>>& x) {
  return x.inner();
}

// A declared cast of an operation's inner value: rounded forward, identity backward.
template <class T>
T inner_cast(const T& x, DType dtype) {
  if (dtype == DType::f32) return x;
  return straight_through(x, rounded(bare_of(x), dtype));
}

}  // namespace seamgate
