// RMSNorm forward: r = 1 / sqrt(mean(x^2) + eps), y = x * r * w with the variant's casts, and r kept for the adjoint.
#pragma once

#include <cstdint>

#include "kernels/common/row_access.hpp"
#include "kernels/common/row_reduce.hpp"
#include "kernels/rmsnorm/variants.hpp"

namespace seamgate::kernels::SIMT_BUILD::rmsnorm {

// Where a row's values come from: a tensor. Other ops put their own source in its place (kernels/add_rmsnorm).
template <class TX>
struct RowInput {
  const TX* data;
  std::int64_t stride;

  // The values of a quad, in the first pass over a row and in the second.
  __device__ void first_read(std::int64_t row, std::int64_t c, std::int64_t n, bool vector, float (&v)[quad_width]) const {
    load_quad(data + row * stride, c, n, vector, v);
  }
  __device__ void second_read(std::int64_t row, std::int64_t c, std::int64_t n, bool vector, float (&v)[quad_width]) const {
    load_quad(data + row * stride, c, n, vector, v);
  }
};

template <class Variant, class Source>
struct ForwardArgs {
  Source x;
  const typename Variant::W* w;
  typename Variant::Y* y;
  float* rstd;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t y_stride;
  float eps;
  bool vector;  // every whole quad of x, w and y is aligned
};

// A block normalises blockDim.y rows, blockDim.x threads each; blockDim.y > 1 only for rows of one warp, which need no
// barrier. A thread sums the squares of its quads lane by lane, so the tree depends on the number of columns alone.
template <class Variant, class Source>
__global__ void forward_kernel(ForwardArgs<Variant, Source> a) {
  SIMT_SHARED(float, partial, [max_warps]);
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * blockDim.y + threadIdx.y;
  if (row >= a.rows) return;
  const std::int64_t first = static_cast<std::int64_t>(threadIdx.x) * quad_width;
  const std::int64_t step = static_cast<std::int64_t>(blockDim.x) * quad_width;
  auto* y = a.y + row * a.y_stride;

  float squares[quad_width] = {};
  for (std::int64_t c = first; c < a.columns; c += step) {
    float v[quad_width];
    a.x.first_read(row, c, a.columns, a.vector, v);
    for (int j = 0; j < quad_width; ++j) squares[j] += v[j] * v[j];
  }
  const float sum = row_sum((squares[0] + squares[1]) + (squares[2] + squares[3]), partial);
  const float mean = sum / static_cast<float>(a.columns);
  const float root = sqrtf(mean + a.eps);
  if (threadIdx.x == 0) a.rstd[row] = 1.0F / root;
  const float factor = Variant::factor(root);

  for (std::int64_t c = first; c < a.columns; c += step) {
    float v[quad_width];
    float w[quad_width];
    a.x.second_read(row, c, a.columns, a.vector, v);
    load_quad(a.w, c, a.columns, a.vector, w);
    for (int j = 0; j < quad_width; ++j) v[j] = Variant::normalised(v[j], factor) * Variant::weight(w[j]);
    store_quad(y, c, a.columns, a.vector, v);
  }
}

}  // namespace seamgate::kernels::SIMT_BUILD::rmsnorm
