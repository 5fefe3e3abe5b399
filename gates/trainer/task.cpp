// What the small trainer learns.
#include "gates/trainer/task.hpp"

#include <stdexcept>
#include <string>

namespace seamgate::gates::trainer {

Task modular_addition(std::int64_t modulus) {
  if (modulus < 2) {
    throw std::invalid_argument("trainer: the modulus is " + std::to_string(modulus) +
                                "; allowed: 2 and more");
  }
  Task task{modulus, {}, {}};
  task.tokens.resize(static_cast<std::size_t>(task.sequences() * 2 * modulus), 0.0F);
  task.answers.resize(static_cast<std::size_t>(task.sequences() * modulus), 0.0F);
  for (std::int64_t a = 0; a < modulus; ++a) {
    for (std::int64_t b = 0; b < modulus; ++b) {
      const std::int64_t row = a * modulus + b;
      task.tokens[static_cast<std::size_t>(row * 2 * modulus + a)] = 1.0F;
      task.tokens[static_cast<std::size_t>(row * 2 * modulus + modulus + b)] = 1.0F;
      task.answers[static_cast<std::size_t>(row * modulus + (a + b) % modulus)] = 1.0F;
    }
  }
  return task;
}

}  // namespace seamgate::gates::trainer
