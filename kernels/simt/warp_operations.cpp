// Warp operations: the lanes that a mask names meet, and the last to arrive exchanges the values for all.
#include <bit>
#include <cstdio>

#include "kernels/simt/block_runner.hpp"
#include "kernels/simt/block_text.hpp"

namespace seamgate::simt::host {
namespace {

std::string mask_text(unsigned mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

// The lane that `lane` reads from; its own where CUDA says that the value stays.
int source_lane(WarpOp op, int lane, int operand, int width) {
  const int segment = lane & ~(width - 1);
  const int within = lane & (width - 1);
  switch (op) {
    case WarpOp::shuffle:
      return segment + (operand & (width - 1));
    case WarpOp::shuffle_up:
      return within - operand >= 0 ? lane - operand : lane;
    case WarpOp::shuffle_down:
      return within + operand < width ? lane + operand : lane;
    case WarpOp::shuffle_xor: {
      // An earlier segment may be read, a later one may not.
      const int source = lane ^ operand;
      return source < segment + width && source >= 0 && source < warp_lanes ? source : lane;
    }
    default:
      return lane;
  }
}

}  // namespace

std::uint64_t BlockRunner::warp_operation(WarpOp op, unsigned mask, std::uint64_t value, int operand,
                                          int width, Place place) {
  const int index = current_ / warp_lanes;
  const unsigned bit = 1U << (current_ % warp_lanes);
  Warp& warp = warps_[index];
  if ((mask & bit) == 0) {
    note_stop("shuffle_mask", thread_text(current_) + " (lane " + std::to_string(current_ % warp_lanes) +
                                  ") calls " + warp_op_text(op) + " " + place_text(place) + " with mask " +
                                  mask_text(mask) + ", which does not name its lane");
    abandon();
  }
  if (width < 1 || width > warp_lanes || (width & (width - 1)) != 0) {
    note_stop("shuffle_mask", thread_text(current_) + " calls " + warp_op_text(op) + " " + place_text(place) +
                                  " with width " + std::to_string(width) +
                                  ", allowed are powers of two up to 32");
    abandon();
  }
  Thread& thread = threads_[current_];
  thread.op = op;
  thread.value = value;
  thread.operand = operand;
  thread.width = width;
  thread.place = place;

  int m = 0;
  while (m < warp.meetings && warp.meeting[m].mask != mask) ++m;
  if (m == warp.meetings) {
    warp.meeting[warp.meetings++] = {mask, 0, op};
  } else if (warp.meeting[m].op != op) {
    note_stop("shuffle_mask", thread_text(current_) + " calls " + warp_op_text(op) + " " + place_text(place) +
                                  " while other lanes of mask " + mask_text(mask) + " wait at " +
                                  warp_op_text(warp.meeting[m].op));
    abandon();
  }
  Meeting& meeting = warp.meeting[m];
  meeting.arrived |= bit;
  // Lanes that do not exist or have returned are not waited for (CUDA: all non-exited threads named in the
  // mask).
  if ((mask & warp.existing & ~warp.finished & ~meeting.arrived) == 0) {
    complete_meeting(index, m);
    return thread.value;
  }
  thread.wait = Wait::warp;
  wait_for_others();
  return thread.value;
}

// Called by the lane that completes it; every other lane becomes ready.
void BlockRunner::complete_meeting(int index, int m) {
  Warp& warp = warps_[index];
  const Meeting meeting = warp.meeting[m];
  warp.meeting[m] = warp.meeting[--warp.meetings];
  Thread* lanes = &threads_[index * warp_lanes];

  if (meeting.op == WarpOp::sync) {
    if (launch_.observer != nullptr) launch_.observer->warp_synced(index, meeting.arrived);
  } else if (meeting.op == WarpOp::ballot || meeting.op == WarpOp::any || meeting.op == WarpOp::all) {
    unsigned votes = 0;
    for (unsigned left = meeting.arrived; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      votes |= lanes[lane].value != 0 ? 1U << lane : 0U;
    }
    const std::uint64_t result = meeting.op == WarpOp::ballot ? votes
                                 : meeting.op == WarpOp::any  ? std::uint64_t{votes != 0}
                                                              : std::uint64_t{votes == meeting.arrived};
    for (unsigned left = meeting.arrived; left != 0; left &= left - 1)
      lanes[std::countr_zero(left)].value = result;
  } else {
    std::uint64_t sent[warp_lanes];
    for (unsigned left = meeting.arrived; left != 0; left &= left - 1) {
      sent[std::countr_zero(left)] = lanes[std::countr_zero(left)].value;
    }
    for (unsigned left = meeting.arrived; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const int source = source_lane(meeting.op, lane, lanes[lane].operand, lanes[lane].width);
      if ((meeting.arrived >> source & 1U) != 0) {
        lanes[lane].value = sent[source];
        continue;
      }
      lanes[lane].value = ~0ULL;
      if (launch_.observer != nullptr) {
        const int thread = index * warp_lanes + lane;
        launch_.observer->bad_exchange(thread,
                                       thread_text(thread) + " reads lane " + std::to_string(source) +
                                           " by " + warp_op_text(meeting.op) + " " +
                                           place_text(lanes[lane].place) + ", which takes no part (mask " +
                                           mask_text(meeting.mask) + ")",
                                       lanes[lane].place);
      }
    }
  }

  unsigned others = meeting.arrived;
  if (current_ / warp_lanes == index) others &= ~(1U << (current_ % warp_lanes));
  for (unsigned left = others; left != 0; left &= left - 1) lanes[std::countr_zero(left)].wait = Wait::none;
  make_ready(index, others);
}

// A lane has returned: meetings that waited for it alone are complete.
void BlockRunner::release_meetings_without(int index) {
  Warp& warp = warps_[index];
  for (int m = 0; m < warp.meetings;) {
    const Meeting& meeting = warp.meeting[m];
    if ((meeting.mask & warp.existing & ~warp.finished & ~meeting.arrived) == 0) {
      complete_meeting(index, m);
    } else {
      ++m;
    }
  }
}

}  // namespace seamgate::simt::host
