// The checker of one launch: hears every access and every meeting, and writes findings. It lives on between
// launches for its shadow memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernels/simt/block_runner.hpp"
#include "kernels/simt/buffers.hpp"
#include "kernels/simt/finding_list.hpp"
#include "kernels/simt/happens_before.hpp"
#include "kernels/simt/shadow.hpp"

namespace seamgate::simt::host {

class LaunchChecker final : public BlockObserver {
 public:
  // The checker of the checked kernel that this OS thread runs now, or null.
  static thread_local LaunchChecker* active [[gnu::tls_model("initial-exec")]];

  void begin_launch(const LaunchRequest& request, BlockRunner& runner);
  std::vector<Finding> end_launch();
  // Whether the last of the findings ended the launch.
  bool stopped_the_launch() const { return stopped_; }

  // A load or store by the current kernel thread; `pc` is the return address of the hook.
  void access(std::uintptr_t address, std::size_t size, bool is_write, std::uint64_t pc) {
    if (address - stacks_begin_ < stacks_bytes_) return;  // a thread's own variables
    touch(address, size, is_write, false, pc);
  }

  // From the undefined-behaviour hooks, which know the file and line.
  void misaligned(std::uintptr_t address, std::size_t alignment, const char* type, Place place);
  void index_outside(const char* array_type, long long index, Place place);
  void overflow(const char* operation, const char* type, Place place);

  void block_begins(std::uint64_t block) override;
  void shared_slot(const char* name, void* begin, std::size_t bytes) override;
  void barrier_released() override;
  void warp_synced(int warp, unsigned lanes) override;
  void fenced(int thread) override;
  void atomic(int thread, const void* address, std::size_t bytes, Place place) override;
  void atomic_changed(int thread, const void* address) override;
  void stopped(const char* kind, const std::string& message) override;
  void bad_exchange(int thread, const std::string& message, Place place) override;

 private:
  struct SharedSlot {
    const char* name;
    std::uintptr_t begin;
    std::size_t bytes;
  };

  void touch(std::uintptr_t address, std::size_t size, bool is_write, bool is_atomic, std::uint64_t pc);
  void touch_in_page(std::uintptr_t address, std::size_t size, bool is_write, bool is_atomic,
                     std::uint64_t pc);
  void touch_cells(Page& page, const Access& now, std::uint64_t live_from, bool is_write,
                   std::uintptr_t address, std::size_t size);
  void note_read(Page& page, std::size_t cell, const Access& now, std::uint64_t live_from);
  bool in_shared(std::uintptr_t address) const { return address - arena_begin_ < arena_bytes_; }
  void require_shared_slot(std::uintptr_t address, std::size_t size, bool is_write, std::uint64_t pc);
  void require_written_shared(Page& page, const Access& now, std::uintptr_t address, std::size_t size);
  // False: memory of the program itself, which nobody races for.
  bool require_buffer(Page& page, std::uintptr_t address, std::size_t size, bool is_write, bool is_atomic,
                      std::uint64_t pc);
  const Buffer* buffer_of(std::uintptr_t address, std::size_t size);
  void track_contents(const Buffer& buffer, std::uintptr_t address, std::size_t size, bool is_write,
                      std::uint64_t pc);
  bool in_program(std::uintptr_t address);
  [[noreturn]] void stop_spinning(std::uintptr_t address);
  void report_race(const Access& earlier, bool earlier_wrote, const Access& now, bool now_writes,
                   std::uintptr_t address);
  [[noreturn]] void stop_outside(std::uintptr_t address, std::size_t size, bool is_write, std::uint64_t pc);
  std::string target_of(std::uintptr_t address) const;
  std::string actor(const Access& access) const;
  std::string block_name(std::uint64_t number) const;
  void limit();

  BlockRunner* runner_ = nullptr;
  const LaunchRequest* request_ = nullptr;
  std::uintptr_t stacks_begin_ = 0;
  std::size_t stacks_bytes_ = 0;
  std::uintptr_t arena_begin_ = 0;
  std::size_t arena_bytes_ = 0;

  HappensBefore order_;
  ShadowMemory shadow_;
  FindingList findings_;
  std::vector<SharedSlot> slots_;
  std::size_t last_slot_ = 0;

  std::uint64_t block_number_ = 0;  // of this process, from 1
  std::uint64_t launch_from_ = 0;   // `when` of this launch's first block: older records are another launch's
  std::uint64_t block_from_ = 0;  // `when` of this block: older records of shared memory are another block's
  std::vector<std::uint64_t> blocks_;  // block index by order of execution

  std::vector<Buffer> buffers_;
  std::uint64_t registry_generation_ = ~0ULL;
  std::size_t recent_buffers_[4] = {};
  std::unordered_map<std::uint64_t, std::vector<bool>>
      written_;  // per buffer registered as unwritten, per byte
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> program_;  // what the loader mapped

  bool stopped_ = false;
  std::uint64_t stop_pc_ = 0;  // set before a stop whose text has "{1}"

  std::uintptr_t spin_address_ = 0;
  std::uint64_t spin_pc_ = 0;
  int spins_ = 0;
};

}  // namespace seamgate::simt::host
