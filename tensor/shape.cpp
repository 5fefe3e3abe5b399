// Shapes and strides: checks and printing.
#include "tensor/shape.hpp"

#include <algorithm>
#include <stdexcept>

namespace seamgate {

Dims::Dims(std::span<const std::int64_t> values) {
  if (values.size() > static_cast<std::size_t>(kernels::max_rank)) {
    throw std::invalid_argument("shape of rank " + std::to_string(values.size()) +
                                "; tensors have rank 0 to " + std::to_string(kernels::max_rank));
  }
  std::copy(values.begin(), values.end(), values_.begin());
  rank_ = static_cast<int>(values.size());
}

Dims Dims::filled(int rank, std::int64_t value) {
  std::array<std::int64_t, kernels::max_rank> values{};
  values.fill(value);
  return Dims(std::span<const std::int64_t>(values.data(), static_cast<std::size_t>(rank)));
}

std::string to_string(const Dims& dims) {
  std::string text = "[";
  for (int i = 0; i < dims.rank(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(dims[i]);
  return text + "]";
}

std::int64_t numel(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size < 0) throw std::invalid_argument("shape " + to_string(shape) + " has a negative size");
    count *= size;
  }
  return count;
}

Strides contiguous_strides(const Shape& shape) {
  Strides strides = Dims::filled(shape.rank(), 1);
  for (int i = shape.rank() - 2; i >= 0; --i) {
    strides[i] = strides[i + 1] * std::max<std::int64_t>(shape[i + 1], 1);
  }
  return strides;
}

Shape broadcast(const Shape& a, const Shape& b, const char* op) {
  const int rank = std::max(a.rank(), b.rank());
  Shape result = Dims::filled(rank, 1);
  for (int i = 0; i < rank; ++i) {
    const int ia = i - (rank - a.rank());
    const int ib = i - (rank - b.rank());
    const std::int64_t sa = ia < 0 ? 1 : a[ia];
    const std::int64_t sb = ib < 0 ? 1 : b[ib];
    if (sa != sb && sa != 1 && sb != 1) {
      throw std::invalid_argument(std::string(op) + ": shapes " + to_string(a) + " and " + to_string(b) +
                                  " do not broadcast; each dimension must be equal or 1");
    }
    result[i] = sa == 1 ? sb : sa;
  }
  return result;
}

int normalised_dim(int dim, int rank, const char* op) {
  if (dim < -rank || dim >= rank) {
    throw std::invalid_argument(std::string(op) + ": dimension " + std::to_string(dim) +
                                " of a tensor of rank " + std::to_string(rank));
  }
  return dim < 0 ? dim + rank : dim;
}

}  // namespace seamgate
