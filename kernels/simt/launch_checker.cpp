// The checker's ears: launches, blocks, meetings, atomics, and what the compiler's handlers report.
#include "kernels/simt/launch_checker.hpp"

#include "kernels/simt/block_text.hpp"
#include "kernels/simt/source_lines.hpp"

namespace seamgate::simt::host {
namespace {

// About 770 MiB of cells at the most are carried over to the next launch.
constexpr std::size_t max_idle_pages = 65536;

}  // namespace

thread_local LaunchChecker* LaunchChecker::active = nullptr;

void LaunchChecker::begin_launch(const LaunchRequest& request, BlockRunner& runner) {
  runner_ = &runner;
  request_ = &request;
  stacks_begin_ = runner.fibers().stacks_begin();
  stacks_bytes_ = runner.fibers().stacks_bytes();
  arena_begin_ = reinterpret_cast<std::uintptr_t>(runner.arena());
  arena_bytes_ = runner.arena_bytes();
  findings_.clear();
  blocks_.clear();
  program_.clear();
  spins_ = 0;
  stopped_ = false;
  stop_pc_ = 0;

  const Config& config = request.config;
  order_.begin_launch(static_cast<int>(config.block.x * config.block.y * config.block.z));
  const std::uint64_t blocks = std::uint64_t{config.grid.x} * config.grid.y * config.grid.z;
  if (shadow_.pages() > max_idle_pages || block_number_ + blocks > Access::max_block) {
    shadow_.clear();
    if (block_number_ + blocks > Access::max_block) block_number_ = 0;
  }
  launch_from_ = (block_number_ + 1) << Access::block_shift;
  if (const std::uint64_t generation = buffers().generation(); generation != registry_generation_) {
    buffers_ = buffers().snapshot();
    registry_generation_ = generation;
    for (std::size_t& recent : recent_buffers_) recent = 0;
    std::unordered_map<std::uint64_t, std::vector<bool>> kept;
    for (const Buffer& buffer : buffers_) {
      if (buffer.contents == Contents::written) continue;
      const auto known = written_.find(buffer.id);
      kept[buffer.id] =
          known != written_.end() ? std::move(known->second) : std::vector<bool>(buffer.bytes, false);
    }
    written_ = std::move(kept);
  }
}

std::vector<Finding> LaunchChecker::end_launch() {
  return findings_.empty() ? std::vector<Finding>{} : findings_.finish(*request_->kernel);
}

void LaunchChecker::block_begins(std::uint64_t block) {
  ++block_number_;
  blocks_.push_back(block);
  block_from_ = block_number_ << Access::block_shift;
  order_.begin_block(block_number_);
  slots_.clear();
  last_slot_ = 0;
}

void LaunchChecker::shared_slot(const char* name, void* begin, std::size_t bytes) {
  slots_.push_back({name, reinterpret_cast<std::uintptr_t>(begin), bytes});
}

void LaunchChecker::limit() {
  runner_->note_stop(
      finding::checker_limit.data(),
      "more than 262143 barriers, or warp synchronisations and fences of one lane, in one block");
  runner_->abandon();
}

void LaunchChecker::barrier_released() {
  if (!order_.barrier_released()) limit();
}

void LaunchChecker::warp_synced(int warp, unsigned lanes) {
  if (!order_.warp_synced(warp, lanes)) limit();
}

void LaunchChecker::fenced(int thread) {
  if (!order_.fenced(thread)) limit();
}

void LaunchChecker::atomic(int thread, const void* address, std::size_t bytes, Place place) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (at % bytes != 0) {
    misaligned(at, bytes, "an atomic's operand", place);
  }
  order_.acquire(thread, at);
  touch(at, bytes, true, true, pc_of_place(place));
}

void LaunchChecker::atomic_changed(int thread, const void* address) {
  order_.release(thread, reinterpret_cast<std::uintptr_t>(address));
}

void LaunchChecker::stopped(const char* kind, const std::string& message) {
  stopped_ = true;
  if (!findings_.seen(kind, stop_pc_, 0, message, true)) {
    findings_.add("block " + runner_->block_text() + ": " + message);
  }
}

void LaunchChecker::bad_exchange(int, const std::string& message, Place place) {
  if (!findings_.seen(finding::shuffle_mask, 0, 0, place_text(place))) {
    findings_.add("block " + runner_->block_text() + ": " + message);
  }
}

void LaunchChecker::misaligned(std::uintptr_t address, std::size_t alignment, const char* type, Place place) {
  runner_->note_stop(finding::misaligned.data(),
                     runner_->thread_text(runner_->current_thread()) + " uses " + type + " at " +
                         target_of(address) + ", which is not a multiple of " + std::to_string(alignment) +
                         " bytes, " + place_text(place));
  runner_->abandon();
}

void LaunchChecker::index_outside(const char* array_type, long long index, Place place) {
  runner_->note_stop(finding::out_of_bounds.data(), runner_->thread_text(runner_->current_thread()) +
                                                        " uses index " + std::to_string(index) + " of " +
                                                        array_type + ", " + place_text(place));
  runner_->abandon();
}

void LaunchChecker::overflow(const char* operation, const char* type, Place place) {
  if (findings_.seen(finding::index_overflow, 0, 0, place_text(place))) return;
  findings_.add("block " + runner_->block_text() + ": " + runner_->thread_text(runner_->current_thread()) +
                " " + operation + " does not fit in " + type + ", " + place_text(place));
}

}  // namespace seamgate::simt::host
