// How a launch is cut: grid, block, dynamic shared memory, stream. The same struct for a GPU and for the
// emulator.
#pragma once

#include <cstddef>

#include "kernels/common/kernel_api.hpp"

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#else
#include "kernels/simt/vector_types.hpp"
#endif

namespace seamgate::simt {

struct Config {
  dim3 grid;                         // blocks: x <= 2^31-1, y and z <= 65535
  dim3 block;                        // threads: x * y * z <= 1024, z <= 64
  std::size_t smem_bytes = 0;        // dynamic shared memory of a block
  kernels::Stream stream = nullptr;  // cudaStream_t; the emulator runs at once and ignores it
};

inline constexpr unsigned max_block_threads = 1024;
inline constexpr unsigned max_block_z = 64;
inline constexpr unsigned max_grid_x = 2147483647U;
inline constexpr unsigned max_grid_yz = 65535;
inline constexpr std::size_t max_shared_bytes = 227 * 1024;        // of a block, on compute capability 9.0
inline constexpr std::size_t max_static_shared_bytes = 48 * 1024;  // more must be dynamic

}  // namespace seamgate::simt
