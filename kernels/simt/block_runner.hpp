// Runs the threads of one block: who is ready, who waits where, and what stops a block. Plain and checked
// alike.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/simt/emulator.hpp"
#include "kernels/simt/fibers.hpp"
#include "kernels/simt/schedule.hpp"

namespace seamgate::simt::host {

inline constexpr int warp_lanes = 32;
inline constexpr int max_warps = max_block_threads / warp_lanes;

// Told of what happens in a block; the checker listens.
class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  virtual void block_begins(std::uint64_t block) = 0;
  virtual void shared_slot(const char* name, void* begin, std::size_t bytes) = 0;
  virtual void barrier_released() = 0;
  virtual void warp_synced(int warp, unsigned lanes) = 0;
  virtual void fenced(int thread) = 0;
  // Before the operation, on the thread that does it.
  virtual void atomic(int thread, const void* address, std::size_t bytes, Place place) = 0;
  // After one that changed the memory.
  virtual void atomic_changed(int thread, const void* address) = 0;
  // Something that stops the launch; `kind` is a finding's kind.
  virtual void stopped(const char* kind, const std::string& message) = 0;
  // A warp operation whose result is undefined, but that need not stop the launch.
  virtual void bad_exchange(int thread, const std::string& message, Place place) = 0;
};

struct BlockLaunch {
  const LaunchRequest* request = nullptr;
  Schedule schedule;
  BlockObserver* observer = nullptr;
};

class BlockRunner {
 public:
  BlockRunner();
  ~BlockRunner();
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  // Sets extents and orders for the blocks that follow.
  void prepare(const BlockLaunch& launch);

  // Runs block number `block` (x fastest) on this OS thread. False: it was stopped, and stop_message() says
  // why.
  bool run(std::uint64_t block);
  const std::string& stop_message() const { return stop_message_; }

  // The runner of the kernel thread that calls, or null outside a kernel.
  static BlockRunner* current();

  uint3 thread_index() const { return threads_[current_].index; }
  uint3 block_index() const { return block_index_; }
  uint3 block_extent() const { return block_extent_; }
  uint3 grid_extent() const { return grid_extent_; }
  int current_thread() const { return current_; }
  BlockObserver* observer() const { return launch_.observer; }
  const FiberPool& fibers() const { return fibers_; }
  const unsigned char* arena() const { return arena_[0].bytes; }
  static std::size_t arena_bytes();

  void barrier(Place place);
  std::uint64_t warp_operation(WarpOp op, unsigned mask, std::uint64_t value, int operand, int width,
                               Place place);
  void fence();
  void before_atomic(const void* address, std::size_t bytes, Place place);
  void after_atomic(const void* address, bool changed, Place place);
  void* shared_array(const SharedSite& site);
  void* dynamic_shared() const { return dynamic_shared_; }

  // From a kernel thread, one after the other: say why, then leave the block for good. Two steps, because
  // whatever is alive on the fiber's stack when it is abandoned is never destroyed.
  void note_stop(const char* kind, const std::string& message);
  [[noreturn]] void abandon();

  // "thread (5,0,0)" in the block's own extents.
  std::string thread_text(int thread) const;
  std::string block_text() const { return index_text_of(block_index_); }
  std::string block_text(std::uint64_t block) const { return index_text_of(index_of_block(block)); }

 private:
  enum class Wait : std::uint8_t { none, barrier, warp, finished };

  struct Thread {
    uint3 index{};
    int fiber = -1;  // -1: not started
    Wait wait = Wait::none;
    WarpOp op = WarpOp::sync;
    int operand = 0;
    int width = warp_lanes;
    std::uint64_t value = 0;
    Place place;
  };

  // Lanes that wait for each other: one mask, one operation.
  struct Meeting {
    unsigned mask = 0;
    unsigned arrived = 0;
    WarpOp op = WarpOp::sync;
  };

  struct Warp {
    unsigned existing = 0;
    unsigned finished = 0;
    unsigned ready = 0;  // by position: lane ^ lane_order
    unsigned lane_order = 0;
    int rank = 0;
    int meetings = 0;
    std::array<Meeting, warp_lanes> meeting;
  };

  std::string index_text_of(uint3 block) const;
  uint3 index_of_block(std::uint64_t block) const;
  static void fiber_main(void* self, int slot);
  void fiber_loop(int slot);
  void begin_block(std::uint64_t block);
  void draw_order();
  void make_all_ready();
  void make_ready(int warp, unsigned lanes);
  int take_ready();
  bool take_if_ready(int thread);
  void wait_for_others();
  void switch_to(int next);
  void thread_finished();
  void complete_meeting(int warp, int index);
  void release_meetings_without(int warp);
  void reset_shared_memory();
  void poison(unsigned char* slot, std::size_t bytes);
  [[noreturn]] void stop_deadlocked();
  std::string who_waits_where() const;

  BlockLaunch launch_;
  FiberPool fibers_;
  std::vector<int> free_fibers_;
  int running_fiber_ = -1;

  std::vector<Thread> threads_;
  std::array<Warp, max_warps> warps_;
  std::array<std::uint8_t, max_warps> warp_at_rank_{};
  std::uint32_t ready_ranks_ = 0;
  int thread_count_ = 0;
  int warp_count_ = 0;
  int current_ = 0;
  int finished_ = 0;
  int at_barrier_ = 0;
  int idle_atomics_ = 0;
  Place barrier_place_;
  std::uint64_t random_ = 0;

  uint3 block_index_{};
  uint3 block_extent_{};
  uint3 grid_extent_{};

  struct Slot {
    const SharedSite* site;
    void* begin;
  };
  struct alignas(128) ArenaLine {
    unsigned char bytes[128];
  };
  std::unique_ptr<ArenaLine[]> arena_;
  std::vector<Slot> slots_;
  std::size_t arena_used_ = 0;
  std::size_t static_bytes_ = 0;
  void* dynamic_shared_ = nullptr;

  bool stopped_ = false;
  std::string stop_message_;
};

}  // namespace seamgate::simt::host
