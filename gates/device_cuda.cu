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
  if (error != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(error));
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

}  // namespace seamgate::gates::device
