// A few hundred steps of gradient descent on the whole table of a task, from one seed: the same numbers in
// every run.
//
//   const Training run = train<Tensor<Autodiff<Cpu, BalancedCheckpointing>>>(options, modules,
//   on_evaluation);
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gates/trainer/model.hpp"
#include "gates/trainer/modules.hpp"

namespace seamgate::gates::trainer {

struct Options {
  Sizes sizes;
  int steps = 300;
  int evaluate_every = 100;  // steps; the last step is evaluated too
  // Plain descent with momentum, on bare tensors: v = momentum v + gradient, p = p - learning_rate v.
  float learning_rate = 0.05F;
  float momentum = 0.9F;
  std::uint64_t seed = 1;
  // Moves the embedding's first value to the next float: how far apart do two runs drift that differ by
  // nothing else?
  bool one_ulp_off = false;
};

// What became of a parameter.
struct ParameterHistory {
  std::string name;
  double moved = 0.0;  // max|p_end - p_start|
  std::string
      bad_gradient;  // the first step whose gradient was missing, not finite, or all zero; empty: none
};

struct Training {
  std::vector<float> losses;  // one a step, before its update
  std::vector<ParameterHistory> parameters;
};

// After `steps` steps; `loss` is that of the last one.
using OnEvaluation = std::function<void(int steps, float loss)>;

// The loss is the squared distance of logits from one-hot answers, summed over answers, mean over sequences.
// A parameter whose gradient is missing stays where it is. T: Tensor<Autodiff<B, Strategy>>, for every
// backend of this build and either strategy. Throws std::invalid_argument for less than one step, and what
// modules throw.
template <class T>
Training train(const Options& options, const Modules& modules, const OnEvaluation& on_evaluation = {});

}  // namespace seamgate::gates::trainer
