// A view seen as rows of adjacent columns: what a row kernel can address with one pointer and one row stride.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kernels/common/kernel_api.hpp"

namespace seamgate::kernels {

struct Rows {
  std::int64_t count = 0;
  std::int64_t columns = 0;
  std::int64_t stride = 0;  // elements from one row to the next
};

// The rows of `view`, or nothing when its columns are not adjacent or its leading dimensions do not step evenly.
// Dimensions of size 1 have no say, whatever their stride.
inline std::optional<Rows> as_rows(const View& view) {
  Rows rows{view.rows(), view.columns(), view.columns()};
  if (view.rank == 0) return Rows{1, 1, 1};
  if (rows.columns > 1 && view.strides[view.rank - 1] != 1) return std::nullopt;
  std::int64_t expected = 0;  // stride that the next outer dimension must have; 0: not known yet
  for (int d = view.rank - 2; d >= 0; --d) {
    if (view.shape[d] == 1) continue;
    if (expected == 0) {
      rows.stride = view.strides[d];
    } else if (view.strides[d] != expected) {
      return std::nullopt;
    }
    expected = view.strides[d] * view.shape[d];
  }
  if (rows.count > 1 && rows.stride == 0 && rows.columns > 0) return std::nullopt;  // expanded rows alias each other
  return rows;
}

inline bool is_packed(const View& view) {
  const auto rows = as_rows(view);
  return rows && (rows->count <= 1 || rows->stride == rows->columns);
}

inline std::string describe(const View& view) {
  std::string text = std::string(to_string(view.dtype)) + "[";
  for (int d = 0; d < view.rank; ++d) text += (d ? "," : "") + std::to_string(view.shape[d]);
  text += "] strides (";
  for (int d = 0; d < view.rank; ++d) text += (d ? "," : "") + std::to_string(view.strides[d]);
  return text + ")";
}

}  // namespace seamgate::kernels
