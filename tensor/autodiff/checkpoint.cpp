// The checkpoint store of one backward pass.
#include "tensor/autodiff/checkpoint.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace seamgate::autodiff {

template <class B>
void Checkpointer<B>::need(std::uint64_t key, const std::string& what) {
  State& state = states_[key];
  if (state.needed == 0) state.what = what;
  ++state.needed;
  ++checkpointed_;
}

template <class B>
void Checkpointer<B>::keep(std::uint64_t key, const Tensor<B>& value) {
  states_.at(key).value = value;
}

template <class B>
void Checkpointer<B>::recompute(std::uint64_t key, RetroForward<B> retro_forward,
                                std::vector<std::uint64_t> inputs, const Shape& shape) {
  State& state = states_.at(key);
  state.retro_forward = std::move(retro_forward);
  state.inputs = std::move(inputs);
  state.shape = shape;
}

template <class B>
typename Checkpointer<B>::State& Checkpointer<B>::state(std::uint64_t key, const std::string& what) {
  const auto found = states_.find(key);
  if (found == states_.end()) {
    throw std::logic_error("checkpoint store: " + what + " was retrieved once too many (value " +
                           std::to_string(key) +
                           " is not in the store); allowed is one retrieval per checkpoint");
  }
  return found->second;
}

template <class B>
Tensor<B> Checkpointer<B>::take(std::uint64_t key, const std::string& what) {
  State& held = state(key, what);
  Tensor<B> value = held.value.value();
  ++retrieved_;
  if (--held.needed == 0) states_.erase(key);
  return value;
}

template <class B>
void Checkpointer<B>::compute(std::uint64_t key) {
  std::vector<std::uint64_t> pending{key};
  while (!pending.empty()) {
    State& wanted = state(pending.back(), "a retro-forward's input");
    if (wanted.value) {
      pending.pop_back();
      continue;
    }
    if (!wanted.retro_forward)
      throw std::logic_error("checkpoint store: no value was kept for " + wanted.what);
    const std::size_t before = pending.size();
    for (const std::uint64_t input : wanted.inputs) {
      if (!state(input, wanted.what).value) pending.push_back(input);
    }
    if (pending.size() > before) continue;
    std::vector<Tensor<B>> values;
    values.reserve(wanted.inputs.size());
    for (const std::uint64_t input : wanted.inputs) values.push_back(take(input, wanted.what));
    Tensor<B> value = wanted.retro_forward(values);
    if (value.shape() != wanted.shape) {
      throw std::logic_error("retro-forward of " + wanted.what + " gave shape " + to_string(value.shape()) +
                             "; the forward gave " + to_string(wanted.shape));
    }
    ++recomputed_;
    wanted.value = std::move(value);
    wanted.retro_forward = nullptr;
    pending.pop_back();
  }
}

template <class B>
Tensor<B> Checkpointer<B>::retrieve(std::uint64_t key, const std::string& what) {
  if (!state(key, what).value) compute(key);
  return take(key, what);
}

template <class B>
CheckpointReport Checkpointer<B>::report() const {
  CheckpointReport result{checkpointed_, retrieved_, recomputed_, 0, {}};
  for (const auto& [key, state] : states_) {
    result.left += state.needed;
    result.left_values.push_back(state.what);
  }
  std::sort(result.left_values.begin(), result.left_values.end());
  return result;
}

#define SEAMGATE_DEFINE_CHECKPOINTER(B) template class Checkpointer<B>;
SEAMGATE_FOR_EACH_BACKEND(SEAMGATE_DEFINE_CHECKPOINTER)

}  // namespace seamgate::autodiff
