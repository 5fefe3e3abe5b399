// Toys about meeting: divergent barriers, deadlocks, masks, polling.
#pragma once

#include "kernels/simt/simt.hpp"
#include "kernels/simt/tests/toys.hpp"

namespace seamgate::simt::test {
inline namespace SIMT_BUILD {

enum class Divergence { none, half_go, two_places, some_returned };

template <Divergence Which>
__global__ void barrier_kernel(ToyMemory m) {
  const int t = threadIdx.x;
  if (Which == Divergence::none) __syncthreads();
  if (Which == Divergence::half_go && t < 128) __syncthreads();
  if (Which == Divergence::two_places) {
    if (t < 128) {
      __syncthreads();
    } else {
      __syncthreads();
    }
  }
  if (Which == Divergence::some_returned) {
    if (t >= 200) return;
    __syncthreads();
  }
  m.out[t] = m.in[t];
}

// Lane 0 waits at the barrier for lanes that wait in a shuffle for lane 0.
template <bool All>
__global__ void cross_wait_kernel(ToyMemory m) {
  const int t = threadIdx.x;
  float value = m.in[t];
  if (All || t != 0) value += __shfl_down_sync(0xFFFFFFFFU, value, 1);
  __syncthreads();
  m.out[t] = value;
}

// Lanes 0..15 take part; the mask must name exactly them.
template <unsigned Mask>
__global__ void half_warp_shuffle_kernel(ToyMemory m) {
  const int t = threadIdx.x;
  if (t < 16) m.out[t] = m.in[t] + __shfl_xor_sync(Mask, m.in[t], 8);
}

template <int Source>
__global__ void absent_lane_kernel(ToyMemory m) {
  const int t = threadIdx.x;
  if (t < 16) m.out[t] = __shfl_sync(0x0000FFFFU, m.in[t], Source);
}

template <int Width>
__global__ void width_kernel(ToyMemory m) {
  m.out[threadIdx.x] = __shfl_down_sync(0xFFFFFFFFU, m.in[threadIdx.x], 1, Width);
}

// The lanes of one mask call two operations.
template <bool Same>
__global__ void two_operations_kernel(ToyMemory m) {
  const int t = threadIdx.x;
  if (Same || t < 16) {
    m.out[t] = static_cast<float>(__ballot_sync(0xFFFFFFFFU, t % 3 == 0) % 1024U);
  } else {
    m.out[t] = static_cast<float>(__any_sync(0xFFFFFFFFU, t % 3 == 0));
  }
}

// All other lanes have returned: the full mask waits for those that are left.
__global__ void returned_lanes_kernel(ToyMemory m) {
  const int t = threadIdx.x;
  if (t >= 8) return;
  m.out[t] = __shfl_xor_sync(0xFFFFFFFFU, m.in[t], 4);
}

// Threads 1.. wait for thread 0 to set a flag; thread 0 does so only if it may.
template <bool Set>
__global__ void poll_kernel(ToyMemory m) {
  if (threadIdx.x == 0) {
    if (Set) atomicExch(m.counter, 1U);
  } else {
    while (atomicCAS(m.counter, 7U, 7U) == 0U) {
      __threadfence();
    }
  }
  m.out[threadIdx.x] = 1.0F;
}

__global__ void spin_kernel(ToyMemory m) {
  volatile unsigned* flag = m.counter;
  if (threadIdx.x == 1) {
    while (*flag == 0) {
    }
  }
}

}  // namespace SIMT_BUILD
}  // namespace seamgate::simt::test
