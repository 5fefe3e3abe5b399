// A block's shared memory: an arena with exact bounds, red zones and NaN.
#include <cstring>

#include "kernels/simt/block_runner.hpp"

namespace seamgate::simt::host {
namespace {

// Around every shared slot: an index past the end lands here, not in a neighbour.
constexpr std::size_t red_zone_bytes = 256;
constexpr std::size_t max_slots = 64;
constexpr std::size_t slot_alignment = 128;

constexpr std::size_t round_up(std::size_t value, std::size_t to) {
  return (value + to - 1) / to * to;
}

constexpr std::size_t arena_capacity =
    round_up(max_shared_bytes + (max_slots + 1) * (red_zone_bytes + slot_alignment), slot_alignment);

}  // namespace

std::size_t BlockRunner::arena_bytes() {
  return arena_capacity;
}

void BlockRunner::reset_shared_memory() {
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

}  // namespace seamgate::simt::host
