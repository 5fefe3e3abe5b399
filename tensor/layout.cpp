// How a tensor's elements lie in its storage: views by arithmetic on strides.
#include "tensor/layout.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace seamgate {

bool Layout::is_contiguous() const {
  std::int64_t expected = 1;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    if (shape[i] == 0) return true;
    if (shape[i] != 1 && strides[i] != expected) return numel(shape) == 0;
    expected *= shape[i];
  }
  return true;
}

std::int64_t Layout::extent() const {
  std::int64_t last = offset;
  for (int i = 0; i < shape.rank(); ++i) {
    if (shape[i] == 0) return 0;
    last += (shape[i] - 1) * strides[i];
  }
  return last + 1;
}

Layout Layout::slice(int dim, std::int64_t begin, std::int64_t end, std::int64_t step) const {
  dim = normalised_dim(dim, shape.rank(), "slice");
  if (begin < 0 || end < begin || end > shape[dim] || step < 1) {
    throw std::invalid_argument("slice: [" + std::to_string(begin) + ", " + std::to_string(end) + ") step " +
                                std::to_string(step) + " of dimension " + std::to_string(dim) + " of " +
                                to_string(shape) + "; allowed are 0 <= begin <= end <= size, step >= 1");
  }
  Layout result = *this;
  result.shape[dim] = (end - begin + step - 1) / step;
  result.strides[dim] = strides[dim] * step;
  result.offset += begin * strides[dim];
  return result;
}

Layout Layout::transpose(int a, int b) const {
  a = normalised_dim(a, shape.rank(), "transpose");
  b = normalised_dim(b, shape.rank(), "transpose");
  Layout result = *this;
  std::swap(result.shape[a], result.shape[b]);
  std::swap(result.strides[a], result.strides[b]);
  return result;
}

Layout Layout::expand(const Shape& target) const {
  const int lead = target.rank() - shape.rank();
  bool fits = lead >= 0;
  Layout result{offset, target, Dims::filled(target.rank(), 0)};
  for (int i = 0; fits && i < shape.rank(); ++i) {
    if (shape[i] == target[lead + i]) {
      result.strides[lead + i] = strides[i];
    } else {
      fits = shape[i] == 1;
    }
  }
  if (!fits) {
    throw std::invalid_argument("expand: " + to_string(shape) + " to " + to_string(target) +
                                "; only dimensions of size 1 and new leading ones grow");
  }
  return result;
}

std::optional<Layout> Layout::reshape(const Shape& target) const {
  if (numel(target) != numel(shape)) {
    throw std::invalid_argument("reshape: " + to_string(shape) + " to " + to_string(target) +
                                "; the number of elements must stay the same");
  }
  if (!is_contiguous()) return shape == target ? std::optional(*this) : std::nullopt;
  return Layout{offset, target, contiguous_strides(target)};
}

}  // namespace seamgate
