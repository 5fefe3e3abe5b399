// Where the program takes the lease of the GPUs that it is about to use (seam/gpu_lease.hpp).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "seam/gpu_lease.hpp"

namespace seamgate::gates {

struct Leased {
  std::optional<seam::GpuLease> lease;  // this process's own; nothing where an ancestor holds it, or nobody can
  std::string refused;                  // why the GPU may not be used: "busy: ...", "no driver: ..."; empty where it may
};

// Takes the lease of the first visible GPU, or of all, unless an ancestor holds it. This process and its children then see those
// GPUs alone (CUDA_VISIBLE_DEVICES), and the children know by SEAMGATE_LEASE. In a build without CUDA it does nothing.
Leased lease_gpus(bool all_visible, double wait_s, const std::function<bool()>& stop = {});

struct LeaseOptions {
  double wait_s = 0;
  bool for_ctest = false;            // exit 77 in place of 3
  std::vector<std::string> command;
};

// Runs a command with the lease of all visible GPUs in hand, and ends with its exit code (128 + n when a signal ended it); a signal
// to this process reaches it. Returns 3 with one line on standard error where the GPU is in use, or cannot be proven free, or is
// not there. The command's process ends when this one does.
int lease_command(const LeaseOptions& options);

// Makes a context on the first visible GPU, writes this process's id to `ready_path`, and waits to be ended. For the gate that needs
// a process on the GPU which is not the run's own.
void hold_gpu(const std::string& ready_path);

}  // namespace seamgate::gates
