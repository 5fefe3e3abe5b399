// What a backward gives: the gradients of leaves, and the account of its checkpoints.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "tensor/autodiff/checkpoint.hpp"

namespace seamgate::autodiff {

// Gradients by leaf, in each leaf's dtype and shape. Reading takes nothing out; intermediate gradients are
// gone already.
template <class B>
class Gradients {
 public:
  Gradients() = default;
  Gradients(std::unordered_map<std::uint64_t, Tensor<B>> by_leaf, CheckpointReport report)
      : by_leaf_(std::move(by_leaf)), report_(std::move(report)) {}

  // By a leaf's node id; nothing where no gradient arrived. Tensor::grad is the usual way to ask.
  std::optional<Tensor<B>> find(std::uint64_t leaf) const {
    const auto found = by_leaf_.find(leaf);
    return found == by_leaf_.end() ? std::nullopt : std::optional<Tensor<B>>(found->second);
  }
  std::size_t size() const { return by_leaf_.size(); }
  const CheckpointReport& checkpoint_report() const { return report_; }

 private:
  template <class>
  friend class GradientsAccumulator;

  std::unordered_map<std::uint64_t, Tensor<B>> by_leaf_;
  CheckpointReport report_;
};

// Adds the gradients of several backwards, in the order in which they are given, in f32 with the leaf's dtype
// at the end.
template <class B>
class GradientsAccumulator {
 public:
  void add(const Gradients<B>& gradients);
  Gradients<B> gradients() const;

 private:
  struct Total {
    Tensor<B> value;
    DType dtype;
  };
  std::unordered_map<std::uint64_t, Total> totals_;
  CheckpointReport report_;
};

}  // namespace seamgate::autodiff
