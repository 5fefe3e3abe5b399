// Shapes and strides: up to four 64-bit numbers, by value, without a heap allocation.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "kernels/common/kernel_api.hpp"

namespace seamgate {

// A shape (elements a dimension) or strides (elements between neighbours). Rank 0 is a scalar.
// Throws std::invalid_argument above rank 4.
class Dims {
 public:
  Dims() = default;
  Dims(std::initializer_list<std::int64_t> values)
      : Dims(std::span<const std::int64_t>(values.begin(), values.size())) {}
  explicit Dims(std::span<const std::int64_t> values);

  // `rank` times the same value.
  static Dims filled(int rank, std::int64_t value);

  int rank() const { return rank_; }
  std::int64_t& operator[](int i) { return values_[static_cast<std::size_t>(i)]; }
  std::int64_t operator[](int i) const { return values_[static_cast<std::size_t>(i)]; }
  const std::int64_t* begin() const { return values_.data(); }
  const std::int64_t* end() const { return values_.data() + rank_; }
  const std::array<std::int64_t, kernels::max_rank>& array() const { return values_; }

  // Unused places stay zero, so memberwise comparison is exact.
  friend bool operator==(const Dims&, const Dims&) = default;

 private:
  std::array<std::int64_t, kernels::max_rank> values_{};
  int rank_ = 0;
};

using Shape = Dims;
using Strides = Dims;

// "[2, 3]"; a scalar is "[]".
std::string to_string(const Dims& dims);

// The product; 1 for a scalar. Throws std::invalid_argument on a negative size.
std::int64_t numel(const Shape& shape);

// Row-major strides.
Strides contiguous_strides(const Shape& shape);

// NumPy's rule: aligned at the last dimension, a size of 1 repeats. Throws std::invalid_argument naming both
// shapes.
Shape broadcast(const Shape& a, const Shape& b, const char* op);

// `dim` in -rank..rank-1 to 0..rank-1; throws std::invalid_argument outside.
int normalised_dim(int dim, int rank, const char* op);

}  // namespace seamgate
