// What fused add + RMSNorm puts in the place of RMSNorm's row input and row gradient (kernels/rmsnorm).
#pragma once

#include "kernels/rmsnorm/adjoint.hpp"
#include "kernels/rmsnorm/forward.hpp"

namespace seamgate::kernels::SIMT_BUILD::add_rmsnorm {

// s = cast(x + residual), stored in the first pass over a row; a thread reads back its own columns in the second.
template <class TX>
struct SummedInput {
  const TX* x;
  const TX* residual;
  TX* sum;
  std::int64_t x_stride;
  std::int64_t residual_stride;
  std::int64_t sum_stride;

  __device__ void first_read(std::int64_t row, std::int64_t c, std::int64_t n, bool vector, float (&v)[quad_width]) const {
    float added[quad_width];
    load_quad(x + row * x_stride, c, n, vector, v);
    load_quad(residual + row * residual_stride, c, n, vector, added);
    for (int j = 0; j < quad_width; ++j) v[j] = rmsnorm::rounded<TX>(v[j] + added[j]);
    store_quad(sum + row * sum_stride, c, n, vector, v);
  }
  __device__ void second_read(std::int64_t row, std::int64_t c, std::int64_t n, bool vector, float (&v)[quad_width]) const {
    load_quad(sum + row * sum_stride, c, n, vector, v);
  }
};

// The gradient of s by way of y, and the upstream gradient of the sum added to it: that of x and of the residual alike.
template <class TX>
struct SummedGradient {
  const TX* gsum;
  TX* dx;        // null: not wanted
  TX* dresidual; // null: not wanted
  std::int64_t gsum_stride;
  std::int64_t dx_stride;
  std::int64_t dresidual_stride;

  __device__ bool wanted() const { return dx != nullptr || dresidual != nullptr; }
  __device__ void write(std::int64_t row, std::int64_t c, std::int64_t n, bool vector, const float (&v)[quad_width]) const {
    float total[quad_width];
    load_quad(gsum + row * gsum_stride, c, n, vector, total);
    for (int j = 0; j < quad_width; ++j) total[j] += v[j];
    if (dx != nullptr) store_quad(dx + row * dx_stride, c, n, vector, total);
    if (dresidual != nullptr) store_quad(dresidual + row * dresidual_stride, c, n, vector, total);
  }
};

}  // namespace seamgate::kernels::SIMT_BUILD::add_rmsnorm
