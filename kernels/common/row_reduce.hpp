// The sum over a row's threads. One tree for a given number of threads: lanes by butterfly, then warps by butterfly.
#pragma once

#include "kernels/simt/simt.hpp"

namespace seamgate::kernels::SIMT_BUILD {

inline constexpr unsigned full_warp = 0xffffffffU;
inline constexpr int warp_lanes = 32;
inline constexpr int max_warps = 32;

__device__ inline float warp_sum(float value) {
  for (int offset = warp_lanes / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(full_warp, value, offset);
  return value;
}

// Sum of `value` over the blockDim.x threads of a row, the same bits in every thread. `partial` has max_warps slots and may
// be used again only after a barrier that follows the last reader.
__device__ inline float row_sum(float value, float* partial) {
  value = warp_sum(value);
  const int warps = static_cast<int>(blockDim.x) / warp_lanes;
  if (warps == 1) return value;
  const int lane = static_cast<int>(threadIdx.x) % warp_lanes;
  if (lane == 0) partial[threadIdx.x / warp_lanes] = value;
  __syncthreads();
  return warp_sum(lane < warps ? partial[lane] : 0.0F);
}

}  // namespace seamgate::kernels::SIMT_BUILD
