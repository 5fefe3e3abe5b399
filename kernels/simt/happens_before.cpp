// Vector clocks of a block's warps, and releases by fence and atomic.
#include "kernels/simt/happens_before.hpp"

#include <algorithm>
#include <bit>

namespace seamgate::simt::host {

HappensBefore::HappensBefore() : when_(max_block_threads), seen_(max_block_threads) {}

void HappensBefore::begin_launch(int threads) {
  threads_ = threads;
  locations_.clear();
  synced_.fill(true);  // clear every warp's clocks once
}

void HappensBefore::begin_block(std::uint64_t block_number) {
  block_ = block_number;
  epoch_ = 0;
  // Clocks start at 1, above what anybody has seen.
  std::fill_n(when_.begin(), threads_, block_number << Access::block_shift | 1);
  for (int warp = 0; warp * warp_lanes < threads_; ++warp) {
    if (!synced_[warp]) continue;
    for (int lane = 0; lane < warp_lanes; ++lane) seen_[warp * warp_lanes + lane].fill(0);
    synced_[warp] = false;
  }
  fences_.clear();
  learned_.clear();
  block_fences_.reset();
}

bool HappensBefore::barrier_released() {
  if (++epoch_ > Access::max_epoch) return false;
  for (int t = 0; t < threads_; ++t) when_[t] += 1ULL << Access::clock_bits;
  block_fences_.reset();
  return true;
}

bool HappensBefore::step(int thread) {
  if ((when_[thread] & Access::max_clock) == Access::max_clock) return false;
  ++when_[thread];
  return true;
}

bool HappensBefore::warp_synced(int warp, unsigned lanes) {
  synced_[warp] = true;
  const int first = warp * warp_lanes;
  LaneClocks joined{};
  for (unsigned left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const LaneClocks& known = seen_[first + lane];
    for (int k = 0; k < warp_lanes; ++k) joined[k] = std::max(joined[k], known[k]);
  }
  for (unsigned left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    joined[lane] = static_cast<std::uint32_t>(when_[first + lane] & Access::max_clock);
  }
  bool fits = true;
  for (unsigned left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    seen_[first + lane] = joined;
    fits = step(first + lane) && fits;
  }
  return fits;
}

bool HappensBefore::fenced(int thread) {
  Fence& fence = fences_[thread];
  fence.when = when_[thread];
  fence.warp_seen = seen_[thread];
  fence.inherited.clear();
  const Access here = now(thread, 0);
  for (const Learned& item : learned_) {
    if (ordered_in_block(item.by, here)) fence.inherited.push_back(item);
  }
  return step(thread);
}

void HappensBefore::acquire(int thread, std::uintptr_t address) {
  const auto found = locations_.find(address);
  if (found == locations_.end()) return;
  const Location& location = *found->second;
  const bool known = std::any_of(learned_.begin(), learned_.end(), [&](const Learned& item) {
    return item.location == &location && item.releases == location.releases.size() &&
           item.by.thread() == thread;
  });
  if (!known) learned_.push_back({{&location, location.releases.size()}, now(thread, 0)});
}

void HappensBefore::release(int thread, std::uintptr_t address) {
  if (fences_.empty()) return;
  std::unique_ptr<Location>& location = locations_[address];
  if (location == nullptr) location = std::make_unique<Location>();
  Release release;
  release.thread = thread;
  release.atomic = when_[thread];
  if (const auto own = fences_.find(thread); own != fences_.end()) {
    release.fence = own->second.when;
    release.warp_seen = own->second.warp_seen;
    // What it learned here itself is in every later reader's knowledge of this location anyway.
    for (const Knowledge& item : own->second.inherited) {
      if (item.location != location.get()) release.inherited.push_back(item);
    }
  }
  // The fences of threads that this one met at a barrier since; shared by all releases of one epoch.
  if (block_fences_ == nullptr) {
    auto fences = std::make_shared<std::vector<std::uint64_t>>(threads_, 0);
    for (const auto& [other, fence] : fences_) {
      const std::uint64_t fence_epoch = (fence.when >> Access::clock_bits) & Access::max_epoch;
      if (fence_epoch < epoch_) (*fences)[other] = fence.when;
    }
    block_fences_ = std::move(fences);
  }
  release.block_fences = block_fences_;
  location->by_block[block_].push_back(location->releases.size());
  if (!release.inherited.empty()) location->inheriting.push_back(location->releases.size());
  location->releases.push_back(std::move(release));
}

bool HappensBefore::covers(const Release& release, const Access& earlier) {
  if (release.fence != 0) {
    if (earlier.thread() == release.thread) {
      if (earlier.when <= release.fence) return true;
    } else if (earlier.when >> Access::clock_bits < release.fence >> Access::clock_bits) {
      return true;  // a barrier lies between the access and the fence
    } else if (earlier.warp() == release.thread / warp_lanes &&
               earlier.clock() <= release.warp_seen[earlier.lane()]) {
      return true;
    }
  }
  // The accessing thread fenced by itself, and met the releasing one at a barrier before the atomic.
  return earlier.when <= (*release.block_fences)[earlier.thread()];
}

// Every release is looked at once at most, however often threads learned of it.
bool HappensBefore::ordered_by_atomics(const Access& earlier, const Access& now) const {
  std::vector<Knowledge> open;
  for (const Learned& item : learned_) {
    if (ordered_in_block(item.by, now)) open.push_back(item);
  }
  std::unordered_map<const Location*, std::size_t> looked_at;
  while (!open.empty()) {
    const Knowledge knowledge = open.back();
    open.pop_back();
    const Location& location = *knowledge.location;
    std::size_t& done = looked_at[knowledge.location];
    if (knowledge.releases <= done) continue;
    const auto in_range = [&](std::size_t index) { return index >= done && index < knowledge.releases; };
    if (const auto found = location.by_block.find(earlier.block()); found != location.by_block.end()) {
      for (const std::size_t index : found->second) {
        if (in_range(index) && covers(location.releases[index], earlier)) return true;
      }
    }
    for (const std::size_t index : location.inheriting) {
      if (!in_range(index)) continue;
      const auto& inherited = location.releases[index].inherited;
      open.insert(open.end(), inherited.begin(), inherited.end());
    }
    done = knowledge.releases;
  }
  return false;
}

}  // namespace seamgate::simt::host
