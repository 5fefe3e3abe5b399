// Which of two accesses is ordered before the other: barriers order a block, __syncwarp orders the lanes it
// names, and between blocks only a fence with an atomic orders. Shuffles and votes order nothing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "kernels/simt/access_record.hpp"

namespace seamgate::simt::host {

class HappensBefore {
 public:
  HappensBefore();

  void begin_launch(int threads);
  void begin_block(std::uint64_t block_number);
  // False: more of them than the clocks can count.
  bool barrier_released();
  bool warp_synced(int warp, unsigned lanes);
  bool fenced(int thread);
  // A read-modify-write by `thread` learns what earlier ones on the address released and, when it changes the
  // memory, releases what it fenced.
  void acquire(int thread, std::uintptr_t address);
  void release(int thread, std::uintptr_t address);

  Access now(int thread, std::uint64_t pc) const {
    return {pc | static_cast<std::uint64_t>(thread) << Access::thread_shift, when_[thread]};
  }

  // By program order, barriers and warp synchronisation alone. Both of this launch.
  bool ordered_in_block(const Access& earlier, const Access& now) const {
    if ((earlier.when ^ now.when) >> Access::block_shift != 0) return false;
    if (earlier.same_thread(now) || (earlier.when ^ now.when) >> Access::clock_bits != 0) return true;
    return earlier.warp() == now.warp() && seen(now.thread(), earlier.lane()) >= earlier.clock();
  }

  // By those, or by fences and atomics.
  bool ordered(const Access& earlier, const Access& now) const {
    return ordered_in_block(earlier, now) || (!learned_.empty() && ordered_by_atomics(earlier, now));
  }

 private:
  using LaneClocks = std::array<std::uint32_t, warp_lanes>;

  struct Location;
  struct Knowledge {  // the first `releases` releases of a location
    const Location* location;
    std::size_t releases;
  };
  struct Learned : Knowledge {
    Access by;
  };
  struct Release {
    int thread = 0;
    std::uint64_t fence = 0;   // `when` of the thread's last fence
    std::uint64_t atomic = 0;  // `when` of the atomic that published it
    LaneClocks warp_seen{};    // what the thread knew of its warp at the fence
    std::shared_ptr<const std::vector<std::uint64_t>> block_fences;  // last fence of each thread of the block
    std::vector<Knowledge> inherited;
  };
  struct Location {
    std::vector<Release> releases;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_block;  // indices, rising
    std::vector<std::size_t> inheriting;  // indices of those that inherited, rising
  };
  struct Fence {
    std::uint64_t when = 0;
    LaneClocks warp_seen{};
    std::vector<Knowledge> inherited;
  };

  std::uint32_t seen(int thread, int lane) const { return seen_[thread][lane]; }
  bool ordered_by_atomics(const Access& earlier, const Access& now) const;
  static bool covers(const Release& release, const Access& earlier);
  bool step(int thread);

  int threads_ = 0;
  std::uint64_t block_ = 0;
  std::uint64_t epoch_ = 0;
  std::vector<std::uint64_t> when_;  // per thread
  std::vector<LaneClocks> seen_;     // per thread: clocks of its warp's lanes that it has synchronised with
  std::array<bool, max_warps> synced_{};  // whether a warp's clocks have moved in this block
  std::unordered_map<int, Fence> fences_;
  std::vector<Learned> learned_;  // by this block's threads
  std::unordered_map<std::uintptr_t, std::unique_ptr<Location>> locations_;
  std::shared_ptr<const std::vector<std::uint64_t>> block_fences_;
};

}  // namespace seamgate::simt::host
