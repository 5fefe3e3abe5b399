// Toys about order: barriers, __syncwarp, shuffles, blocks, fences and atomics.
#pragma once

#include "kernels/simt/simt.hpp"
#include "kernels/simt/tests/toys.hpp"

namespace seamgate::simt::test {
inline namespace SIMT_BUILD {

inline const Config four_blocks{.grid = toy_blocks, .block = toy_columns};
inline const Config one_block{.grid = 1, .block = toy_columns};
inline const Config one_warp{.grid = 1, .block = 32};

// Every thread publishes, then reads a thread of another warp.
template <bool WithBarrier>
__global__ void mirror_kernel(ToyMemory m) {
  SIMT_SHARED(float, tile, [toy_columns]);
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  tile[t] = m.in[i];
  if (WithBarrier) __syncthreads();
  m.out[i] = tile[toy_columns - 1 - t];
}

// Two rounds of a block sum through the same shared array; without a barrier at the end of a round, a fast
// warp writes the second round's partial while a slow one has not read the first's.
template <bool BarrierBeforeReuse>
__global__ void two_sums_kernel(ToyMemory m) {
  SIMT_SHARED(float, partial, [8]);
  const int t = threadIdx.x;
  const int warp = t / 32;
  float total = 0.0F;
  for (int round = 0; round < 2; ++round) {
    float value = m.in[blockIdx.x * blockDim.x + t] * static_cast<float>(round + 1);
    for (int delta = 16; delta > 0; delta /= 2) value += __shfl_xor_sync(0xFFFFFFFFU, value, delta);
    if (t % 32 == 0) partial[warp] = value;
    __syncthreads();
    if (warp == 0) {
      float sum = t < 8 ? partial[t] : 0.0F;
      for (int delta = 16; delta > 0; delta /= 2) sum += __shfl_xor_sync(0xFFFFFFFFU, sum, delta);
      total += sum;
    }
    if (BarrierBeforeReuse) __syncthreads();
  }
  if (t == 0) m.out[blockIdx.x] = total;
}

enum class Between { nothing, shuffle, syncwarp };

// Neighbouring lanes exchange through shared memory.
template <Between What>
__global__ void lane_exchange_kernel(ToyMemory m) {
  SIMT_SHARED(float, tile, [toy_columns]);
  const int t = threadIdx.x;
  tile[t] = m.in[t];
  if (What == Between::syncwarp) __syncwarp();
  if (What == Between::shuffle) m.out[toy_columns + t] = __shfl_xor_sync(0xFFFFFFFFU, m.in[t], 1);
  m.out[t] = tile[t ^ 1];
}

// Lanes 0..15 synchronise among themselves, then lane 0 reads what lane 16 wrote: a clock per warp would not
// see it. The vote makes sure that lane 16 has written, and orders nothing.
template <unsigned Mask>
__global__ void half_warp_sync_kernel(ToyMemory m) {
  SIMT_SHARED(float, tile, [32]);
  const int t = threadIdx.x;
  tile[t] = m.in[t];
  const int all = __all_sync(0xFFFFFFFFU, 1);
  if ((Mask >> t & 1U) != 0) __syncwarp(Mask);
  m.out[t] = t == 0 ? tile[16] * static_cast<float>(all) : 0.0F;
}

// Three lanes hand a value on by two synchronisations of two lanes each: order is transitive.
__global__ void relay_kernel(ToyMemory m) {
  SIMT_SHARED(float, cell, [1]);
  const int t = threadIdx.x;
  if (t == 0) cell[0] = m.in[7];
  if (t <= 1) __syncwarp(0x3U);
  if (t == 1 || t == 2) __syncwarp(0x6U);
  if (t == 2) m.out[0] = cell[0];
}

template <bool Own>
__global__ void block_result_kernel(ToyMemory m) {
  if (threadIdx.x == 0) m.out[Own ? blockIdx.x : 0] = m.in[blockIdx.x];
}

enum class Fence { none, before_the_write, after_the_write };

// The last block to arrive adds up what thread 0 of each block published.
template <Fence Where>
__global__ void last_block_kernel(ToyMemory m) {
  SIMT_SHARED(int, is_last, );
  const int t = threadIdx.x;
  if (t == 0) {
    if (Where == Fence::before_the_write) __threadfence();
    m.out[1 + blockIdx.x] = m.in[blockIdx.x];
    if (Where == Fence::after_the_write) __threadfence();
    is_last = atomicAdd(m.counter, 1U) == gridDim.x - 1 ? 1 : 0;
  }
  __syncthreads();
  if (is_last != 0 && t == 32) {
    float sum = 0.0F;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += m.out[1 + b];
    m.out[0] = sum;
    m.counter[0] = 0;
  }
}

// As above, but each thread publishes and fences its own element, and one thread counts the block in.
template <bool WithFence>
__global__ void last_block_all_threads_kernel(ToyMemory m) {
  SIMT_SHARED(int, is_last, );
  const int t = threadIdx.x;
  m.out[blockIdx.x * blockDim.x + t] = m.in[t];
  if (WithFence) __threadfence();
  __syncthreads();
  if (t == 0) is_last = atomicAdd(m.counter, 1U) == gridDim.x - 1 ? 1 : 0;
  __syncthreads();
  if (is_last == 0) return;
  float sum = 0.0F;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += m.out[b * blockDim.x + t];
  m.half[t] = static_cast<std::uint16_t>(sum);
}

// Every thread publishes and counts itself in; whoever is last of all adds everything up.
template <bool WithFence>
__global__ void last_thread_kernel(ToyMemory m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int n = gridDim.x * blockDim.x;
  m.out[i] = m.in[i];
  if (WithFence) __threadfence();
  atomicAdd(&m.counter[1 + i % 3], 1U);
  if (WithFence) __threadfence();
  if (atomicAdd(m.counter, 1U) != static_cast<unsigned>(n - 1)) return;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += static_cast<int>(1000.0F * m.out[k]);
  m.half[0] = static_cast<std::uint16_t>(sum);
}

__global__ void histogram_kernel(ToyMemory m) {
  atomicAdd(&m.counter[threadIdx.x % 16], 1U);
  atomicMax(reinterpret_cast<int*>(&m.counter[15]), 3);
}

// Reads the counter that others still add to.
__global__ void peek_kernel(ToyMemory m) {
  atomicAdd(m.counter, 1U);
  m.out[threadIdx.x] = static_cast<float>(m.counter[0]);
}

// Neighbouring 16-bit elements, and bytes, belong to different threads; or to two each.
template <int ThreadsAnElement>
__global__ void narrow_kernel(ToyMemory m) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / ThreadsAnElement;
  m.half[i] = from_float<bf16>(m.in[i]).bits;
  reinterpret_cast<unsigned char*>(m.out)[i] = static_cast<unsigned char>(i);
}

}  // namespace SIMT_BUILD
}  // namespace seamgate::simt::test
