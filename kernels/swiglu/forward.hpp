// SwiGLU forward: y = silu(a) * b.
#pragma once

#include <cstdint>

#include "kernels/common/row_access.hpp"
#include "kernels/swiglu/quad_grid.hpp"
#include "kernels/swiglu/silu.hpp"
#include "kernels/swiglu/variants.hpp"

namespace seamgate::kernels::SIMT_BUILD::swiglu {

template <class Variant>
struct ForwardArgs {
  const typename Variant::Element* a;
  const typename Variant::Element* b;
  typename Variant::Element* y;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t a_stride;
  std::int64_t b_stride;
  std::int64_t y_stride;
  bool vector;  // every whole quad of a, b and y is aligned
};

template <class Variant>
__global__ void __launch_bounds__(block_threads) forward_kernel(ForwardArgs<Variant> args) {
  const std::int64_t row = own_row();
  const std::int64_t c = own_column();
  if (row >= args.rows || c >= args.columns) return;
  float a[quad_width];
  float b[quad_width];
  load_quad(args.a + row * args.a_stride, c, args.columns, args.vector, a);
  load_quad(args.b + row * args.b_stride, c, args.columns, args.vector, b);
  for (int j = 0; j < quad_width; ++j) a[j] = Variant::gate(silu(a[j])) * b[j];
  store_quad(args.y + row * args.y_stride, c, args.columns, args.vector, a);
}

}  // namespace seamgate::kernels::SIMT_BUILD::swiglu
