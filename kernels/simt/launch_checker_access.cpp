// The checker's eyes: every load and store of a kernel thread, held against bounds, contents and earlier
// accesses.
#include <link.h>

#include <algorithm>

#include "kernels/simt/block_text.hpp"
#include "kernels/simt/launch_checker.hpp"

namespace seamgate::simt::host {
namespace {

constexpr int max_spins = 1 << 20;

int collect_segments(dl_phdr_info* info, std::size_t, void* result) {
  auto& segments = *static_cast<std::vector<std::pair<std::uintptr_t, std::uintptr_t>>*>(result);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    segments.emplace_back(begin, begin + header.p_memsz);
  }
  return 0;
}

}  // namespace

void LaunchChecker::touch(std::uintptr_t address, std::size_t size, bool is_write, bool is_atomic,
                          std::uint64_t pc) {
  if (address != spin_address_ || pc != spin_pc_) {
    spin_address_ = address;
    spin_pc_ = pc;
    spins_ = 0;
  } else if (++spins_ == max_spins) {
    stop_spinning(address);
  }
  // A page at a time; nearly always there is one.
  for (;;) {
    const std::size_t left = Page::bytes - (address & (Page::bytes - 1));
    if (size <= left) break;
    touch_in_page(address, left, is_write, is_atomic, pc);
    address += left;
    size -= left;
  }
  touch_in_page(address, size, is_write, is_atomic, pc);
}

// A thread that does nothing but touch one place at one line waits for somebody who cannot run.
void LaunchChecker::stop_spinning(std::uintptr_t address) {
  runner_->note_stop(finding::deadlock.data(), runner_->thread_text(runner_->current_thread()) +
                                                   " does nothing but touch " + target_of(address) +
                                                   " for ever");
  runner_->abandon();
}

void LaunchChecker::touch_in_page(std::uintptr_t address, std::size_t size, bool is_write, bool is_atomic,
                                  std::uint64_t pc) {
  Page& page = shadow_.page_of(address);
  Access now = order_.now(runner_->current_thread(), pc);
  if (is_atomic) now.where |= Access::atomic_bit;
  if (in_shared(address)) {
    require_shared_slot(address, size, is_write, pc);
    if (!is_write || is_atomic) require_written_shared(page, now, address, size);
    touch_cells(page, now, block_from_, is_write, address, size);
  } else if ((page.inside_one_buffer && page.registry_generation == registry_generation_) ||
             require_buffer(page, address, size, is_write, is_atomic, pc)) {
    touch_cells(page, now, launch_from_, is_write, address, size);
  }
}

void LaunchChecker::require_shared_slot(std::uintptr_t address, std::size_t size, bool is_write,
                                        std::uint64_t pc) {
  const auto holds = [&](const SharedSlot& slot) {
    return address - slot.begin < slot.bytes && size <= slot.bytes - (address - slot.begin);
  };
  if (last_slot_ < slots_.size() && holds(slots_[last_slot_])) return;
  const auto found = std::find_if(slots_.begin(), slots_.end(), holds);
  if (found == slots_.end()) stop_outside(address, size, is_write, pc);
  last_slot_ = static_cast<std::size_t>(found - slots_.begin());
}

void LaunchChecker::require_written_shared(Page& page, const Access& now, std::uintptr_t address,
                                           std::size_t size) {
  const auto [first, count] = page.range(address, size);
  const Access* writes = page.make(page.writes);
  for (std::size_t i = 0; i < count; ++i) {
    if (writes[first + i].when >= block_from_) continue;
    if (!findings_.seen(finding::unwritten_shared, now.pc(), 0)) {
      findings_.add("block " + runner_->block_text() + ": " + actor(now) + " reads " +
                    target_of(address + i * page.cell_bytes()) + " at {1}, which nobody has written");
    }
    return;
  }
}

