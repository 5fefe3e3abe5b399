// The trainer's model: two residual blocks with a norm and a gate unit, a final norm, logits.
//
//   h = tokens E
//   twice:  n = norm(h, w),  h = h + gate_unit(n W_a, n W_b) W_down
//   logits = norm(h, w_final) U
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
// Module forwards of one model forward.
inline constexpr int norms_per_forward = blocks + 1;
inline constexpr int gate_units_per_forward = blocks;

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

// T: a tensor on a tape. Throws std::runtime_error when a module's output is not a T.
template <class T>
T logits(const std::vector<T>& parameters, const T& tokens, const Modules& modules) {
  const auto call = [](const Module& module, const char* name, const T& first, const T& second) {
    const AnyTensor output = module({first, second});
    if (const T* typed = output.as<T>()) return *typed;
    throw std::runtime_error("trainer: the output of module " + std::string(name) + " is " +
                             output.describe() + "; expected a tensor on the tape of its inputs");
  };
  auto next = parameters.begin();
  T h = matmul(tokens, *next++);
  for (int block = 0; block < blocks; ++block) {
    const T n = call(modules.norm, "norm", h, *next++);
    const T a = matmul(n, *next++);
    const T b = matmul(n, *next++);
    h = add(h, matmul(call(modules.gate_unit, "gate_unit", a, b), *next++));
  }
  const T n = call(modules.norm, "norm", h, *next++);
  return matmul(n, *next);
}

}  // namespace seamgate::gates::trainer
