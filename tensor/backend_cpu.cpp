// The backend Cpu: plain loops over views.
#include "tensor/backend_cpu.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

#include "kernels/simt/buffers.hpp"
#include "kernels/simt/launch_log.hpp"
#include "tensor/blocked_sum.hpp"
#include "tensor/strided_rows.hpp"

namespace seamgate {
namespace {

constexpr std::align_val_t alignment{256};

template <class T>
void copy_bits(const kernels::View& in, const kernels::View& out) {
  const strided::Rows from(in);
  const strided::Rows to(out);
  strided::for_each_tile(out, [&](auto i, auto j, auto k, auto c, std::int64_t count) {
    const T* source = reinterpret_cast<const T*>(from.at(i, j, k, c));
    T* target = reinterpret_cast<T*>(to.at(i, j, k, c));
    for (std::int64_t n = 0; n < count; ++n) target[n * to.strides[3]] = source[n * from.strides[3]];
  });
}

std::vector<float> packed(const kernels::View& matrix, std::int64_t lines, std::int64_t depth,
                          std::int64_t line_stride, std::int64_t depth_stride) {
  std::vector<float> values(static_cast<std::size_t>(lines * depth));
  const auto element = static_cast<std::int64_t>(size_of(matrix.dtype));
  for (std::int64_t line = 0; line < lines; ++line) {
    strided::load(matrix.dtype, static_cast<const std::byte*>(matrix.data) + line * line_stride * element,
                  depth_stride, depth, values.data() + line * depth);
  }
  return values;
}

}  // namespace

Storage Cpu::allocate(std::size_t bytes, Device device) {
  // One byte at least, so that an empty tensor has an address of its own: a null view means "not wanted".
  void* data = ::operator new(std::max<std::size_t>(bytes, 1), alignment);
  std::memset(data, 0xff, std::max<std::size_t>(bytes, 1));
  simt::buffers().add(data, bytes, "tensor");
  return Storage(data, bytes, device, [data] {
    simt::buffers().remove(data);
    ::operator delete(data, alignment);
  });
}

void Cpu::upload(Device, void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void Cpu::download(Device, void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void Cpu::copy(Device, const kernels::View& in, const kernels::View& out) {
  if (in.dtype == out.dtype) {
    simt::launch_log().note("primitive.copy");
    return size_of(in.dtype) == 4 ? copy_bits<std::uint32_t>(in, out) : copy_bits<std::uint16_t>(in, out);
  }
  simt::launch_log().note("primitive.cast");
  const strided::Rows from(in);
  const strided::Rows to(out);
  strided::for_each_tile(out, [&](auto i, auto j, auto k, auto c, std::int64_t count) {
    float values[strided::tile];
    strided::load(in.dtype, from.at(i, j, k, c), from.strides[3], count, values);
    strided::store(out.dtype, values, count, to.at(i, j, k, c), to.strides[3]);
  });
}

void Cpu::fill(Device, float value, const kernels::View& out) {
  simt::launch_log().note("primitive.fill");
  float values[strided::tile];
  std::fill_n(values, strided::tile, value);
  const strided::Rows to(out);
  strided::for_each_tile(out, [&](auto i, auto j, auto k, auto c, std::int64_t count) {
    strided::store(out.dtype, values, count, to.at(i, j, k, c), to.strides[3]);
  });
}

void Cpu::unary(Device, UnaryOp op, float scalar, const kernels::View& in, const kernels::View& out) {
  simt::launch_log().note(log_name(op));
  const strided::Rows from(in);
  const strided::Rows to(out);
  elementwise::with_functor(op, scalar, [&](auto functor) {
    strided::for_each_tile(out, [&](auto i, auto j, auto k, auto c, std::int64_t count) {
      float values[strided::tile];
      strided::load(in.dtype, from.at(i, j, k, c), from.strides[3], count, values);
      for (std::int64_t n = 0; n < count; ++n) values[n] = functor(values[n]);
      strided::store(out.dtype, values, count, to.at(i, j, k, c), to.strides[3]);
    });
  });
}

void Cpu::binary(Device, BinaryOp op, const kernels::View& lhs, const kernels::View& rhs,
                 const kernels::View& out) {
  simt::launch_log().note(log_name(op));
  const strided::Rows left(lhs);
  const strided::Rows right(rhs);
  const strided::Rows to(out);
  elementwise::with_functor(op, [&](auto functor) {
    strided::for_each_tile(out, [&](auto i, auto j, auto k, auto c, std::int64_t count) {
      float a[strided::tile];
      float b[strided::tile];
      strided::load(lhs.dtype, left.at(i, j, k, c), left.strides[3], count, a);
      strided::load(rhs.dtype, right.at(i, j, k, c), right.strides[3], count, b);
      for (std::int64_t n = 0; n < count; ++n) a[n] = functor(a[n], b[n]);
      strided::store(out.dtype, a, count, to.at(i, j, k, c), to.strides[3]);
    });
  });
}

void Cpu::sum_blocks(Device, const float* in, float* out, std::int64_t outer, std::int64_t len,
                     std::int64_t inner) {
  simt::launch_log().note("primitive.sum_blocks");
  const std::int64_t blocks = (len + sum_block - 1) / sum_block;
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t b = 0; b < blocks; ++b) {
      const float* term = in + (o * len + b * sum_block) * inner;
      float* sums = out + (o * blocks + b) * inner;
      std::copy_n(term, inner, sums);
      const std::int64_t terms = std::min<std::int64_t>(sum_block, len - b * sum_block);
      for (std::int64_t t = 1; t < terms; ++t) {
        term += inner;
        for (std::int64_t i = 0; i < inner; ++i) sums[i] += term[i];
      }
    }
  }
}

void Cpu::matmul(Device, const kernels::View& a, const kernels::View& b, const kernels::View& out) {
  simt::launch_log().note("primitive.matmul");
  const std::int64_t rows = out.shape[0];
  const std::int64_t columns = out.shape[1];
  const std::int64_t depth = a.shape[1];
  // Both operands as f32 with the summed dimension innermost.
  const std::vector<float> left = packed(a, rows, depth, a.strides[0], a.strides[1]);
  const std::vector<float> right = packed(b, columns, depth, b.strides[1], b.strides[0]);
  const strided::Rows to(out);
  for (std::int64_t m = 0; m < rows; ++m) {
    for (std::int64_t n = 0; n < columns; ++n) {
      BlockedSum sum;
      for (std::int64_t k = 0; k < depth; ++k) {
        sum.add(left[static_cast<std::size_t>(m * depth + k)] *
                right[static_cast<std::size_t>(n * depth + k)]);
      }
      const float total = sum.total();
      strided::store(out.dtype, &total, 1, to.at(0, 0, m, n), 1);
    }
  }
}

}  // namespace seamgate
