// The lease of a GPU: who uses one holds it, and takes it only where the GPU is free. Taken before any context is made.
//
// A GPU is busy when another process has its lease; when NVML names a compute process that is not this one or a child of it; or
// when more than 256 MiB of its memory is in use beyond our own (an idle GPU has next to nothing in use, an idle foreign context
// 534 MiB on an H200), which also tells of processes that NVML does not see. Where NVML answers with an error the GPU is not
// proven free, and there is no lease.
//
//   const auto lease = GpuLease::take({.uuids = visible_gpus(nvml), .wait_s = 60}, nvml);
//   ... start children; SEAMGATE_LEASE tells them ...
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "seam/lease_file.hpp"
#include "seam/nvml.hpp"

namespace seamgate::seam {

inline constexpr const char* lease_variable = "SEAMGATE_LEASE";  // UUIDs that are held, separated by commas
inline constexpr std::uint64_t idle_slack_bytes = std::uint64_t{256} << 20U;

// what() is one line that begins with "busy: " where somebody has the GPU.
class LeaseRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct LeaseRequest {
  std::vector<std::string> uuids{};
  double wait_s = 0;                 // how long to try again while a GPU is busy
  std::function<bool()> stop = {};   // true: wait no longer
};

class GpuLease {
 public:
  // All of them or none, in the order of their UUIDs, so that two takers never wait for each other. What an ancestor holds, by
  // SEAMGATE_LEASE and by the lock itself, is held for this process too and asked no further. Throws LeaseRefused.
  static GpuLease take(const LeaseRequest& request, const Nvml& nvml);

  // As SEAMGATE_LEASE has it: those of the request.
  const std::string& held() const { return held_; }

 private:
  GpuLease() = default;
  std::vector<LeaseFile> files_;
  std::string held_;
};

// What of SEAMGATE_LEASE an ancestor of this process really holds: the lock is taken, and by one from whom this process comes. Asks
// no NVML.
std::vector<std::string> held_by_ancestors();

// Why the GPU is not free; empty where it is. Throws NvmlError.
std::string why_busy(const std::string& uuid, const Nvml& nvml);

// The GPUs that CUDA_VISIBLE_DEVICES leaves visible, in its order; all where it is unset. Throws NoGpu where there is none, and
// NvmlError for a name that NVML does not know.
std::vector<std::string> visible_gpus(const Nvml& nvml);

// "GPU-0b5c1234", for people.
std::string shortened(const std::string& uuid);

}  // namespace seamgate::seam