bool LaunchChecker::require_buffer(Page& page, std::uintptr_t address, std::size_t size, bool is_write,
                                   bool is_atomic, std::uint64_t pc) {
  if (page.registry_generation != registry_generation_) {
    const Buffer* around = buffer_of(address & ~(Page::bytes - 1), Page::bytes);
    page.inside_one_buffer = around != nullptr && around->contents == Contents::written;
    page.registry_generation = registry_generation_;
    if (page.inside_one_buffer) return true;
  }
  const Buffer* buffer = buffer_of(address, size);
  if (buffer == nullptr) {
    const auto arguments = reinterpret_cast<std::uintptr_t>(request_->arguments);
    const bool is_argument = address - arguments < request_->argument_bytes;
    if (!is_write && (is_argument || in_program(address))) return false;
    stop_outside(address, size, is_write, pc);
  }
  if (buffer->contents == Contents::unwritten) {
    if (!is_write || is_atomic) track_contents(*buffer, address, size, false, pc);
    if (is_write) track_contents(*buffer, address, size, true, pc);
  }
  return true;
}

void LaunchChecker::touch_cells(Page& page, const Access& now, std::uint64_t live_from, bool is_write,
                                std::uintptr_t address, std::size_t size) {
  const auto [first, count] = page.range(address, size);
  if (page.writes.newest >= live_from) {
    const Access* writes = page.writes.cells.get();
    for (std::size_t i = first; i < first + count; ++i) {
      const Access& last = writes[i];
      if (last.when < live_from || (last.atomic() && now.atomic()) || order_.ordered(last, now)) continue;
      report_race(last, true, now, is_write, address + (i - first) * page.cell_bytes());
    }
  }
  if (!is_write) {
    for (std::size_t i = first; i < first + count; ++i) note_read(page, i, now, live_from);
    page.reads.newest = now.when;
    return;
  }
  for (Page::Plane* plane : {&page.reads, &page.other_reads}) {
    if (plane->newest < live_from) continue;
    for (std::size_t i = first; i < first + count; ++i) {
      Access& read = plane->cells[i];
      if (read.when >= live_from && !order_.ordered(read, now)) {
        report_race(read, false, now, true, address + (i - first) * page.cell_bytes());
      }
      read.when = 0;
    }
  }
  Access* writes = page.make(page.writes);
  for (std::size_t i = first; i < first + count; ++i) writes[i] = now;
  page.writes.newest = now.when;
}

// Two readers that are not ordered are kept, of two warps or blocks if there are such: a later writer who is
// ordered after the one may race with the other. A reader that is ordered before a newer one is implied by
// it.
void LaunchChecker::note_read(Page& page, std::size_t cell, const Access& now, std::uint64_t live_from) {
  Access& newest = page.make(page.reads)[cell];
  if (newest.when >= live_from && !(newest.when == now.when && newest.same_thread(now))) {
    if (!order_.ordered_in_block(newest, now)) {
      Access& other = page.make(page.other_reads)[cell];
      const bool other_is_live = other.when >= live_from && !order_.ordered_in_block(other, now);
      const auto same_warp = [](const Access& a, const Access& b) {
        return (a.when ^ b.when) >> Access::block_shift == 0 && a.warp() == b.warp();
      };
      if (!other_is_live || !same_warp(newest, now) || same_warp(other, now)) {
        other = newest;
        page.other_reads.newest = now.when;
      }
    } else if (page.other_reads.newest >= live_from) {
      Access& other = page.other_reads.cells[cell];
      if (other.when != 0 && order_.ordered_in_block(other, now)) other.when = 0;
    }
  }
  newest = now;
}

void LaunchChecker::track_contents(const Buffer& buffer, std::uintptr_t address, std::size_t size,
                                   bool is_write, std::uint64_t pc) {
  std::vector<bool>& written = written_[buffer.id];
  const std::size_t first = address - buffer.begin;
  for (std::size_t i = first; i < first + size; ++i) {
    if (is_write) {
      written[i] = true;
    } else if (!written[i]) {
      if (!findings_.seen(finding::unwritten_device, pc, 0)) {
        findings_.add("block " + runner_->block_text() + ": " +
                      runner_->thread_text(runner_->current_thread()) + " reads " +
                      target_of(buffer.begin + i) + " at {1}, which no kernel has written");
      }
      return;
    }
  }
}

