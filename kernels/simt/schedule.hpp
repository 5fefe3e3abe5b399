// In which order the emulator runs the threads of a block and the blocks of a grid. A right kernel's results
// depend on neither; gates vary both to show it.
#pragma once

#include <cstdint>

namespace seamgate::simt {

// in_order: the lowest ready thread. greedy_random: warps have random priorities, redrawn at every barrier;
// the ready warp of highest priority runs until it waits. The same seed gives the same order.
struct Schedule {
  enum class Kind { in_order, greedy_random };
  Kind kind = Kind::in_order;
  std::uint64_t seed = 0;

  static constexpr Schedule in_order() { return {}; }
  static constexpr Schedule greedy_random(std::uint64_t seed) { return {Kind::greedy_random, seed}; }
};

struct BlockOrder {
  enum class Kind { in_order, reversed, shuffled };
  Kind kind = Kind::in_order;
  std::uint64_t seed = 0;

  static constexpr BlockOrder in_order() { return {}; }
  static constexpr BlockOrder reversed() { return {Kind::reversed, 0}; }
  static constexpr BlockOrder shuffled(std::uint64_t seed) { return {Kind::shuffled, seed}; }

  // The block that runs at `position` of `count`; a permutation of 0..count-1.
  std::uint64_t block_at(std::uint64_t position, std::uint64_t count) const;
};

// Settings of the process, read when a launch starts.
void set_schedule(Schedule schedule);
Schedule schedule();
void set_block_order(BlockOrder order);
BlockOrder block_order();

// OS threads that share a plain launch's blocks, the caller among them: 1..64, default the number of cores. A
// value outside throws std::invalid_argument. Checked launches use the caller alone.
void set_workers(int workers);
int workers();

// Restores all three when it goes out of scope.
class ExecutionScope {
 public:
  ExecutionScope();
  ~ExecutionScope();
  ExecutionScope(const ExecutionScope&) = delete;
  ExecutionScope& operator=(const ExecutionScope&) = delete;

 private:
  Schedule schedule_;
  BlockOrder block_order_;
  int workers_;
};

}  // namespace seamgate::simt
