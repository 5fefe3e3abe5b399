// seamgate_planted TOOL: one faulty kernel for each tool of compute-sanitizer, so that each tool can be seen to find something.
// Exit: 0 the kernel was launched, 2 a CUDA call failed, 64 usage, 77 no GPU. Not a part of any gate.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

namespace {

constexpr int threads = 64;

// memcheck: one element after the end.
__global__ void write_after_the_end(int* data, int count) {
  const int i = static_cast<int>(threadIdx.x) + 1;
  if (i <= count) data[i] = i;
}

// racecheck: what another warp has written is read without a barrier between.
__global__ void read_before_the_barrier(int* data, int count) {
  __shared__ int shared[threads];
  const int i = static_cast<int>(threadIdx.x);
  shared[i] = i;
  const int other = shared[(i + threads / 2) % threads];
  if (i < count) data[i] = other;
}

// initcheck: the source was allocated and never written.
__global__ void copy(const int* from, int* to, int count) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < count) to[i] = from[i] + 1;
}

// synccheck: a warp waits for a mask of threads, and one that is not in the mask waits with it.
__global__ void wait_for_others(int* data, int count) {
  const int i = static_cast<int>(threadIdx.x);
  const int half = count / 2;
  const unsigned mask = __ballot_sync(0xffffffffU, i % count < half);
  if (i % count <= half) {
    data[i] = i;
    __syncwarp(mask);
    data[i] += data[(i + 1) % threads];
  }
}

int failed(const char* call, cudaError_t error) {
  std::fprintf(stderr, "seamgate_planted: %s: %s\n", call, cudaGetErrorString(error));
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const char* tool = argc == 2 ? argv[1] : "";
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    std::fprintf(stderr, "seamgate_planted: no GPU\n");
    return 77;
  }
  int* data = nullptr;
  int* never_written = nullptr;
  if (const auto error = cudaMalloc(&data, threads * sizeof(int)); error != cudaSuccess) return failed("cudaMalloc", error);
  if (const auto error = cudaMalloc(&never_written, threads * sizeof(int)); error != cudaSuccess) return failed("cudaMalloc", error);
  if (const auto error = cudaMemset(data, 0, threads * sizeof(int)); error != cudaSuccess) return failed("cudaMemset", error);
  if (std::strcmp(tool, "memcheck") == 0) {
    write_after_the_end<<<1, threads>>>(data, threads);
  } else if (std::strcmp(tool, "racecheck") == 0) {
    read_before_the_barrier<<<1, threads>>>(data, threads);
  } else if (std::strcmp(tool, "initcheck") == 0) {
    copy<<<1, threads>>>(never_written, data, threads);
  } else if (std::strcmp(tool, "synccheck") == 0) {
    wait_for_others<<<1, threads>>>(data, 32);
  } else {
    std::fprintf(stderr, "seamgate_planted: the tool is '%s'; allowed: memcheck, racecheck, initcheck, synccheck\n", tool);
    return 64;
  }
  if (const auto error = cudaGetLastError(); error != cudaSuccess) return failed("the launch", error);
  if (const auto error = cudaDeviceSynchronize(); error != cudaSuccess) return failed("the kernel", error);
  return 0;
}
