// Raw device bytes in a build with CUDA.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gates/device_memory.hpp"

namespace seamgate::gates::device {
namespace {

void must(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();  // not sticky: do not leave it to the next caller
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(error));
}

// Blocks of up to a megabyte, kept when they are given back. A sweep makes thousands of small tensors; on a GPU that several
// processes share, cudaMalloc and cudaFree cost more than the kernels that are judged. Whoever takes a block fills it first.
class SmallBlocks {
 public:
  static constexpr std::size_t largest = 1U << 20U;

  std::byte* take(std::size_t bytes) {
    const std::size_t size = std::bit_ceil(std::max<std::size_t>(bytes, 4096));
    int gpu = 0;
    must(cudaGetDevice(&gpu), "cudaGetDevice");
    const Kind kind{gpu, size};
    const std::lock_guard lock(mutex_);
    auto& idle = idle_[kind];
    void* data = nullptr;
    if (idle.empty()) {
      must(cudaMalloc(&data, size), "cudaMalloc");
    } else {
      data = idle.back();
      idle.pop_back();
    }
    taken_[data] = kind;
    return static_cast<std::byte*>(data);
  }

  // False where it is not one of these.
  bool give_back(void* data) {
    const std::lock_guard lock(mutex_);
    const auto found = taken_.find(data);
    if (found == taken_.end()) return false;
    idle_[found->second].push_back(data);
    taken_.erase(found);
    return true;
  }

 private:
  using Kind = std::pair<int, std::size_t>;  // GPU, bytes
  std::mutex mutex_;
  std::map<Kind, std::vector<void*>> idle_;
  std::unordered_map<void*, Kind> taken_;
};

SmallBlocks& small_blocks() {
  static auto* blocks = new SmallBlocks;  // never freed: the context may be gone before statics are
  return *blocks;
}

}  // namespace

std::byte* allocate(Backend backend, std::size_t bytes) {
  void* data = nullptr;
  if (backend == Backend::cuda && bytes <= SmallBlocks::largest) return small_blocks().take(bytes);
  if (backend == Backend::cuda) {
    must(cudaMalloc(&data, bytes), "cudaMalloc");
  } else if ((data = std::malloc(bytes)) == nullptr) {
    throw std::bad_alloc();
  }
  return static_cast<std::byte*>(data);
}

void release(Backend backend, std::byte* data) {
  if (backend == Backend::cuda) {
    cudaDeviceSynchronize();  // as cudaFree does: nothing may still write to a block that the next one takes
    if (small_blocks().give_back(data)) return;
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

void upload_rows(Backend backend, std::byte* to, std::size_t pitch, const std::byte* from, std::size_t row_bytes, std::size_t rows) {
  if (backend == Backend::cuda) {
    must(cudaMemcpy2D(to, rows == 1 ? row_bytes : pitch, from, row_bytes, row_bytes, rows, cudaMemcpyHostToDevice), "cudaMemcpy2D to the GPU");
    return;
  }
  for (std::size_t row = 0; row < rows; ++row) std::memcpy(to + row * pitch, from + row * row_bytes, row_bytes);
}

void download_rows(Backend backend, std::byte* to, const std::byte* from, std::size_t pitch, std::size_t row_bytes, std::size_t rows) {
  if (backend == Backend::cuda) {
    must(cudaMemcpy2D(to, row_bytes, from, rows == 1 ? row_bytes : pitch, row_bytes, rows, cudaMemcpyDeviceToHost), "cudaMemcpy2D from the GPU");
    return;
  }
  for (std::size_t row = 0; row < rows; ++row) std::memcpy(to + row * row_bytes, from + row * pitch, row_bytes);
}

void wait_without_spinning() {
  if (cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync) != cudaSuccess) (void)cudaGetLastError();
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
