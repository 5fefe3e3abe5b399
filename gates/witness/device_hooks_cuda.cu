// The CUDA run time for the witness.
#include <cuda_runtime.h>

#include "gates/witness/device_hooks.hpp"

// Its symbol is `canary_kernel`.
extern "C" __global__ void seamgate_witness_canary() {}

namespace seamgate::gates {
namespace {

std::string error_of(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return {};
  (void)cudaGetLastError();
  return std::string(call) + ": " + cudaGetErrorName(error) + ", " + cudaGetErrorString(error);
}

// int cuDevicePrimaryCtxGetState(CUdevice, unsigned* flags, int* active); no CUDA call would answer without making a context.
using GetState = int (*)(int, unsigned*, int*);

std::string synchronise() {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  auto error = error_of(cudaGetDriverEntryPointByVersion("cuDevicePrimaryCtxGetState", &entry, 12000, cudaEnableDefault, &found),
                        "cudaGetDriverEntryPointByVersion");
  if (!error.empty()) return error;
  if (found != cudaDriverEntryPointSuccess || entry == nullptr) return "the driver has no cuDevicePrimaryCtxGetState";
  int count = 0;
  int previous = 0;
  error = error_of(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  if (error.empty()) error = error_of(cudaGetDevice(&previous), "cudaGetDevice");
  for (int device = 0; device < count && error.empty(); ++device) {
    unsigned flags = 0;
    int active = 0;
    if (reinterpret_cast<GetState>(entry)(device, &flags, &active) != 0) return "cuDevicePrimaryCtxGetState failed";
    if (active == 0) continue;
    error = error_of(cudaSetDevice(device), "cudaSetDevice");
    if (error.empty()) error = error_of(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  const auto restored = error_of(cudaSetDevice(previous), "cudaSetDevice");
  return error.empty() ? restored : error;
}

std::string launch_canary() {
  seamgate_witness_canary<<<1, 1>>>();
  return error_of(cudaGetLastError(), canary_kernel);
}

}  // namespace

DeviceHooks gpu_hooks() { return {&synchronise, &launch_canary}; }

}  // namespace seamgate::gates
