// A tensor known at run time only.
#include "tensor/any_tensor.hpp"

#include <stdexcept>

namespace seamgate {

Device AnyTensor::device() const {
  return visit(*this, [](const auto& tensor) { return tensor.device(); });
}
DType AnyTensor::dtype() const {
  return visit(*this, [](const auto& tensor) { return tensor.dtype(); });
}
const Shape& AnyTensor::shape() const {
  return visit(*this, [](const auto& tensor) -> const Shape& { return tensor.shape(); });
}
const Strides& AnyTensor::strides() const {
  return visit(*this, [](const auto& tensor) -> const Strides& { return tensor.strides(); });
}

namespace {

// `tracked(tensor)` for a tensor on a tape, `bare` for one that is not.
template <class Tracked, class Result>
Result on_tape_or(const AnyTensor& any, Tracked tracked, Result bare) {
  return visit(any, [&]<class T>(const T& tensor) -> Result {
    if constexpr (is_bare<T>) {
      return bare;
    } else {
      return tracked(tensor);
    }
  });
}

}  // namespace

bool AnyTensor::on_tape() const {
  return on_tape_or(
      *this, [](const auto&) { return true; }, false);
}
StrategyTag AnyTensor::strategy() const {
  return on_tape_or(
      *this, []<class T>(const T&) { return T::Strategy::tag; }, StrategyTag::none);
}
bool AnyTensor::is_tracked() const {
  return on_tape_or(
      *this, [](const auto& tensor) { return tensor.is_tracked(); }, false);
}
bool AnyTensor::is_require_grad() const {
  return on_tape_or(
      *this, [](const auto& tensor) { return tensor.is_require_grad(); }, false);
}
TapeTags AnyTensor::tags() const {
  return on_tape_or(
      *this, [](const auto& tensor) { return tensor.tags(); }, TapeTags{device(), StrategyTag::none});
}
bool AnyTensor::tags_agree() const {
  return on_tape_or(
      *this, [](const auto& tensor) { return tensor.tags_agree(); }, true);
}
AnyTensor AnyTensor::inner() const {
  return on_tape_or(
      *this, [](const auto& tensor) { return AnyTensor(tensor.inner()); }, *this);
}

kernels::View AnyTensor::view() const {
  return visit(*this, [this]<class T>(const T& tensor) -> kernels::View {
    if constexpr (is_bare<T>) {
      return tensor.view();
    } else {
      throw std::invalid_argument("a raw launch takes bare tensors; got a tensor tracked by Autodiff: " +
                                  describe() + "; strip it with inner() or register a node");
    }
  });
}

std::string AnyTensor::describe() const {
  std::string text = to_string(device()) + " " + std::string(to_string(dtype())) + " " + to_string(shape());
  if (!on_tape()) return text;
  return text + " on a tape (" + std::string(to_string(strategy())) +
         (is_tracked() ? ", tracked)" : ", untracked)");
}

}  // namespace seamgate
