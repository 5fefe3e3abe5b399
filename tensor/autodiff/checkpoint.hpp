// The checkpoint store of one backward pass: values kept, values to compute again, and how often each will be
// asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tensor/autodiff/node.hpp"

namespace seamgate::autodiff {

// After a backward that kept to its checkpoints `retrieved == checkpointed` and `left` is 0.
struct CheckpointReport {
  std::int64_t checkpointed = 0;  // retrievals that were announced, those of retro-forwards included
  std::int64_t retrieved = 0;
  std::int64_t recomputed = 0;           // retro-forwards run
  std::int64_t left = 0;                 // announced retrievals that never came
  std::vector<std::string> left_values;  // which, such as "parent 0 of rms_norm#7"
};

// Every value is released with its last announced retrieval. A recomputed value is computed once and kept
// till then. Not thread safe; a backward has its own.
template <class B>
class Checkpointer {
 public:
  // Announces one retrieval of `key`; `what` names it in messages.
  void need(std::uint64_t key, const std::string& what);
  // Gives the value of a key that was announced.
  void keep(std::uint64_t key, const Tensor<B>& value);
  // Or says how to compute it: each of `inputs` must be announced once for this. `shape` is what must come
  // out.
  void recompute(std::uint64_t key, RetroForward<B> retro_forward, std::vector<std::uint64_t> inputs,
                 const Shape& shape);

  bool needs(std::uint64_t key) const { return states_.count(key) != 0; }
  // Throws std::logic_error for a retrieval that was not announced or has been used up; `what` names the
  // asker.
  Tensor<B> retrieve(std::uint64_t key, const std::string& what);

  CheckpointReport report() const;

 private:
  struct State {
    std::string what;
    std::int64_t needed = 0;
    std::optional<Tensor<B>> value;
    RetroForward<B> retro_forward;
    std::vector<std::uint64_t> inputs;
    Shape shape;
  };

  State& state(std::uint64_t key, const std::string& what);
  Tensor<B> take(std::uint64_t key, const std::string& what);
  // Computes `key` and whatever it lacks, without recursion.
  void compute(std::uint64_t key);

  std::unordered_map<std::uint64_t, State> states_;
  std::int64_t checkpointed_ = 0;
  std::int64_t retrieved_ = 0;
  std::int64_t recomputed_ = 0;
};

}  // namespace seamgate::autodiff
