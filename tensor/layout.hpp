// How a tensor's elements lie in its storage, and the rearrangements that move no data.
#pragma once

#include <cstdint>
#include <optional>

#include "tensor/shape.hpp"

namespace seamgate {

// Offset, shape and strides in elements. The functions throw std::invalid_argument when the request does not
// fit.
struct Layout {
  std::int64_t offset = 0;
  Shape shape;
  Strides strides;

  static Layout contiguous(const Shape& shape) { return {0, shape, contiguous_strides(shape)}; }

  // Row-major without gaps; dimensions of size 1 may have any stride, an empty tensor is contiguous.
  bool is_contiguous() const;
  // Elements between the storage's start and one past the last element touched; 0 when empty.
  std::int64_t extent() const;

  // Every `step`-th element of [begin, end); step >= 1.
  Layout slice(int dim, std::int64_t begin, std::int64_t end, std::int64_t step) const;
  Layout transpose(int a, int b) const;
  // Dimensions of size 1 (and new leading ones) repeat with stride 0.
  Layout expand(const Shape& target) const;
  // The same elements in the same order under another shape; nothing where that needs a copy.
  std::optional<Layout> reshape(const Shape& target) const;
};

}  // namespace seamgate
