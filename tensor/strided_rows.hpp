// Walks views row by row in tiles of f32, whatever their dtype and strides. Host only.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "kernels/common/kernel_api.hpp"
#include "kernels/simt/scalar_types.hpp"

namespace seamgate::strided {

inline constexpr std::int64_t tile = 512;

// A view seen as [d0, d1, d2, columns]; strides in elements.
struct Rows {
  std::byte* data;
  DType dtype;
  std::array<std::int64_t, 4> strides{};

  explicit Rows(const kernels::View& view) : data(static_cast<std::byte*>(view.data)), dtype(view.dtype) {
    for (int i = 0; i < view.rank; ++i)
      strides[static_cast<std::size_t>(4 - view.rank + i)] = view.strides[i];
  }
  std::byte* at(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t column) const {
    const std::int64_t element = i * strides[0] + j * strides[1] + k * strides[2] + column * strides[3];
    return data + element * static_cast<std::int64_t>(size_of(dtype));
  }
};

// Calls `visit(i, j, k, column, count)` for tiles of at most `tile` neighbours in the last dimension.
template <class Visit>
void for_each_tile(const kernels::View& shape, Visit&& visit) {
  std::array<std::int64_t, 4> size{1, 1, 1, 1};
  for (int i = 0; i < shape.rank; ++i) size[static_cast<std::size_t>(4 - shape.rank + i)] = shape.shape[i];
  for (std::int64_t i = 0; i < size[0]; ++i) {
    for (std::int64_t j = 0; j < size[1]; ++j) {
      for (std::int64_t k = 0; k < size[2]; ++k) {
        for (std::int64_t c = 0; c < size[3]; c += tile) visit(i, j, k, c, std::min(tile, size[3] - c));
      }
    }
  }
}

template <class T>
void load_as(const std::byte* from, std::int64_t stride, std::int64_t count, float* to) {
  const T* typed = reinterpret_cast<const T*>(from);
  if (stride == 1) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = simt::to_float(typed[i]);
  } else {
    for (std::int64_t i = 0; i < count; ++i) to[i] = simt::to_float(typed[i * stride]);
  }
}

template <class T>
void store_as(const float* from, std::int64_t count, std::byte* to, std::int64_t stride) {
  T* typed = reinterpret_cast<T*>(to);
  for (std::int64_t i = 0; i < count; ++i) typed[i * stride] = simt::from_float<T>(from[i]);
}

// Widens `count` elements to f32.
inline void load(DType dtype, const std::byte* from, std::int64_t stride, std::int64_t count, float* to) {
  switch (dtype) {
    case DType::f32:
      return load_as<float>(from, stride, count, to);
    case DType::bf16:
      return load_as<bf16>(from, stride, count, to);
    case DType::f16:
      return load_as<f16>(from, stride, count, to);
  }
}

// Rounds `count` f32 values to nearest even into `dtype`.
inline void store(DType dtype, const float* from, std::int64_t count, std::byte* to, std::int64_t stride) {
  switch (dtype) {
    case DType::f32:
      return store_as<float>(from, count, to, stride);
    case DType::bf16:
      return store_as<bf16>(from, count, to, stride);
    case DType::f16:
      return store_as<f16>(from, count, to, stride);
  }
}

}  // namespace seamgate::strided
