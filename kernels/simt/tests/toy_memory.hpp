// Toys about memory: contents, bounds, alignment, index arithmetic.
#pragma once

#include "kernels/simt/simt.hpp"
#include "kernels/simt/tests/toys.hpp"

namespace seamgate::simt::test {
inline namespace SIMT_BUILD {

template <bool WriteAll>
__global__ void unwritten_shared_kernel(ToyMemory m) {
  SIMT_SHARED(float, tile, [toy_columns]);
  const int t = threadIdx.x;
  if (WriteAll || t != 100) tile[t] = m.in[t];
  __syncthreads();
  m.out[t] = tile[(t + 1) % toy_columns];
}

// What one block leaves in shared memory is nothing to the next.
__global__ void left_over_shared_kernel(ToyMemory m) {
  SIMT_SHARED(float, cell, [1]);
  if (blockIdx.x == 0 && threadIdx.x == 0) cell[0] = m.in[3];
  if (blockIdx.x == 1 && threadIdx.x == 0) m.out[0] = cell[0];
}

// Reads `Extra` elements past the last one.
template <int Extra>
__global__ void read_past_end_kernel(ToyMemory m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  m.out[i] = m.in[i + Extra];
}

template <int Extra>
__global__ void write_before_begin_kernel(ToyMemory m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  m.out[i - Extra] = 1.0F;
}

__global__ void null_pointer_kernel(ToyMemory m) {
  const float* nowhere = m.counter[0] == 0 ? nullptr : m.in;
  m.out[threadIdx.x] = nowhere[threadIdx.x];
}

template <int Extra>
__global__ void static_index_kernel(ToyMemory m) {
  SIMT_SHARED(float, tile, [32]);
  const int t = threadIdx.x;
  tile[t % 32 + Extra] = m.in[t % 32];
  __syncwarp();
  m.out[t] = tile[t];
}

// Two arrays: an index past the first must not reach the second.
template <int Extra>
__global__ void dynamic_index_kernel(ToyMemory m) {
  SIMT_DYNAMIC_SHARED(float, tile);
  SIMT_SHARED(float, other, [32]);
  const int t = threadIdx.x;
  other[t] = 0.0F;
  tile[t + Extra] = m.in[t];
  m.out[t] = tile[t + Extra] + other[t];
}

template <int Offset>
__global__ void vector_load_kernel(ToyMemory m) {
  const float4 v = *reinterpret_cast<const float4*>(m.in + Offset + 4 * threadIdx.x);
  m.out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

template <class Index>
__global__ void wide_index_kernel(ToyMemory m) {
  const Index columns = static_cast<Index>(m.counter[0] + 65536U);
  const Index offset = columns * static_cast<Index>(65536 + threadIdx.x);
  m.out[threadIdx.x] = static_cast<float>(offset % 7);
}

// Sums `out`, which the test registers as unwritten; `Write` fills it first.
template <bool Write>
__global__ void sum_of_out_kernel(ToyMemory m) {
  const int t = threadIdx.x;
  if (Write) m.out[t] = m.in[t];
  m.half[t] = static_cast<std::uint16_t>(m.out[t]);
}

}  // namespace SIMT_BUILD
}  // namespace seamgate::simt::test
