// Who touched a place, and when, in 16 bytes.
#pragma once

#include <cstdint>

#include "kernels/simt/block_runner.hpp"

namespace seamgate::simt::host {

// `where` is program counter (48 bits), thread (10), atomic (1). `when` is block (28: its number in the order
// of execution, never used twice in a process until a wrap that clears the shadow), barrier epoch (18), and
// the lane's clock (18), which moves at each __syncwarp and fence. Later in one thread is larger.
struct Access {
  std::uint64_t where = 0;
  std::uint64_t when = 0;  // 0: nobody

  static constexpr int thread_shift = 48;
  static constexpr std::uint64_t pc_mask = (1ULL << thread_shift) - 1;
  static constexpr std::uint64_t thread_mask = 0x3FFULL << thread_shift;
  static constexpr std::uint64_t atomic_bit = 1ULL << 58;
  static constexpr int clock_bits = 18;
  static constexpr int epoch_bits = 18;
  static constexpr int block_shift = clock_bits + epoch_bits;
  static constexpr std::uint64_t max_clock = (1ULL << clock_bits) - 1;
  static constexpr std::uint64_t max_epoch = (1ULL << epoch_bits) - 1;
  static constexpr std::uint64_t max_block = (1ULL << (64 - block_shift)) - 1;

  std::uint64_t pc() const { return where & pc_mask; }
  int thread() const { return static_cast<int>((where & thread_mask) >> thread_shift); }
  int warp() const { return thread() / warp_lanes; }
  int lane() const { return thread() % warp_lanes; }
  bool atomic() const { return (where & atomic_bit) != 0; }
  std::uint64_t block() const { return when >> block_shift; }
  std::uint64_t epoch() const { return (when >> clock_bits) & max_epoch; }
  std::uint64_t clock() const { return when & max_clock; }
  bool same_thread(const Access& other) const { return ((where ^ other.where) & thread_mask) == 0; }
};

}  // namespace seamgate::simt::host
