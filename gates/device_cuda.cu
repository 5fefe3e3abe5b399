// Raw device bytes in a build with CUDA.
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include "gates/device_memory.hpp"

namespace seamgate::gates::device {
namespace {

void must(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();  // not sticky: do not leave it to the next caller
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(error));
}

}  // namespace

std::byte* allocate(Backend backend, std::size_t bytes) {
  void* data = nullptr;
  if (backend == Backend::cuda) {
    must(cudaMalloc(&data, bytes), "cudaMalloc");
  } else if ((data = std::malloc(bytes)) == nullptr) {
    throw std::bad_alloc();
  }
  return static_cast<std::byte*>(data);
}

void release(Backend backend, std::byte* data) {
  if (backend == Backend::cuda) {
    cudaFree(data);  // a context that has failed answers with an error here; the gate has reported it already
  } else {
    std::free(data);
  }
}

void upload(Backend backend, std::byte* to, const std::byte* from, std::size_t bytes) {
  if (backend == Backend::cuda) {
    must(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy to the GPU");
  } else {
    std::memcpy(to, from, bytes);
  }
}

void download(Backend backend, std::byte* to, const std::byte* from, std::size_t bytes) {
  if (backend == Backend::cuda) {
    must(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy from the GPU");
  } else {
    std::memcpy(to, from, bytes);
  }
}

void synchronise(Backend backend) {
  if (backend == Backend::cuda) must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

void fill(Backend backend, std::byte* to, std::byte value, std::size_t bytes) {
  if (backend == Backend::cuda) {
    must(cudaMemset(to, static_cast<int>(value), bytes), "cudaMemset");
  } else {
    std::memset(to, static_cast<int>(value), bytes);
  }
}

MemoryInfo memory_info(Backend backend) {
  MemoryInfo info;
  if (backend == Backend::cuda) must(cudaMemGetInfo(&info.free_bytes, &info.total_bytes), "cudaMemGetInfo");
  return info;
}

}  // namespace seamgate::gates::device
