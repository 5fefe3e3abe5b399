// The trainer's model: two residual blocks with a norm and a gate unit, a final norm, logits.
//
//   h = tokens E, n = norm(h, w_1)
//   twice:  h = h + gate_unit(n W_a, n W_b) W_down, n = norm(h, w) with the next block's w, at the end
//   w_final logits = n U
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "gates/trainer/modules.hpp"
#include "tensor/autodiff/primitives.hpp"
#include "tensor/primitives.hpp"

namespace seamgate::gates::trainer {

inline constexpr int blocks = 2;
// Module forwards of one model forward; norms where no add_norm takes those after a sum.
inline constexpr int norms_per_forward = blocks + 1;
inline constexpr int gate_units_per_forward = blocks;
inline constexpr int add_norms_per_forward = blocks;

struct Sizes {
  std::int64_t modulus = 11;
  std::int64_t width = 16;   // columns of h
  std::int64_t hidden = 32;  // columns of a gate unit
};

// A parameter by name, with its shape and f32 values.
struct Parameter {
  std::string name;
  Shape shape;
  std::vector<float> values;
};

// In the order that `logits` takes them: the embedding, four a block (w, W_a, W_b, W_down), w_final, U. Norm
// weights are 1, matrices uniform around 0 by Philox from `seed`: the same numbers on every platform.
std::vector<Parameter> initial_parameters(const Sizes& sizes, std::uint64_t seed);

// T: a tensor on a tape. Throws std::runtime_error when a module gives less than `count` outputs or one that
// is not a T.
template <class T>
std::vector<T> call(const Module& module, const char* name, const std::vector<AnyTensor>& inputs,
                    std::size_t count) {
  const std::vector<AnyTensor> outputs = module(inputs);
  std::vector<T> typed;
  for (const AnyTensor& output : outputs) {
    const T* tensor = output.as<T>();
    if (tensor == nullptr) {
      throw std::runtime_error("trainer: an output of module " + std::string(name) + " is " +
                               output.describe() + "; expected a tensor on the tape of its inputs");
    }
    typed.push_back(*tensor);
  }
  if (typed.size() < count) {
    throw std::runtime_error("trainer: module " + std::string(name) + " gave " +
                             std::to_string(typed.size()) + " outputs; expected " + std::to_string(count));
  }
  return typed;
}

template <class T>
T logits(const std::vector<T>& parameters, const T& tokens, const Modules& modules) {
  auto next = parameters.begin();
  T h = matmul(tokens, *next++);
  T n = call<T>(modules.norm, "norm", {h, *next++}, 1)[0];
  for (int block = 0; block < blocks; ++block) {
    const T a = matmul(n, *next++);
    const T b = matmul(n, *next++);
    const T change = matmul(call<T>(modules.gate_unit, "gate_unit", {a, b}, 1)[0], *next++);
    const T& w = *next++;
    if (modules.add_norm) {
      const auto normed_and_sum = call<T>(modules.add_norm, "add_norm", {change, h, w}, 2);
      n = normed_and_sum[0];
      h = normed_and_sum[1];
    } else {
      h = add(h, change);
      n = call<T>(modules.norm, "norm", {h, w}, 1)[0];
    }
  }
  return matmul(n, *next);
}

}  // namespace seamgate::gates::trainer
