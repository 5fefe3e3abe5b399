// What the backend Cuda runs for each element, block of a sum, or element of a product: function objects of
// an index.
#pragma once

#include <cstdint>

#include "kernels/common/kernel_api.hpp"
#include "kernels/simt/scalar_types.hpp"
#include "tensor/blocked_sum.hpp"
#include "tensor/elementwise.hpp"

namespace seamgate::cuda_operations {

// A view on the device: element `i` in row-major order, widened to f32.
struct Elements {
  void* data;
  DType dtype;
  int rank;
  bool packed = true;
  std::int64_t shape[kernels::max_rank];
  std::int64_t strides[kernels::max_rank];

  explicit Elements(const kernels::View& view) : data(view.data), dtype(view.dtype), rank(view.rank) {
    std::int64_t expected = 1;
    for (int d = rank - 1; d >= 0; --d) {
      shape[d] = view.shape[d];
      strides[d] = view.strides[d];
      packed = packed && (shape[d] == 1 || strides[d] == expected);
      expected *= shape[d];
    }
  }
  __device__ std::int64_t place(std::int64_t i) const {
    if (packed) return i;
    std::int64_t element = 0;
    for (int d = rank - 1; d >= 0; --d) {
      element += (i % shape[d]) * strides[d];
      i /= shape[d];
    }
    return element;
  }
  __device__ float load_at(std::int64_t element) const {
    switch (dtype) {
      case DType::bf16:
        return simt::to_float(static_cast<const bf16*>(data)[element]);
      case DType::f16:
        return simt::to_float(static_cast<const f16*>(data)[element]);
      default:
        return static_cast<const float*>(data)[element];
    }
  }
  __device__ float load(std::int64_t i) const { return load_at(place(i)); }
  __device__ void store(std::int64_t i, float value) const {
    const std::int64_t element = place(i);
    switch (dtype) {
      case DType::bf16:
        static_cast<bf16*>(data)[element] = simt::from_float<bf16>(value);
        return;
      case DType::f16:
        static_cast<f16*>(data)[element] = simt::from_float<f16>(value);
        return;
      default:
        static_cast<float*>(data)[element] = value;
    }
  }
};

template <class T>
struct CopyBits {
  Elements in, out;
  __device__ void operator()(std::int64_t i) const {
    static_cast<T*>(out.data)[out.place(i)] = static_cast<const T*>(in.data)[in.place(i)];
  }
};

struct Cast {
  Elements in, out;
  __device__ void operator()(std::int64_t i) const { out.store(i, in.load(i)); }
};

struct Fill {
  Elements out;
  float value;
  __device__ void operator()(std::int64_t i) const { out.store(i, value); }
};

template <class F>
struct Unary {
  Elements in, out;
  F functor;
  __device__ void operator()(std::int64_t i) const { out.store(i, functor(in.load(i))); }
};

template <class F>
struct Binary {
  Elements lhs, rhs, out;
  F functor;
  __device__ void operator()(std::int64_t i) const { out.store(i, functor(lhs.load(i), rhs.load(i))); }
};

struct SumBlock {
  const float* in;
  float* out;
  std::int64_t len, inner, blocks;
  __device__ void operator()(std::int64_t i) const {
    const std::int64_t column = i % inner;
    const std::int64_t block = (i / inner) % blocks;
    const std::int64_t outer = i / inner / blocks;
    const float* term = in + (outer * len + block * sum_block) * inner + column;
    const std::int64_t terms = len - block * sum_block < sum_block ? len - block * sum_block : sum_block;
    float sum = *term;
    for (std::int64_t t = 1; t < terms; ++t) sum += term[t * inner];
    out[i] = sum;
  }
};

struct Matmul {
  Elements a, b, out;
  __device__ void operator()(std::int64_t i) const {
    const std::int64_t row = i / out.shape[1];
    const std::int64_t column = i % out.shape[1];
    BlockedSum sum;
    for (std::int64_t k = 0; k < a.shape[1]; ++k) {
      sum.add(a.load_at(row * a.strides[0] + k * a.strides[1]) *
              b.load_at(k * b.strides[0] + column * b.strides[1]));
    }
    out.store(i, sum.total());
  }
};

}  // namespace seamgate::cuda_operations
