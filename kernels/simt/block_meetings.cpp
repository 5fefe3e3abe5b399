// Where threads of a block meet or wait: barriers, fences, polling by atomics. Warp operations are a file of
// their own.
#include <cstring>

#include "kernels/simt/block_runner.hpp"
#include "kernels/simt/block_text.hpp"

namespace seamgate::simt::host {
namespace {

constexpr int polls_before_yield = 4;
constexpr int max_polls =
    1 << 18;  // of all threads together, with no atomic in between that changed anything

bool same_place(Place a, Place b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

}  // namespace

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

}  // namespace seamgate::simt::host
