// Where a gate runs, and on which build of the kernels.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace seamgate::gates {

enum class Backend { cpu, cuda };
inline constexpr std::array all_backends = {Backend::cpu, Backend::cuda};

constexpr std::string_view to_string(Backend backend) { return backend == Backend::cpu ? "cpu" : "cuda"; }

// The builds of one kernel source: on the host plain and checked, on a GPU one.
enum class Machine { cpu_plain, cpu_checked, cuda };

constexpr std::string_view to_string(Machine machine) {
  switch (machine) {
    case Machine::cpu_plain:
      return "cpu-plain";
    case Machine::cpu_checked:
      return "cpu-checked";
    case Machine::cuda:
      return "cuda";
  }
  return "?";
}

constexpr Machine default_machine(Backend backend) {
  return backend == Backend::cpu ? Machine::cpu_plain : Machine::cuda;
}

// Each tier contains the one before it. `control` is the shortest: enough to see a planted fault.
enum class Tier { control, smoke, premerge, nightly };
inline constexpr std::array all_tiers = {Tier::control, Tier::smoke, Tier::premerge, Tier::nightly};

constexpr std::string_view to_string(Tier tier) {
  switch (tier) {
    case Tier::control:
      return "control";
    case Tier::smoke:
      return "smoke";
    case Tier::premerge:
      return "premerge";
    case Tier::nightly:
      return "nightly";
  }
  return "?";
}

}  // namespace seamgate::gates
