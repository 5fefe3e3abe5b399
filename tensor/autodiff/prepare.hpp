// How an operation enters the tape: prepared with its parents, told what it keeps, finished with its output.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tensor/autodiff/backward_context.hpp"
#include "tensor/autodiff/tracked_tensor.hpp"

namespace seamgate::autodiff {

// Use:
//   auto prep = prepare<B, S>("rms_norm", {&x, &w});
//   Tensor<B> y = launch(x.inner(), w.inner());
//   prep.compute_bound();
//   prep.checkpoint(0);
//   int rstd = prep.checkpoint_value(r);
//   return prep.finish(y, [=](BackwardContext<B>& ctx) {
//     auto x = ctx.parent(0); ... if (ctx.wants(0)) ctx.set_grad(0, dx); ...
//   });
// Without a tracked parent there is no tape entry and nothing is kept. `finish` throws std::logic_error
// unless compute_bound or memory_bound was called. The output's tags are the first parent's that disagree
// with the static type, else the first parent's.
template <class B, class S>
class Preparation {
 public:
  using Tracked = Tensor<Autodiff<B, S>>;

  // At least one parent. The parents are copied (handles only).
  Preparation(std::string op, std::span<const Tracked* const> parents);

  bool tracked() const { return tracked_; }

  // The output is kept for whoever checkpoints it.
  void compute_bound();
  // The output may be dropped and computed again, if the strategy says so and every parent is tracked.
  // `retro_forward` computes it from the values of all parents and must not enter a tape.
  void memory_bound(RetroForward<B> retro_forward);

  // Backward will ask for parent `i` once (once per call).
  void checkpoint(int i);
  // Backward will ask for `value` once, by the returned index.
  int checkpoint_value(const Tensor<B>& value);

  Tracked finish(const Tensor<B>& output, BackwardFn<B> backward);
  // An operation with several outputs; always kept.
  std::vector<Tracked> finish(const std::vector<Tensor<B>>& outputs, BackwardFn<B> backward);

 private:
  Kept<B> kept_parent(int i) const;

  std::string op_;
  std::vector<Tracked> parents_;
  bool tracked_ = false;
  bool stated_ = false;
  bool recomputable_ = false;
  int values_ = 0;
  std::unique_ptr<Step<B>> step_;
};

template <class B, class S>
Preparation<B, S> prepare(std::string op, std::initializer_list<const Tensor<Autodiff<B, S>>*> parents) {
  return Preparation<B, S>(std::move(op), std::span(parents.begin(), parents.size()));
}

}  // namespace seamgate::autodiff
