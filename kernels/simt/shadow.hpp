// Shadow memory: for every few bytes, the last write and up to two concurrent readers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "kernels/simt/access_record.hpp"

namespace seamgate::simt::host {

struct Cell {
  Access write;
  Access reads[2];  // newest first
};

// The cells of 1 KiB. A page begins with a cell per 4 bytes and is refined to 2 or 1 when a smaller access
// comes, so that neighbouring 16-bit elements are told apart at no cost for f32.
class Page {
 public:
  static constexpr int bits = 10;
  static constexpr std::size_t bytes = 1U << bits;

  Page() : cells_(new Cell[bytes >> 2]) {}

  // Cells for [address, address + size), which lies in this page; `count` of them.
  Cell* cells(std::uintptr_t address, std::size_t size, std::size_t& count) {
    if (((address | size) & ((1U << shift_) - 1U)) != 0) refine(address | size);
    count = size >> shift_;
    return &cells_[(address & (bytes - 1)) >> shift_];
  }

  // Which buffers the page lies in is asked once for each state of the registry.
  std::uint64_t registry_generation = 0;
  bool inside_one_buffer = false;

 private:
  void refine(std::uintptr_t address_or_size);

  int shift_ = 2;
  std::unique_ptr<Cell[]> cells_;
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
