// RMSNorm adjoint in two launches: dx with per-block partials of dw, then the partials' sum.
//   g = gy * w,  xhat = x * r,  dx = r * (g - xhat * mean(g * xhat)),  dw = sum over rows of gy * xhat
// f32 throughout, one cast at the end; the forward's casts differentiate as identity.
#pragma once

#include <cstdint>

#include "kernels/common/row_access.hpp"
#include "kernels/common/row_reduce.hpp"
#include "kernels/rmsnorm/variants.hpp"

namespace seamgate::kernels::SIMT_BUILD::rmsnorm {

// dw leaves registers every 32 rows of a block and the second level every 1,024: a sequential f32 sum would cross the bar
// after 500 to 2,000 terms.
inline constexpr std::int64_t first_level_rows = 32;
inline constexpr std::int64_t second_level_rows = 1024;

// A thread keeps dw of its columns in registers; with 512 threads a row it may have 128 of them, and spills none.
inline constexpr unsigned max_row_threads = 512;
inline constexpr int max_quads = 8;

// Where the gradient of a row goes: a tensor. Other ops put their own sink in its place (kernels/add_rmsnorm).
template <class TX>
struct RowGradient {
  TX* data;  // null: not wanted
  std::int64_t stride;

  __device__ bool wanted() const { return data != nullptr; }
  __device__ void write(std::int64_t row, std::int64_t c, std::int64_t n, bool vector, const float (&v)[quad_width]) const {
    store_quad(data + row * stride, c, n, vector, v);
  }
};

template <class Variant, class Sink>
struct AdjointArgs {
  const typename Variant::X* x;
  const typename Variant::W* w;
  const typename Variant::Y* gy;
  const float* rstd;
  Sink dx;
  float* partials;          // row_blocks x columns, one row a block; null: dw is not wanted
  float* second_level;      // row_blocks x columns
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t x_stride;
  std::int64_t gy_stride;
  bool vector;  // every whole quad of x, w, gy and dx is aligned
};

// Adds a thread's registers to its own columns of `to`, or stores them where nothing was kept before.
__device__ inline void flush(const float (&sum)[quad_width], float* to, std::int64_t column, std::int64_t n,
                             bool first) {
  for (int j = 0; j < quad_width; ++j) {
    if (column + j < n) to[column + j] = first ? sum[j] : to[column + j] + sum[j];
  }
}

// Block b takes rows b, b + gridDim.x, ...; a thread owns the same quads of columns, at most `most_quads`, in every row, so
// dw needs no barrier and no atomic, and its bits depend on the number of blocks alone.
template <class Variant, class Sink, int most_quads>
__global__ void __launch_bounds__(max_row_threads) adjoint_rows_kernel(AdjointArgs<Variant, Sink> a) {
  SIMT_SHARED(float, partial, [max_warps]);
  const std::int64_t first = static_cast<std::int64_t>(threadIdx.x) * quad_width;
  const std::int64_t step = static_cast<std::int64_t>(blockDim.x) * quad_width;
  const std::int64_t own = static_cast<std::int64_t>(blockIdx.x) * a.columns;
  float dw[most_quads][quad_width] = {};
  std::int64_t done = 0;

  for (std::int64_t row = blockIdx.x; row < a.rows; row += gridDim.x) {
    const auto* x = a.x + row * a.x_stride;
    const auto* gy = a.gy + row * a.gy_stride;
    const float rstd = a.rstd[row];
    float dots[quad_width] = {};
    for (int q = 0; q < most_quads; ++q) {
      const std::int64_t c = first + q * step;
      if (c >= a.columns) break;
      float xv[quad_width];
      float gv[quad_width];
      float wv[quad_width];
      load_quad(x, c, a.columns, a.vector, xv);
      load_quad(gy, c, a.columns, a.vector, gv);
      load_quad(a.w, c, a.columns, a.vector, wv);
      for (int j = 0; j < quad_width; ++j) {
        const float xhat = xv[j] * rstd;
        dots[j] += gv[j] * Variant::weight(wv[j]) * xhat;
        dw[q][j] += gv[j] * Variant::normalised_for_dw(xv[j], rstd);
      }
    }
    if (a.dx.wanted()) {
      const float sum = row_sum((dots[0] + dots[1]) + (dots[2] + dots[3]), partial);
      const float mean = sum / static_cast<float>(a.columns);
      SEAMGATE_KEEP_ROLLED
      for (int q = 0; q < most_quads; ++q) {
        const std::int64_t c = first + q * step;
        if (c >= a.columns) break;
        float xv[quad_width];
        float gv[quad_width];
        float wv[quad_width];
        load_quad(x, c, a.columns, a.vector, xv);
        load_quad(gy, c, a.columns, a.vector, gv);
        load_quad(a.w, c, a.columns, a.vector, wv);
        for (int j = 0; j < quad_width; ++j) {
          const float xhat = xv[j] * rstd;
          xv[j] = rstd * (gv[j] * Variant::weight(wv[j]) - xhat * mean);
        }
        a.dx.write(row, c, a.columns, a.vector, xv);
      }
      __syncthreads();  // the next row's sum writes `partial` again
    }
    ++done;
    if (a.partials == nullptr || done % first_level_rows != 0) continue;
    for (int q = 0; q < most_quads; ++q) {
      const std::int64_t c = first + q * step;
      flush(dw[q], a.second_level + own, c, a.columns, done % second_level_rows == first_level_rows);
      for (int j = 0; j < quad_width; ++j) {
        dw[q][j] = 0.0F;
        if (done % second_level_rows == 0 && c + j < a.columns) {
          const float kept = a.second_level[own + c + j];
          a.partials[own + c + j] = done == second_level_rows ? kept : a.partials[own + c + j] + kept;
        }
      }
    }
  }

  if (a.partials == nullptr) return;
  for (int q = 0; q < most_quads; ++q) {
    const std::int64_t c = first + q * step;
    for (int j = 0; j < quad_width && c + j < a.columns; ++j) {
      float sum = dw[q][j];
      if (done % second_level_rows >= first_level_rows) sum += a.second_level[own + c + j];
      if (done >= second_level_rows) sum += a.partials[own + c + j];
      a.partials[own + c + j] = sum;
    }
  }
}

inline constexpr int reduce_lanes = 32;   // columns of a block
inline constexpr int reduce_strips = 8;   // threads that share a column

// dw[c] = sum over blocks of partials[b][c], blocks strip by strip.
template <class TW>
__global__ void adjoint_reduce_kernel(const float* partials, std::int64_t row_blocks, std::int64_t columns, TW* dw) {
  SIMT_SHARED(float, strips, [reduce_strips * reduce_lanes]);
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * reduce_lanes + threadIdx.x;
  float sum = 0.0F;
  if (column < columns) {
    for (std::int64_t b = threadIdx.y; b < row_blocks; b += reduce_strips) sum += partials[b * columns + column];
  }
  strips[threadIdx.y * reduce_lanes + threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= columns) return;
  for (int s = 1; s < reduce_strips; ++s) sum += strips[s * reduce_lanes + threadIdx.x];
  dw[column] = from_float<TW>(sum);
}

}  // namespace seamgate::kernels::SIMT_BUILD::rmsnorm
