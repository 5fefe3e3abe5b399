// NVML by dlopen: the few calls that the lease and the provenance of records need. Nothing links with it, and no context is made.
//
// The declarations follow nvml.h; NVML keeps its versioned entry points. An answer that is an error is an error here: what NVML
// does not say is never taken for "nobody".
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace seamgate::seam {

// what() is one line: the call and what NVML said.
class NvmlError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
// There is no driver, or no GPU.
class NoGpu : public NvmlError {
 public:
  using NvmlError::NvmlError;
};

struct GpuProcess {
  std::uint32_t pid = 0;
  std::uint64_t bytes = 0;
  bool bytes_known = false;
};

// Of one GPU, or of one part of one (MIG).
struct GpuFacts {
  std::string uuid;
  std::string name;
  std::uint32_t sm_clock_mhz = 0;  // 0: NVML does not say
  std::uint32_t sm_clock_most_mhz = 0;
  std::uint32_t memory_clock_mhz = 0;
};

class Nvml {
 public:
  // SEAMGATE_NVML when it is set, else libnvidia-ml.so.1. Throws NoGpu where there is no driver, NvmlError for any other trouble.
  Nvml();
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  // The UUIDs of all GPUs, in PCI order.
  std::vector<std::string> uuids() const;
  // Compute processes with a context on it. Throws NvmlError where NVML will not tell.
  std::vector<GpuProcess> processes(const std::string& uuid) const;
  // In use, without what the driver reserves for itself.
  std::uint64_t used_bytes(const std::string& uuid) const;
  GpuFacts facts(const std::string& uuid) const;
  std::string driver_version() const;
  const std::string& path() const { return path_; }

 private:
  struct Calls;
  void* device(const std::string& uuid) const;
  void must(int result, const char* call) const;

  std::string path_;
  const Calls* calls_ = nullptr;
};

}  // namespace seamgate::seam
