// A tensor that may stand on a tape.
#include "tensor/autodiff/tracked_tensor.hpp"

#include <stdexcept>

namespace seamgate {

template <class B, class S>
Tensor<Autodiff<B, S>> Tensor<Autodiff<B, S>>::require_grad() const {
  switch (edge_.node->requirement) {
    case autodiff::Requirement::leaf:
      return *this;
    case autodiff::Requirement::none:
      return Tensor(inner_, autodiff::make_leaf(inner_, tags(), true));
    case autodiff::Requirement::through_parents:
      break;
  }
  throw std::logic_error("require_grad on a non-leaf tensor (" + autodiff::label(*edge_.node) +
                         "): allowed on leaves and untracked tensors; detach it first");
}

template <class B, class S>
Gradients<B> Tensor<Autodiff<B, S>>::backward() const {
  if (numel() != 1) {
    throw std::invalid_argument("backward on a tensor of shape " + to_string(shape()) +
                                "; it needs one element, or a seed");
  }
  return backward(Tensor<B>::ones(shape(), dtype(), device()));
}

#define SEAMGATE_DEFINE_TRACKED(B)                     \
  template class Tensor<Autodiff<B, NoCheckpointing>>; \
  template class Tensor<Autodiff<B, BalancedCheckpointing>>;
SEAMGATE_FOR_EACH_BACKEND(SEAMGATE_DEFINE_TRACKED)

}  // namespace seamgate
