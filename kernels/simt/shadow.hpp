// Shadow memory: for every few bytes, the last write and up to two concurrent readers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "kernels/simt/access_record.hpp"

namespace seamgate::simt::host {

// The shadow of 1 KiB. A page begins with a cell per 4 bytes and is refined to 2 or 1 when a smaller access
// comes, so that neighbouring 16-bit elements are told apart at no cost for f32. Writes and readers are
// planes apart, made when first needed: most memory is only read or only written by a launch, and the
// shadow's size is what costs time.
class Page {
 public:
  static constexpr int bits = 10;
  static constexpr std::size_t bytes = 1U << bits;

  struct Range {
    std::size_t first;
    std::size_t count;
  };

  // The cells of [address, address + size), which lies in this page.
  Range range(std::uintptr_t address, std::size_t size) {
    if (((address | size) & ((1U << shift_) - 1U)) != 0) refine(address | size);
    return {(address & (bytes - 1)) >> shift_, size >> shift_};
  }
  std::size_t cell_bytes() const { return std::size_t{1} << shift_; }

  // One plane of records, and the `when` of the newest in it: a plane without a record of this launch (or,
  // for shared memory, of this block) need not be looked at.
  struct Plane {
    std::unique_ptr<Access[]> cells;
    std::uint64_t newest = 0;
  };
  Access* make(Plane& plane) {
    if (plane.cells == nullptr) plane.cells.reset(new Access[bytes >> shift_]);
    return plane.cells.get();
  }

  Plane writes;
  Plane reads;        // the newest reader
  Plane other_reads;  // one that is not ordered before it

  // Which buffers the page lies in is asked once for each state of the registry.
  std::uint64_t registry_generation = ~0ULL - 1;
  bool inside_one_buffer = false;

 private:
  void refine(std::uintptr_t address_or_size);

  int shift_ = 2;
};

// Pages by address. Never cleared between launches: block numbers tell old records from new ones.
class ShadowMemory {
 public:
  Page& page_of(std::uintptr_t address) {
    const std::uintptr_t number = address >> Page::bits;
    Recent& recent = recent_[number % recent_.size()];
    if (recent.page == nullptr || recent.number != number) recent = {number, &find(number)};
    return *recent.page;
  }

  std::size_t pages() const { return pages_.size(); }
  void clear();

 private:
  struct Recent {
    std::uintptr_t number = 0;
    Page* page = nullptr;
  };
  Page& find(std::uintptr_t number);

  std::array<Recent, 4096> recent_{};
  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
};

}  // namespace seamgate::simt::host
