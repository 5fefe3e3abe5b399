// What a node's backward step sees, with the checks that keep a custom node honest.
#include "tensor/autodiff/backward_context.hpp"

#include <stdexcept>
#include <utility>

namespace seamgate::autodiff {

template <class B>
BackwardContext<B>::BackwardContext(const Node<B>& node, const Step<B>& step, Checkpointer<B>& checkpoints,
                                    std::vector<std::optional<Tensor<B>>> upstream)
    : node_(node),
      step_(step),
      checkpoints_(checkpoints),
      upstream_(std::move(upstream)),
      grads_(node.parents.size()),
      parent_budget_(node.parents.size(), 0) {
  for (const Kept<B>& kept : step.kept) {
    if (kept.parent >= 0) {
      ++parent_budget_[static_cast<std::size_t>(kept.parent)];
    } else {
      value_taken_.push_back(false);
    }
  }
}

template <class B>
void BackwardContext<B>::check_index(int i, const char* call) const {
  if (i >= 0 && i < static_cast<int>(node_.parents.size())) return;
  throw std::logic_error(label(node_) + ": " + call + "(" + std::to_string(i) + "), but it has " +
                         std::to_string(node_.parents.size()) + " parents");
}

template <class B>
Tensor<B> BackwardContext<B>::upstream(int output) const {
  if (output < 0 || output >= static_cast<int>(node_.outputs.size())) {
    throw std::logic_error(label(node_) + ": upstream(" + std::to_string(output) + "), but it has " +
                           std::to_string(node_.outputs.size()) + " outputs");
  }
  const OutputInfo& info = node_.outputs[static_cast<std::size_t>(output)];
  const auto& gradient = upstream_[static_cast<std::size_t>(output)];
  return gradient ? gradient->cast(info.dtype) : Tensor<B>::zeros(info.shape, info.dtype, info.device);
}

template <class B>
Tensor<B> BackwardContext<B>::parent(int i) {
  check_index(i, "parent");
  if (parent_budget_[static_cast<std::size_t>(i)]-- <= 0) {
    throw std::logic_error(label(node_) + ": parent " + std::to_string(i) +
                           " was retrieved once too many; allowed is one retrieval per checkpoint");
  }
  return checkpoints_.retrieve(node_.parents[static_cast<std::size_t>(i)].key(),
                               "parent " + std::to_string(i) + " of " + label(node_));
}

template <class B>
Tensor<B> BackwardContext<B>::value(int k) {
  int seen = 0;
  for (const Kept<B>& kept : step_.kept) {
    if (kept.parent >= 0 || seen++ != k) continue;
    if (value_taken_[static_cast<std::size_t>(k)]) {
      throw std::logic_error(label(node_) + ": value " + std::to_string(k) +
                             " was retrieved once too many; allowed is one retrieval per checkpoint");
    }
    value_taken_[static_cast<std::size_t>(k)] = true;
    return checkpoints_.retrieve(kept.key, "value " + std::to_string(k) + " of " + label(node_));
  }
  throw std::logic_error(label(node_) + ": value(" + std::to_string(k) + "), but it checkpointed " +
                         std::to_string(value_taken_.size()) + " values");
}

template <class B>
bool BackwardContext<B>::wants(int i) const {
  check_index(i, "wants");
  return node_.parents[static_cast<std::size_t>(i)].node->tracked();
}

template <class B>
void BackwardContext<B>::set_grad(int i, const Tensor<B>& gradient) {
  check_index(i, "set_grad");
  const Edge<B>& parent = node_.parents[static_cast<std::size_t>(i)];
  auto& place = grads_[static_cast<std::size_t>(i)];
  if (!wants(i)) {
    throw std::logic_error(label(node_) + ": a gradient for parent " + std::to_string(i) +
                           ", which is untracked");
  }
  if (place) {
    throw std::logic_error(label(node_) + ": a second gradient for parent " + std::to_string(i) +
                           "; one per tracked parent is allowed");
  }
  const OutputInfo& info = parent.node->outputs[static_cast<std::size_t>(parent.output)];
  if (gradient.shape() != info.shape || gradient.device() != info.device) {
    throw std::invalid_argument(label(node_) + ": a gradient of shape " + to_string(gradient.shape()) +
                                " on " + to_string(gradient.device()) + " for parent " + std::to_string(i) +
                                " of shape " + to_string(info.shape) + " on " + to_string(info.device));
  }
  place = gradient;
}

template <class B>
std::vector<std::optional<Tensor<B>>> BackwardContext<B>::take_grads() {
  for (int i = 0; i < static_cast<int>(grads_.size()); ++i) {
    if (wants(i) && !grads_[static_cast<std::size_t>(i)]) {
      throw std::logic_error(label(node_) + ": no gradient for tracked parent " + std::to_string(i) + " (" +
                             label(*node_.parents[static_cast<std::size_t>(i)].node) + ")");
    }
  }
  return std::move(grads_);
}

#define SEAMGATE_DEFINE_CONTEXT(B) template class BackwardContext<B>;
SEAMGATE_FOR_EACH_BACKEND(SEAMGATE_DEFINE_CONTEXT)

}  // namespace seamgate::autodiff
