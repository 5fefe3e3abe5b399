// What an op's seam counts. Asks take no lock; reading and resetting take a SeamLock in hand.
//
// At rest: asked == skipped + node_ran + bare_ran + failed, and skipped is the sum over reasons. A run counter moves only
// after a successful launch, in the branch that launched. A misspelt counter does not compile.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "seam/decline.hpp"
#include "seam/seam_lock.hpp"

namespace seamgate::seam {

enum class Counter {
  asked,
  skipped,
  node_ran,
  bare_ran,
  failed,
  node_tracked,      // of node_ran: those that left a tape entry
  node_backward,     // backward steps of such entries
  adjoint_fused,     // of node_backward: by the fused adjoint
  adjoint_tensor,    // of node_backward: by tensor operations
  gy_materialised,   // upstream gradients copied because the adjoint does not serve their layout
};
inline constexpr std::size_t counter_count = 10;

constexpr std::string_view to_string(Counter counter) {
  constexpr std::array<std::string_view, counter_count> names = {
      "asked",        "skipped",       "node_ran",      "bare_ran",       "failed",
      "node_tracked", "node_backward", "adjoint_fused", "adjoint_tensor", "gy_materialised"};
  return names[static_cast<std::size_t>(counter)];
}

struct CounterSnapshot {
  std::array<std::uint64_t, counter_count> counts{};
  std::array<std::uint64_t, decline_count> declined{};

  std::uint64_t operator[](Counter counter) const { return counts[static_cast<std::size_t>(counter)]; }
  std::uint64_t operator[](Decline reason) const { return declined[static_cast<std::size_t>(reason)]; }

  // Empty when the counters are conserved, else the law that is broken, with its figures.
  std::string broken_law() const;
  // "(asked, skipped, node_ran, bare_ran)"
  std::string arms() const;
};

class Counters {
 public:
  void add(Counter counter);
  void ask();                    // asked, on whose account included
  void decline(Decline reason);  // skipped, by reason

  // Throws std::logic_error when somebody asked whom the holder did not start.
  CounterSnapshot read(const SeamLock&) const;
  void reset(const SeamLock&);
  // A lock that ends with the call was not held from reset to read.
  CounterSnapshot read(const SeamLock&&) const = delete;
  void reset(const SeamLock&&) = delete;

 private:
  std::array<std::atomic<std::uint64_t>, counter_count> counts_{};
  std::array<std::atomic<std::uint64_t>, decline_count> declined_{};
  std::atomic<std::uint64_t> foreign_{0};
};

}  // namespace seamgate::seam
