// A tensor that may stand on a tape. Semantics follow tracel-ai/burn.
#pragma once

#include <optional>
#include <utility>

#include "tensor/autodiff/node.hpp"
#include "tensor/autodiff/strategy.hpp"
#include "tensor/autodiff/tape.hpp"
#include "tensor/tensor.hpp"

namespace seamgate {

using autodiff::Gradients;
using autodiff::GradientsAccumulator;

// An inner tensor and its node. Three states: untracked; a leaf that requires a gradient (is_require_grad);
// the output of an operation with a tracked parent. The last two are tracked, and dispatch asks `is_tracked`.
template <class B, class S>
class Tensor<Autodiff<B, S>> {
 public:
  using Backend = B;
  using Strategy = S;

  // An untracked leaf.
  static Tensor from_inner(const Tensor<B>& inner) { return from_inner(inner, {inner.device(), S::tag}); }
  // The same with run-time tags that may disagree with the type; operations hand them on.
  static Tensor from_inner(const Tensor<B>& inner, TapeTags tags) {
    return Tensor(inner, autodiff::make_leaf(inner, tags, false));
  }

  // A leaf that requires a gradient: this one, or a new one over the same values. Throws std::logic_error for
  // the output of a tracked operation.
  [[nodiscard]] Tensor require_grad() const;
  // Untracked, same values.
  [[nodiscard]] Tensor detach() const { return from_inner(inner_, tags()); }
  // Out of the tape.
  Tensor<B> no_grad() const { return inner_; }
  const Tensor<B>& inner() const { return inner_; }

  bool is_tracked() const { return edge_.node->tracked(); }
  bool is_require_grad() const { return edge_.node->requirement == autodiff::Requirement::leaf; }
  TapeTags tags() const { return edge_.node->tags; }
  bool tags_agree() const { return tags() == TapeTags{inner_.device(), S::tag}; }
  autodiff::NodeInfo node() const { return edge_.node->info(); }

  const Shape& shape() const { return inner_.shape(); }
  const Strides& strides() const { return inner_.strides(); }
  int rank() const { return inner_.rank(); }
  std::int64_t numel() const { return inner_.numel(); }
  DType dtype() const { return inner_.dtype(); }
  Device device() const { return inner_.device(); }

  // Of one element, with a seed of 1; or with a given seed of this shape. Uses up the graph; see
  // autodiff/tape.hpp for errors. Throws std::logic_error for an untracked tensor.
  Gradients<B> backward() const;
  Gradients<B> backward(const Tensor<B>& seed) const { return autodiff::backward(edge_, seed); }
  // This leaf's gradient, in its shape and dtype, as often as asked; nothing for intermediate and untracked
  // tensors, and for a leaf that the loss did not depend on.
  std::optional<Tensor<B>> grad(const Gradients<B>& gradients) const { return gradients.find(edge_.key()); }

  // For the autodiff machinery.
  Tensor(const Tensor<B>& inner, autodiff::Edge<B> edge) : inner_(inner), edge_(std::move(edge)) {}
  const autodiff::Edge<B>& edge() const { return edge_; }

 private:
  Tensor<B> inner_;
  autodiff::Edge<B> edge_;
};

#define SEAMGATE_DECLARE_TRACKED(B)                           \
  extern template class Tensor<Autodiff<B, NoCheckpointing>>; \
  extern template class Tensor<Autodiff<B, BalancedCheckpointing>>;
SEAMGATE_FOR_EACH_BACKEND(SEAMGATE_DECLARE_TRACKED)
#undef SEAMGATE_DECLARE_TRACKED

}  // namespace seamgate
