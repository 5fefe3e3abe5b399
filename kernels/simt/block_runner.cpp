// A block's threads as fibers that hand over to each other directly, without a trip through a scheduler.
#include "kernels/simt/block_runner.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "kernels/simt/block_text.hpp"

namespace seamgate::simt::host {
namespace {

[[gnu::tls_model("initial-exec")]] thread_local BlockRunner* current_runner = nullptr;

// Around every shared slot: an index past the end lands here, not in a neighbour.
constexpr std::size_t red_zone_bytes = 256;
constexpr std::size_t max_slots = 64;
constexpr std::size_t slot_alignment = 128;

constexpr int polls_before_yield = 4;
constexpr int max_polls =
    1 << 18;  // of all threads together, with no atomic in between that changed anything

constexpr std::size_t round_up(std::size_t value, std::size_t to) {
  return (value + to - 1) / to * to;
}

constexpr std::size_t arena_capacity =
    round_up(max_shared_bytes + (max_slots + 1) * (red_zone_bytes + slot_alignment), slot_alignment);

bool same_place(Place a, Place b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

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

std::size_t BlockRunner::arena_bytes() {
  return arena_capacity;
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

  slots_.clear();
  arena_used_ = red_zone_bytes;
  static_bytes_ = 0;
  dynamic_shared_ = arena_[0].bytes + arena_used_;
  const std::size_t dynamic_bytes = launch_.request->config.smem_bytes;
  if (dynamic_bytes != 0) {
    poison(static_cast<unsigned char*>(dynamic_shared_), dynamic_bytes);
    if (launch_.observer != nullptr) {
      launch_.observer->shared_slot("dynamic shared memory", dynamic_shared_, dynamic_bytes);
    }
    arena_used_ += dynamic_bytes + red_zone_bytes;
  }
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

void BlockRunner::barrier(Place place) {
  Thread& thread = threads_[current_];
  if (finished_ != 0) {
    note_stop("divergent_barrier", thread_text(current_) + " waits at __syncthreads " + place_text(place) +
                                       " after " + std::to_string(finished_) +
                                       " threads of the block have returned");
    abandon();
  }
  if (at_barrier_ == 0) {
    barrier_place_ = place;
  } else if (!same_place(place, barrier_place_)) {
    note_stop("divergent_barrier", thread_text(current_) + " waits at __syncthreads " + place_text(place) +
                                       " while " + std::to_string(at_barrier_) + " threads wait at " +
                                       place_text(barrier_place_));
    abandon();
  }
  thread.wait = Wait::barrier;
  thread.place = place;
  if (++at_barrier_ == thread_count_) {
    at_barrier_ = 0;
    for (int t = 0; t < thread_count_; ++t) threads_[t].wait = Wait::none;
    if (launch_.observer != nullptr) launch_.observer->barrier_released();
    make_all_ready();
  }
  wait_for_others();
}

void BlockRunner::fence() {
  if (launch_.observer != nullptr) launch_.observer->fenced(current_);
}

void BlockRunner::before_atomic(const void* address, std::size_t bytes, Place place) {
  if (launch_.observer != nullptr) launch_.observer->atomic(current_, address, bytes, place);
}

void BlockRunner::after_atomic(const void* address, bool changed, Place place) {
  if (changed) {
    idle_atomics_ = 0;
    if (launch_.observer != nullptr) launch_.observer->atomic_changed(current_, address);
    return;
  }
  // A thread that polls lets the others go on, and is stopped when that brings nothing.
  if (++idle_atomics_ % polls_before_yield != 0) return;
  if (idle_atomics_ > max_polls) {
    note_stop("deadlock", thread_text(current_) + " polls by an atomic at " + place_text(place) +
                              " for ever; " + who_waits_where());
    abandon();
  }
  // In turn, not by priority: pollers of high priority would keep everybody else from running.
  for (int step = 1; step < thread_count_; ++step) {
    const int next = (current_ + step) % thread_count_;
    if (!take_if_ready(next)) continue;
    make_ready(current_ / warp_lanes, 1U << (current_ % warp_lanes));
    switch_to(next);
    return;
  }
}

void BlockRunner::poison(unsigned char* slot, std::size_t bytes) {
  std::memset(slot - red_zone_bytes, 0xFF, bytes + 2 * red_zone_bytes);
}

void* BlockRunner::shared_array(const SharedSite& site) {
  for (const Slot& slot : slots_) {
    if (slot.site == &site) return slot.begin;
  }
  static_bytes_ += site.bytes;
  if (static_bytes_ > max_static_shared_bytes || slots_.size() == max_slots ||
      static_bytes_ + launch_.request->config.smem_bytes > max_shared_bytes) {
    note_stop("shared_memory", "static shared memory of " + std::to_string(static_bytes_) + " bytes in " +
                                   std::to_string(slots_.size() + 1) + " arrays; allowed are " +
                                   std::to_string(max_static_shared_bytes) +
                                   " bytes and, with the dynamic part, " + std::to_string(max_shared_bytes));
    abandon();
  }
  arena_used_ = round_up(arena_used_, slot_alignment);
  unsigned char* begin = arena_[0].bytes + arena_used_;
  arena_used_ += site.bytes + red_zone_bytes;
  poison(begin, site.bytes);
  slots_.push_back({&site, begin});
  if (launch_.observer != nullptr) launch_.observer->shared_slot(site.name, begin, site.bytes);
  return begin;
}

void BlockRunner::note_stop(const char* kind, const std::string& message) {
  stopped_ = true;
  stop_message_ = std::string(kind) + ": " + message + ", block " + block_text();
  if (launch_.observer != nullptr) launch_.observer->stopped(kind, message);
}

void BlockRunner::abandon() {
  fibers_.leave(running_fiber_);
  __builtin_unreachable();
}

void BlockRunner::stop_deadlocked() {
  note_stop("deadlock", "no thread can go on: " + who_waits_where());
  abandon();
}

std::string BlockRunner::thread_text(int thread) const {
  return "thread " + index_text(threads_[thread].index, block_extent_);
}

std::string BlockRunner::index_text_of(uint3 block) const {
  return index_text(block, grid_extent_);
}

uint3 BlockRunner::index_of_block(std::uint64_t block) const {
  return {static_cast<unsigned>(block % grid_extent_.x),
          static_cast<unsigned>(block / grid_extent_.x % grid_extent_.y),
          static_cast<unsigned>(block / grid_extent_.x / grid_extent_.y)};
}

std::string BlockRunner::who_waits_where() const {
  std::vector<std::pair<std::string, std::vector<int>>> groups;
  for (int t = 0; t < thread_count_; ++t) {
    const Thread& thread = threads_[t];
    std::string where = "has returned";
    if (thread.wait == Wait::barrier) where = "waits at __syncthreads " + place_text(thread.place);
    if (thread.wait == Wait::warp) {
      where = std::string("waits at ") + warp_op_text(thread.op) + " " + place_text(thread.place);
    }
    const auto found =
        std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == where; });
    if (found == groups.end()) {
      groups.push_back({where, {t}});
    } else {
      found->second.push_back(t);
    }
  }
  std::string text;
  for (const auto& [where, who] : groups) {
    if (!text.empty()) text += "; ";
    text += thread_text(who.front());
    if (who.size() > 1) text += " and " + std::to_string(who.size() - 1) + " more";
    text += " " + where;
  }
  return text;
}

}  // namespace seamgate::simt::host
