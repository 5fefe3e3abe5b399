// Implementations that go wrong without a wrong number, of any op: fault:illegal_access, fault:launch_refused, fault:never_ends.
// Everything about them is the shipped implementation's but the kernels that they launch. They are no planted faults: no gate
// has to catch them by an assertion, but none may pass with them, and the next one must run (the gate `containment`).
#pragma once

#include <array>
#include <string_view>

#include "gates/implementation.hpp"

namespace seamgate::gates::faults {

struct Calls {
  kernels::Status (*forward)(const kernels::ForwardCall&) = nullptr;
  kernels::Status (*backward)(const kernels::BackwardCall&) = nullptr;
};

inline constexpr std::array names = {"illegal_access", "launch_refused", "never_ends"};
inline constexpr std::string_view prefix = "fault:";

// Of one build; null for a fault that does not exist, or where the program has no CUDA part.
const Calls* calls_on_host(std::string_view fault);
const Calls* calls_on_gpu(std::string_view fault);

// The fault ("fault:never_ends") in the place of `shipped`, which it borrows; null for a name that is none. Made once for
// each name and op, and kept.
const Implementation* find(const Implementation& shipped, std::string_view name);

}  // namespace seamgate::gates::faults
