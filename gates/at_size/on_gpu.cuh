// An op's page over a problem in the memory of the current GPU.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "gates/at_size/launch.hpp"

namespace seamgate::gates::at_size {

inline void must(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();  // not sticky: do not leave it to the next caller
  throw std::runtime_error(std::string("truth at size: ") + call + ": " + cudaGetErrorName(error) + ", " +
                           cudaGetErrorString(error));
}

struct Gpu {
  static constexpr std::int64_t sum_threads = 1 << 20;  // four times as many as an H200 has resident

  static void* allocate(std::size_t bytes) {
    void* data = nullptr;
    must(cudaMalloc(&data, bytes), "cudaMalloc");
    return data;
  }
  static void release(void* data) { (void)cudaFree(data); }
  static void read(void* to, const void* from, std::size_t bytes) {
    must(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy from the GPU");
  }

  // Four times as many as are resident, so that rows of unequal length even out.
  template <auto Kernel>
  static unsigned blocks() {
    int device = 0;
    int processors = 0;
    int resident = 0;
    must(cudaGetDevice(&device), "cudaGetDevice");
    must(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
         "cudaDeviceGetAttribute");
    must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, Kernel, static_cast<int>(threads_of_block),
                                                       0),
         "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return static_cast<unsigned>(4 * processors * std::max(resident, 1));
  }

  class Stopwatch {
   public:
    Stopwatch() {
      must(cudaEventCreate(&begin_), "cudaEventCreate");
      must(cudaEventCreate(&end_), "cudaEventCreate");
      must(cudaEventRecord(begin_), "cudaEventRecord");
    }
    ~Stopwatch() {
      (void)cudaEventDestroy(begin_);
      (void)cudaEventDestroy(end_);
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    double seconds() {
      must(cudaEventRecord(end_), "cudaEventRecord");
      must(cudaEventSynchronize(end_), "cudaEventSynchronize");
      float ms = 0;
      must(cudaEventElapsedTime(&ms, begin_, end_), "cudaEventElapsedTime");
      return ms / 1000.0;
    }

   private:
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
  };
};

template <class Page>
EvaluationAtSize on_gpu(const ProblemAtSize& problem) {
  return by_kernels<Gpu, Page>(problem);
}

}  // namespace seamgate::gates::at_size
