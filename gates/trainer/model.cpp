// The trainer's model: its parameters at step 0.
#include "gates/trainer/model.hpp"

#include <array>
#include <cmath>

#include "gates/inputs.hpp"

namespace seamgate::gates::trainer {
namespace {

// Uniform in [-half_width, half_width): 24 bits and one product, the same on every platform.
std::vector<float> uniform(const Shape& shape, float half_width, std::uint64_t seed, std::uint32_t stream) {
  constexpr std::uint32_t trainer_streams = 0x7472616eU;  // no case of a gate shares them
  const std::array<std::uint32_t, 2> key = {static_cast<std::uint32_t>(seed),
                                            static_cast<std::uint32_t>(seed >> 32)};
  std::vector<float> values;
  for (std::int64_t i = 0; i < numel(shape); ++i) {
    const auto bits = philox({static_cast<std::uint32_t>(i), 0, stream, trainer_streams}, key);
    const auto centred = static_cast<std::int32_t>(bits[0] >> 8) - (1 << 23);
    values.push_back(std::ldexp(static_cast<float>(centred), -23) * half_width);
  }
  return values;
}

// Of a matrix that adds `terms` numbers of variance 1: the sum has variance 1.
float half_width_for(std::int64_t terms) {
  return std::sqrt(3.0F / static_cast<float>(terms));
}

}  // namespace

std::vector<Parameter> initial_parameters(const Sizes& sizes, std::uint64_t seed) {
  std::vector<Parameter> parameters;
  const auto matrix = [&](const std::string& name, std::int64_t rows, std::int64_t columns,
                          float half_width) {
    const Shape shape = {rows, columns};
    parameters.push_back(
        {name, shape, uniform(shape, half_width, seed, static_cast<std::uint32_t>(parameters.size()))});
  };
  const auto weight = [&](const std::string& name) {
    parameters.push_back(
        {name, {sizes.width}, std::vector<float>(static_cast<std::size_t>(sizes.width), 1.0F)});
  };
  matrix("embedding", 2 * sizes.modulus, sizes.width, half_width_for(2));  // one row for each token
  for (int block = 1; block <= blocks; ++block) {
    const std::string of_block = "block" + std::to_string(block) + ".";
    weight(of_block + "w");
    matrix(of_block + "W_a", sizes.width, sizes.hidden, half_width_for(sizes.width));
    matrix(of_block + "W_b", sizes.width, sizes.hidden, half_width_for(sizes.width));
    matrix(of_block + "W_down", sizes.hidden, sizes.width, half_width_for(sizes.hidden));
  }
  weight("w_final");
  // A quarter: logits start small, and the first steps are not spent on shrinking them.
  matrix("U", sizes.width, sizes.modulus, half_width_for(sizes.width) / 4.0F);
  return parameters;
}

}  // namespace seamgate::gates::trainer
