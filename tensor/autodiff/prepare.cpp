// How an operation enters the tape.
#include "tensor/autodiff/prepare.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace seamgate::autodiff {

template <class B, class S>
Preparation<B, S>::Preparation(std::string op, std::span<const Tracked* const> parents)
    : op_(std::move(op)), step_(std::make_unique<Step<B>>()) {
  if (parents.empty()) throw std::logic_error(op_ + ": an operation on the tape needs a parent");
  for (const Tracked* parent : parents) {
    parents_.push_back(*parent);
    tracked_ = tracked_ || parent->is_tracked();
  }
}

template <class B, class S>
void Preparation<B, S>::compute_bound() {
  stated_ = true;
}

template <class B, class S>
void Preparation<B, S>::memory_bound(RetroForward<B> retro_forward) {
  stated_ = true;
  const bool all_tracked = std::all_of(parents_.begin(), parents_.end(),
                                       [](const Tracked& parent) { return parent.is_tracked(); });
  if (!S::recomputes || !all_tracked) return;
  recomputable_ = true;
  step_->retro_forward = std::move(retro_forward);
  for (int i = 0; i < static_cast<int>(parents_.size()); ++i) step_->retro_inputs.push_back(kept_parent(i));
}

template <class B, class S>
Kept<B> Preparation<B, S>::kept_parent(int i) const {
  if (i < 0 || i >= static_cast<int>(parents_.size())) {
    throw std::logic_error(op_ + ": checkpoint(" + std::to_string(i) + "), but it has " +
                           std::to_string(parents_.size()) + " parents");
  }
  const Tracked& parent = parents_[static_cast<std::size_t>(i)];
  Kept<B> kept{i, parent.edge().key(), std::nullopt};
  if (!parent.edge().node->recomputable) kept.value = parent.inner();
  return kept;
}

template <class B, class S>
void Preparation<B, S>::checkpoint(int i) {
  Kept<B> kept = kept_parent(i);
  if (tracked_) step_->kept.push_back(std::move(kept));
}

template <class B, class S>
int Preparation<B, S>::checkpoint_value(const Tensor<B>& value) {
  if (tracked_) step_->kept.push_back({-1, next_ids(1), value});
  return values_++;
}

template <class B, class S>
Tensor<Autodiff<B, S>> Preparation<B, S>::finish(const Tensor<B>& output, BackwardFn<B> backward) {
  return finish(std::vector<Tensor<B>>{output}, std::move(backward)).front();
}

template <class B, class S>
std::vector<Tensor<Autodiff<B, S>>> Preparation<B, S>::finish(const std::vector<Tensor<B>>& outputs,
                                                              BackwardFn<B> backward) {
  if (!stated_ || !step_) {
    throw std::logic_error(
        op_ + (step_ ? ": finish without compute_bound() or memory_bound()" : ": finished twice"));
  }
  if (recomputable_ && outputs.size() != 1) {
    throw std::logic_error(op_ + ": memory_bound with " + std::to_string(outputs.size()) +
                           " outputs; allowed is one");
  }
  auto node = std::make_shared<Node<B>>();
  node->id = next_ids(outputs.size());
  node->op = op_;
  const auto odd =
      std::find_if(parents_.begin(), parents_.end(), [](const Tracked& p) { return !p.tags_agree(); });
  node->tags = (odd == parents_.end() ? parents_.front() : *odd).tags();
  for (const Tensor<B>& output : outputs)
    node->outputs.push_back({output.shape(), output.dtype(), output.device()});
  if (tracked_) {
    node->requirement = Requirement::through_parents;
    node->recomputable = recomputable_;
    for (const Tracked& parent : parents_) node->parents.push_back(parent.edge());
    step_->backward = std::move(backward);
    node->step = std::move(step_);
    count_tape_entry();
  }
  step_.reset();
  std::vector<Tracked> results;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    results.push_back(Tracked(outputs[i], {node, static_cast<int>(i)}));
  return results;
}

#define SEAMGATE_DEFINE_PREPARATION(B)            \
  template class Preparation<B, NoCheckpointing>; \
  template class Preparation<B, BalancedCheckpointing>;
SEAMGATE_FOR_EACH_BACKEND(SEAMGATE_DEFINE_PREPARATION)

}  // namespace seamgate::autodiff
