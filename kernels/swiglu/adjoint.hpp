// SwiGLU adjoint in one launch, from the inputs alone:
//   da = gy * b * s * (1 + a * (1 - s)),  db = gy * silu(a)
// f32 throughout, one cast at the end; the forward's casts differentiate as identity.
#pragma once

#include <cstdint>

#include "kernels/common/row_access.hpp"
#include "kernels/swiglu/quad_grid.hpp"
#include "kernels/swiglu/silu.hpp"

namespace seamgate::kernels::SIMT_BUILD::swiglu {

template <class T>
struct AdjointArgs {
  const T* a;
  const T* b;
  const T* gy;
  T* da;  // null: not wanted
  T* db;  // null: not wanted
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t a_stride;
  std::int64_t b_stride;
  std::int64_t gy_stride;
  std::int64_t da_stride;
  std::int64_t db_stride;
  bool vector;  // every whole quad of a, b, gy and the wanted gradients is aligned
};

template <class T>
__global__ void __launch_bounds__(block_threads) adjoint_kernel(AdjointArgs<T> args) {
  const std::int64_t row = own_row();
  const std::int64_t c = own_column();
  if (row >= args.rows || c >= args.columns) return;
  float a[quad_width];
  float gy[quad_width];
  float grad[quad_width];
  load_quad(args.a + row * args.a_stride, c, args.columns, args.vector, a);
  load_quad(args.gy + row * args.gy_stride, c, args.columns, args.vector, gy);
  if (args.da != nullptr) {
    float b[quad_width];
    load_quad(args.b + row * args.b_stride, c, args.columns, args.vector, b);
    for (int j = 0; j < quad_width; ++j) grad[j] = gy[j] * b[j] * silu_derivative(a[j]);
    store_quad(args.da + row * args.da_stride, c, args.columns, args.vector, grad);
  }
  if (args.db != nullptr) {
    for (int j = 0; j < quad_width; ++j) grad[j] = gy[j] * silu(a[j]);
    store_quad(args.db + row * args.db_stride, c, args.columns, args.vector, grad);
  }
}

}  // namespace seamgate::kernels::SIMT_BUILD::swiglu