const Buffer* LaunchChecker::buffer_of(std::uintptr_t address, std::size_t size) {
  const auto holds = [&](const Buffer& b) {
    return address - b.begin < b.bytes && size <= b.bytes - (address - b.begin);
  };
  if (buffers_.empty()) return nullptr;
  for (const std::size_t recent : recent_buffers_) {
    if (holds(buffers_[recent])) return &buffers_[recent];
  }
  const auto after = std::upper_bound(buffers_.begin(), buffers_.end(), address,
                                      [](std::uintptr_t a, const Buffer& b) { return a < b.begin; });
  if (after == buffers_.begin() || !holds(*std::prev(after))) return nullptr;
  std::copy_backward(recent_buffers_, recent_buffers_ + 3, recent_buffers_ + 4);
  recent_buffers_[0] = static_cast<std::size_t>(std::prev(after) - buffers_.begin());
  return &*std::prev(after);
}

// Constants and tables of the program itself.
bool LaunchChecker::in_program(std::uintptr_t address) {
  if (program_.empty()) dl_iterate_phdr(&collect_segments, &program_);
  return std::any_of(program_.begin(), program_.end(),
                     [address](const auto& s) { return address >= s.first && address < s.second; });
}

std::string LaunchChecker::actor(const Access& access) const {
  return runner_->thread_text(access.thread());
}

std::string LaunchChecker::block_name(std::uint64_t number) const {
  const std::uint64_t first = launch_from_ >> Access::block_shift;
  return runner_->block_text(blocks_[number - first]);
}

std::string LaunchChecker::target_of(std::uintptr_t address) const {
  const auto element = [address](const std::string& name, std::uintptr_t begin) {
    return "byte " + std::to_string(address - begin) + " of '" + name + "'";
  };
  if (in_shared(address)) {
    for (const SharedSlot& slot : slots_) {
      if (address - slot.begin < slot.bytes) return "shared " + element(slot.name, slot.begin);
    }
    const SharedSlot* nearest = nullptr;
    for (const SharedSlot& slot : slots_) {
      if (slot.begin <= address && (nearest == nullptr || slot.begin > nearest->begin)) nearest = &slot;
    }
    if (nearest == nullptr) return "shared memory before every array";
    return "shared " + element(nearest->name, nearest->begin) + " (" + std::to_string(nearest->bytes) +
           " bytes)";
  }
  const auto after = std::upper_bound(buffers_.begin(), buffers_.end(), address,
                                      [](std::uintptr_t a, const Buffer& b) { return a < b.begin; });
  if (after != buffers_.begin()) {
    const Buffer& before = *std::prev(after);
    if (address - before.begin < before.bytes) return element(before.name, before.begin);
    if (after == buffers_.end() || address - before.begin - before.bytes <= after->begin - address) {
      return element(before.name, before.begin) + " (" + std::to_string(before.bytes) + " bytes)";
    }
  }
  if (after == buffers_.end()) return "an address in no registered buffer (none is registered)";
  return std::to_string(after->begin - address) + " bytes before '" + after->name + "'";
}

void LaunchChecker::report_race(const Access& earlier, bool earlier_wrote, const Access& now, bool now_writes,
                                std::uintptr_t address) {
  const std::string target = target_of(address);
  const bool same_block = (earlier.when ^ now.when) >> Access::block_shift == 0;
  const bool same_warp = same_block && earlier.warp() == now.warp();
  const std::string_view kind = !same_block ? finding::race_between_blocks
                                : same_warp ? finding::missing_syncwarp
                                            : finding::race_in_block;
  if (findings_.seen(kind, now.pc(), earlier.pc())) return;
  const std::string remedy = !same_block ? "no fence with an atomic orders them"
                             : same_warp ? "no __syncwarp or __syncthreads lies between"
                                         : "no __syncthreads lies between";
  findings_.add("block " + runner_->block_text() + ": " + actor(now) + (now_writes ? " writes " : " reads ") +
                target + " at {1}, " + (same_block ? "" : "block " + block_name(earlier.block()) + " ") +
                actor(earlier) + (earlier_wrote ? " wrote it at {2}; " : " read it at {2}; ") + remedy);
}

void LaunchChecker::stop_outside(std::uintptr_t address, std::size_t size, bool is_write, std::uint64_t pc) {
  stop_pc_ = pc;
  runner_->note_stop(finding::out_of_bounds.data(),
                     runner_->thread_text(runner_->current_thread()) + (is_write ? " writes " : " reads ") +
                         std::to_string(size) + " bytes at {1}, at " + target_of(address));
  runner_->abandon();
}

}  // namespace seamgate::simt::host
