// What the witness of a GPU asks of the CUDA run time. The functions return an error in words; empty: it went well.
#pragma once

#include <string>

namespace seamgate::gates {

struct DeviceHooks {
  // Waits for all work on every GPU of which this process has a context.
  std::string (*synchronise)() = nullptr;
  // Launches one kernel of the name `canary_kernel` on the current GPU. A witness that does not see it sees nothing.
  std::string (*launch_canary)() = nullptr;
};

inline constexpr const char* canary_kernel = "seamgate_witness_canary";

// In a build without CUDA both answer with an error.
DeviceHooks gpu_hooks();

}  // namespace seamgate::gates
