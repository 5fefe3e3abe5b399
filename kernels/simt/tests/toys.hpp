// Toy kernels, right and wrong, compiled plain and checked: what the emulator's tests run.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/common/kernel_api.hpp"

namespace seamgate::simt::test {

inline constexpr int toy_columns = 256;
inline constexpr int toy_blocks = 4;

// Registered by the tests under these names; every element is set before each run.
struct ToyMemory {
  float* in;            // toy_blocks * toy_columns, 0.001 * (index % 97)
  float* out;           // the same size
  std::uint16_t* half;  // the same size
  unsigned* counter;    // 16, zero
};

struct Toy {
  std::string_view name;
  kernels::Status (*run)(const ToyMemory&);
  std::string_view finding;  // the kind that the checker reports; "" for a right kernel
};

std::vector<Toy> plain_toys();
std::vector<Toy> checked_toys();

}  // namespace seamgate::simt::test
