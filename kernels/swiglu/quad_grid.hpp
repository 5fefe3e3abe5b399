// One thread for each quad of columns of each row, without a loop or a division: a block covers some rows and
// a stretch of columns.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/common/row_access.hpp"
#include "kernels/simt/simt.hpp"

namespace seamgate::kernels::SIMT_BUILD::swiglu {

inline constexpr unsigned block_threads = 256;

// blockDim.x quads of a row, as many as a short row has rounded up to a power of two; the block's other
// threads take other rows. Nothing where the rows are more than a grid has blocks.
inline std::optional<simt::Config> quad_grid(std::int64_t rows, std::int64_t columns, Stream stream) {
  const std::int64_t quads = (columns + quad_width - 1) / quad_width;
  unsigned across = 1;
  while (across < block_threads && across < quads) across *= 2;
  const unsigned down = block_threads / across;
  const std::int64_t blocks = (rows + down - 1) / down;
  if (blocks > 0x7fffffff) return std::nullopt;
  const std::int64_t stretches =
      (quads + across - 1) / across;  // at most 64 for the columns that the contract serves
  return simt::Config{.grid = {static_cast<unsigned>(blocks), static_cast<unsigned>(stretches), 1},
                      .block = {across, down, 1},
                      .stream = stream};
}

__device__ inline std::int64_t own_row() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.y + threadIdx.y;
}

// The first column of the thread's quad.
__device__ inline std::int64_t own_column() {
  return (static_cast<std::int64_t>(blockIdx.y) * blockDim.x + threadIdx.x) * quad_width;
}

}  // namespace seamgate::kernels::SIMT_BUILD::swiglu
