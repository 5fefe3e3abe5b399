// A block's threads as fibers that hand over to each other directly, without a trip through a scheduler.
#include "kernels/simt/block_runner.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "kernels/simt/block_text.hpp"

namespace seamgate::simt::host {
namespace {

[[gnu::tls_model("initial-exec")]] thread_local BlockRunner* current_runner = nullptr;

std::uint64_t next_random(std::uint64_t& state) {  // splitmix64
  std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

}  // namespace

BlockRunner::BlockRunner()
    : fibers_(max_block_threads, &BlockRunner::fiber_main, this), threads_(max_block_threads) {
  free_fibers_.reserve(max_block_threads);
  for (int slot = max_block_threads; slot-- > 0;) free_fibers_.push_back(slot);
  arena_.reset(new ArenaLine[arena_bytes() / sizeof(ArenaLine)]);
}

BlockRunner::~BlockRunner() = default;

BlockRunner* BlockRunner::current() {
  return current_runner;
}

void BlockRunner::prepare(const BlockLaunch& launch) {
  launch_ = launch;
  const Config& config = launch.request->config;
  const auto extent = [](dim3 d) { return uint3{d.x, d.y, d.z}; };
  block_extent_ = extent(config.block);
  grid_extent_ = extent(config.grid);
  thread_count_ = static_cast<int>(config.block.x * config.block.y * config.block.z);
  warp_count_ = (thread_count_ + warp_lanes - 1) / warp_lanes;
  int t = 0;
  for (unsigned z = 0; z < config.block.z; ++z) {
    for (unsigned y = 0; y < config.block.y; ++y) {
      for (unsigned x = 0; x < config.block.x; ++x) threads_[t++].index = {x, y, z};
    }
  }
  for (int w = 0; w < warp_count_; ++w) {
    const int lanes = std::min(warp_lanes, thread_count_ - w * warp_lanes);
    warps_[w].existing = lanes == warp_lanes ? ~0U : (1U << lanes) - 1U;
    warps_[w].lane_order = 0;
    warps_[w].rank = w;
    warp_at_rank_[w] = static_cast<std::uint8_t>(w);
  }
}

void BlockRunner::begin_block(std::uint64_t block) {
  block_index_ = index_of_block(block);
  for (int t = 0; t < thread_count_; ++t) {
    threads_[t].fiber = -1;
    threads_[t].wait = Wait::none;
  }
  for (int w = 0; w < warp_count_; ++w) {
    warps_[w].finished = 0;
    warps_[w].meetings = 0;
  }
  finished_ = 0;
  at_barrier_ = 0;
  idle_atomics_ = 0;
  stopped_ = false;
  random_ = launch_.schedule.seed ^ (block * 0xD1342543DE82EF95ULL);
  if (launch_.observer != nullptr) launch_.observer->block_begins(block);

  reset_shared_memory();
  make_all_ready();
}

bool BlockRunner::run(std::uint64_t block) {
  begin_block(block);
  current_runner = this;
  current_ = take_ready();
  running_fiber_ = free_fibers_.back();
  free_fibers_.pop_back();
  threads_[current_].fiber = running_fiber_;
  fibers_.enter(running_fiber_);
  current_runner = nullptr;
  if (stopped_) {
    // Fibers are suspended in the middle of a kernel that will not go on.
    fibers_.reset();
    free_fibers_.clear();
    for (int slot = max_block_threads; slot-- > 0;) free_fibers_.push_back(slot);
  }
  return !stopped_;
}

void BlockRunner::fiber_main(void* self, int slot) {
  static_cast<BlockRunner*>(self)->fiber_loop(slot);
}

// A fiber that has finished a thread runs the next unstarted one itself: a kernel without barriers needs no
// switch.
void BlockRunner::fiber_loop(int slot) {
  for (;;) {
    launch_.request->invoke(launch_.request->arguments);
    thread_finished();
    const int next = take_ready();
    if (next < 0) {
      if (finished_ != thread_count_) stop_deadlocked();
      free_fibers_.push_back(slot);
      fibers_.leave(slot);
      continue;  // entered again for another block's thread
    }
    current_ = next;
    if (threads_[next].fiber < 0) {
      threads_[next].fiber = slot;
      continue;
    }
    free_fibers_.push_back(slot);
    running_fiber_ = threads_[next].fiber;
    fibers_.hand_over(slot, running_fiber_);
  }
}

void BlockRunner::thread_finished() {
  const int warp = current_ / warp_lanes;
  threads_[current_].wait = Wait::finished;
  warps_[warp].finished |= 1U << (current_ % warp_lanes);
  ++finished_;
  if (at_barrier_ != 0) {
    note_stop("divergent_barrier", thread_text(current_) + " has returned while " +
                                       std::to_string(at_barrier_) + " threads wait at __syncthreads " +
                                       place_text(barrier_place_));
    abandon();
  }
  if (warps_[warp].meetings != 0) release_meetings_without(warp);
}

void BlockRunner::wait_for_others() {
  const int next = take_ready();
  if (next < 0) stop_deadlocked();
  if (next != current_) switch_to(next);
}

void BlockRunner::switch_to(int next) {
  const int from = running_fiber_;
  current_ = next;
  if (threads_[next].fiber < 0) {
    threads_[next].fiber = free_fibers_.back();
    free_fibers_.pop_back();
  }
  running_fiber_ = threads_[next].fiber;
  fibers_.hand_over(from, running_fiber_);
}

int BlockRunner::take_ready() {
  if (ready_ranks_ == 0) return -1;
  const int rank = std::countr_zero(ready_ranks_);
  const int index = warp_at_rank_[rank];
  Warp& warp = warps_[index];
  const unsigned position = std::countr_zero(warp.ready);
  warp.ready &= warp.ready - 1;
  if (warp.ready == 0) ready_ranks_ &= ~(1U << rank);
  return index * warp_lanes + static_cast<int>(position ^ warp.lane_order);
}

bool BlockRunner::take_if_ready(int thread) {
  Warp& warp = warps_[thread / warp_lanes];
  const unsigned bit = 1U << (static_cast<unsigned>(thread % warp_lanes) ^ warp.lane_order);
  if ((warp.ready & bit) == 0) return false;
  warp.ready &= ~bit;
  if (warp.ready == 0) ready_ranks_ &= ~(1U << warp.rank);
  return true;
}

void BlockRunner::make_ready(int index, unsigned lanes) {
  Warp& warp = warps_[index];
  if (warp.lane_order == 0) {
    warp.ready |= lanes;
  } else {
    for (; lanes != 0; lanes &= lanes - 1) warp.ready |= 1U << (std::countr_zero(lanes) ^ warp.lane_order);
  }
  if (warp.ready != 0) ready_ranks_ |= 1U << warp.rank;
}

void BlockRunner::draw_order() {
  if (launch_.schedule.kind == Schedule::Kind::in_order) return;
  std::iota(warp_at_rank_.begin(), warp_at_rank_.begin() + warp_count_, std::uint8_t{0});
  for (int i = warp_count_ - 1; i > 0; --i) {
    std::swap(warp_at_rank_[i], warp_at_rank_[next_random(random_) % static_cast<unsigned>(i + 1)]);
  }
  for (int rank = 0; rank < warp_count_; ++rank) {
    warps_[warp_at_rank_[rank]].rank = rank;
    warps_[warp_at_rank_[rank]].lane_order = next_random(random_) % warp_lanes;
  }
}

void BlockRunner::make_all_ready() {
  draw_order();
  ready_ranks_ = 0;
  for (int w = 0; w < warp_count_; ++w) {
    warps_[w].ready = 0;
    make_ready(w, warps_[w].existing);
  }
}

}  // namespace seamgate::simt::host
