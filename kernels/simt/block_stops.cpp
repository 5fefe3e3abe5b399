// How a block ends early, and what is said about it.
#include <algorithm>
#include <utility>

#include "kernels/simt/block_runner.hpp"
#include "kernels/simt/block_text.hpp"

namespace seamgate::simt::host {

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
