// What a node's backward step sees: upstream gradients and checkpointed values in, one gradient per tracked
// parent out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tensor/autodiff/checkpoint.hpp"

namespace seamgate::autodiff {

// Misuse throws std::logic_error (a wrong shape std::invalid_argument) that names the node.
template <class B>
class BackwardContext {
 public:
  BackwardContext(const Node<B>& node, const Step<B>& step, Checkpointer<B>& checkpoints,
                  std::vector<std::optional<Tensor<B>>> upstream);

  // The gradient of an output, in the output's shape and dtype, in any layout; zeros where none arrived.
  Tensor<B> upstream(int output = 0) const;
  // A parent's value, as often as it was checkpointed.
  Tensor<B> parent(int i);
  // A state given to checkpoint_value, by the index that it returned; once.
  Tensor<B> value(int k);
  // Whether parent `i` is tracked: it must then be given a gradient, and otherwise must not.
  bool wants(int i) const;
  // `gradient` has the parent's shape, and any dtype: it is added to others in f32 and rounded once to the
  // parent's.
  void set_grad(int i, const Tensor<B>& gradient);

  // For the tape: the gradients, after the check that none is missing.
  std::vector<std::optional<Tensor<B>>> take_grads();

 private:
  void check_index(int i, const char* call) const;

  const Node<B>& node_;
  const Step<B>& step_;
  Checkpointer<B>& checkpoints_;
  std::vector<std::optional<Tensor<B>>> upstream_;
  std::vector<std::optional<Tensor<B>>> grads_;
  std::vector<int> parent_budget_;
  std::vector<bool> value_taken_;
};

}  // namespace seamgate::autodiff
