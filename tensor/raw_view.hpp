// What a raw kernel launch takes: bare tensors only.
#pragma once

#include "tensor/autodiff/tracked_tensor.hpp"

namespace seamgate {

template <class>
inline constexpr bool is_bare = false;
template <class B>
inline constexpr bool is_bare<Tensor<B>> = true;
template <class B, class S>
inline constexpr bool is_bare<Tensor<Autodiff<B, S>>> = false;

// Borrowed: valid while a tensor over the storage lives. A tracked tensor does not compile: its gradient
// would be lost without a word. Strip it with inner(), or register a node (autodiff/prepare.hpp).
template <class T>
kernels::View raw_view(const T& tensor) {
  static_assert(is_bare<T>, "a raw launch takes bare tensors");
  return tensor.view();
}

}  // namespace seamgate
