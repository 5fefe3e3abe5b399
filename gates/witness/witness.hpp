// The witness: what saw the kernels run, below the seam and independent of its counters. On the CPU it is the emulator's launch
// log, on a GPU CUPTI. Gates see both through this one interface, and by the same kernel names.
//
// A witness never says "none" for want of sight: whatever keeps it from seeing throws NoWitness, which reads NOT RUN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gates/backend.hpp"

namespace seamgate::gates {

// what() is "no witness: REASON".
class NoWitness : public std::runtime_error {
 public:
  explicit NoWitness(const std::string& reason) : std::runtime_error("no witness: " + reason) {}
};

// Kernels in the order in which they started. A primitive tensor operation is one, whatever the backend: "primitive.neg".
struct KernelsSeen {
  std::vector<std::string> names;

  std::size_t count() const { return names.size(); }
  std::size_t count_of(std::string_view substring) const;  // names that have it
  std::string str() const;                                 // "rmsnorm::forward_kernel x1, primitive.neg x2"; "none"
};

class Witness {
 public:
  virtual ~Witness() = default;
  // A point in time, once everything that was launched before has ended. Throws NoWitness, and std::runtime_error where the GPU
  // itself fails.
  virtual std::uint64_t mark() = 0;
  // The kernels since a mark, once all have ended. Throws NoWitness, also where some of them may have been missed.
  virtual KernelsSeen since(std::uint64_t mark) = 0;
};

// Takes the witness of a backend for the rest of this process; on a GPU that is to come before the first context. Where it was
// taken before, that one. Throws NoWitness.
Witness& take_witness(Backend backend);

// Null where none was taken: on a GPU it costs time, so that gates which measure or use a tool of their own have none. On the
// CPU there always is one.
Witness* witness_in_hand(Backend backend);

}  // namespace seamgate::gates
