// Inputs of any size on a GPU: the host's map, a warp for each row.
#include "gates/at_size/fill.hpp"

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace seamgate::gates {
namespace {

constexpr unsigned blocks = 4096;
constexpr unsigned threads = 256;

void must(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();
  throw std::runtime_error(std::string("inputs at size: ") + call + ": " + cudaGetErrorName(error) + ", " +
                           cudaGetErrorString(error));
}

template <class Visit>
__device__ void each_value(const InputMap& map, std::int64_t rows, Visit visit) {
  const std::int64_t warp = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * blockDim.x / 32;
  for (std::int64_t row = warp; row < rows; row += warps) {
    for (std::int64_t column = threadIdx.x % 32U; column < map.columns; column += 32) {
      visit(row * map.columns + column, map.at(row, column));
    }
  }
}

template <class T>
__global__ void make_kernel(InputMap map, T* to, std::int64_t rows) {
  each_value(map, rows, [to](std::int64_t at, float value) { to[at] = simt::from_float<T>(value); });
}

// The device's counts; unsigned long long is what its atomics take.
struct Counts {
  unsigned long long count;
  unsigned long long first;
};

__device__ bool same(float a, float b) {
  return __float_as_uint(a) == __float_as_uint(b);
}
__device__ bool same(bf16 a, bf16 b) {
  return a.bits == b.bits;
}
__device__ bool same(f16 a, f16 b) {
  return a.bits == b.bits;
}

template <class T>
__global__ void compare_kernel(InputMap map, const T* data, std::int64_t rows, Counts* counts) {
  each_value(map, rows, [data, counts](std::int64_t at, float value) {
    if (same(simt::from_float<T>(value), data[at])) return;
    atomicAdd(&counts->count, 1ULL);
    atomicMin(&counts->first, static_cast<unsigned long long>(at));
  });
}

template <class Visit>
void with_dtype(DType dtype, Visit visit) {
  if (dtype == DType::f32) return visit(float{});
  if (dtype == DType::bf16) return visit(bf16{});
  visit(f16{});
}

}  // namespace

void make_inputs(Backend backend, const InputMap& map, void* to, std::int64_t rows) {
  if (backend == Backend::cpu) return make_inputs_on_host(map, to, rows);
  with_dtype(map.dtype,
             [&]<class T>(T) { make_kernel<T><<<blocks, threads>>>(map, static_cast<T*>(to), rows); });
  must(cudaGetLastError(), "make_kernel");
  must(cudaDeviceSynchronize(), "cudaDeviceSynchronize after make_kernel");
}

ChangedInputs changed_inputs(Backend backend, const InputMap& map, const void* data, std::int64_t rows) {
  if (backend == Backend::cpu) return changed_inputs_on_host(map, data, rows);
  Counts* counts = nullptr;
  must(cudaMalloc(reinterpret_cast<void**>(&counts), sizeof(Counts)), "cudaMalloc");
  Counts seen{0, ~0ULL};
  try {
    must(cudaMemcpy(counts, &seen, sizeof seen, cudaMemcpyHostToDevice), "cudaMemcpy to the GPU");
    with_dtype(map.dtype, [&]<class T>(T) {
      compare_kernel<T><<<blocks, threads>>>(map, static_cast<const T*>(data), rows, counts);
    });
    must(cudaGetLastError(), "compare_kernel");
    must(cudaMemcpy(&seen, counts, sizeof seen, cudaMemcpyDeviceToHost), "cudaMemcpy from the GPU");
  } catch (...) {
    (void)cudaFree(counts);
    throw;
  }
  (void)cudaFree(counts);
  return {static_cast<std::int64_t>(seen.count),
          seen.count == 0 ? -1 : static_cast<std::int64_t>(seen.first)};
}

}  // namespace seamgate::gates
