// What the small trainer learns: a sequence of two tokens, a and b, is answered by (a + b) mod p.
#pragma once

#include <cstdint>
#include <vector>

namespace seamgate::gates::trainer {

// The whole table of p * p sequences, a in the outer order. `tokens` is [p * p, 2 * p]: one-hot a, then
// one-hot b. `answers` is [p * p, p]: one-hot (a + b) mod p.
struct Task {
  std::int64_t modulus = 0;
  std::vector<float> tokens;
  std::vector<float> answers;

  std::int64_t sequences() const { return modulus * modulus; }
  // The least loss of a model that knows how often each answer occurs and nothing of the sequence: 1 - 1/p.
  double uninformed_loss() const { return 1.0 - 1.0 / static_cast<double>(modulus); }
};

// Throws std::invalid_argument for a modulus below 2.
Task modular_addition(std::int64_t modulus);

}  // namespace seamgate::gates::trainer
