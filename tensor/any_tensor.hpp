// A tensor whose backend, tape and strategy are known at run time only: what a module is asked with.
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "tensor/raw_view.hpp"

namespace seamgate {

// Holds a Tensor<Cpu>, a Tensor<Cuda> (in builds with CUDA), or a tracked tensor of either, under either
// strategy.
class AnyTensor {
 public:
  using Variant = std::variant<
      Tensor<Cpu>, Tensor<Autodiff<Cpu, NoCheckpointing>>, Tensor<Autodiff<Cpu, BalancedCheckpointing>>
#if defined(SEAMGATE_HAS_CUDA)
      ,
      Tensor<Cuda>, Tensor<Autodiff<Cuda, NoCheckpointing>>, Tensor<Autodiff<Cuda, BalancedCheckpointing>>
#endif
      >;

  template <class T>
  requires(!std::is_same_v<std::remove_cvref_t<T>, AnyTensor> && std::is_constructible_v<Variant, T>)
      AnyTensor(T&& tensor)
      : held_(std::forward<T>(tensor)) {}  // implicit: a tensor is an AnyTensor

  Device device() const;
  DType dtype() const;
  const Shape& shape() const;
  const Strides& strides() const;

  // Whether the type is an Autodiff, tracked or not.
  bool on_tape() const;
  // Of the type; none for a bare tensor.
  StrategyTag strategy() const;
  bool is_tracked() const;
  bool is_require_grad() const;
  // What the tape says of itself; a bare tensor's device and StrategyTag::none.
  TapeTags tags() const;
  // False when the tags disagree with the type or the device of the data. A bare tensor always agrees.
  bool tags_agree() const;
  // Out of the tape; a bare tensor as it is.
  AnyTensor inner() const;

  // The tensor when it is a T, else null.
  template <class T>
  const T* as() const {
    return std::get_if<T>(&held_);
  }

  // For a raw launch. Throws std::invalid_argument for a tensor on a tape, tracked or not.
  kernels::View view() const;

  // "cpu f32 [2, 3]", "cpu f32 [2, 3] on a tape (balanced, tracked)".
  std::string describe() const;

  const Variant& variant() const {
    return held_;
  }

 private:
  Variant held_;
};

// Calls `visitor` with the tensor that `any` holds.
template <class Visitor>
decltype(auto) visit(const AnyTensor& any, Visitor&& visitor) {
  return std::visit(std::forward<Visitor>(visitor), any.variant());
}

}  // namespace seamgate
