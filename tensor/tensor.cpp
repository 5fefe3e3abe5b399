// A bare tensor: construction, views, copies.
#include "tensor/tensor.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "tensor/strided_rows.hpp"

namespace seamgate {
namespace {

std::string describe(const Shape& shape, DType dtype) {
  return to_string(shape) + " " + std::string(to_string(dtype));
}

}  // namespace

template <class B>
Tensor<B> Tensor<B>::empty(const Shape& shape, DType dtype, Device device) {
  if (device.kind != B::kind) {
    throw std::invalid_argument("a tensor of shape " + to_string(shape) + " on " + to_string(device) +
                                ", but its backend lives on " + to_string(B::default_device()));
  }
  const auto bytes = static_cast<std::size_t>(seamgate::numel(shape)) * size_of(dtype);
  return Tensor(B::allocate(bytes, device), Layout::contiguous(shape), dtype);
}

template <class B>
Tensor<B> Tensor<B>::from_floats(std::span<const float> values, const Shape& shape, DType dtype,
                                 Device device) {
  if (static_cast<std::int64_t>(values.size()) != seamgate::numel(shape)) {
    throw std::invalid_argument("from_floats: " + std::to_string(values.size()) + " values for shape " +
                                to_string(shape));
  }
  std::vector<std::byte> bytes(values.size() * size_of(dtype));
  strided::store(dtype, values.data(), static_cast<std::int64_t>(values.size()), bytes.data(), 1);
  Tensor result = empty(shape, dtype, device);
  B::upload(device, result.data(), bytes.data(), bytes.size());
  return result;
}

template <class B>
Tensor<B> Tensor<B>::full(float value, const Shape& shape, DType dtype, Device device) {
  Tensor result = empty(shape, dtype, device);
  B::fill(device, value, result.view());
  return result;
}

template <class B>
Tensor<B> Tensor<B>::zeros(const Shape& shape, DType dtype, Device device) {
  return full(0.0F, shape, dtype, device);
}

template <class B>
Tensor<B> Tensor<B>::ones(const Shape& shape, DType dtype, Device device) {
  return full(1.0F, shape, dtype, device);
}

template <class B>
Tensor<B> Tensor<B>::from_storage(Storage storage, std::int64_t offset, const Shape& shape,
                                  const Strides& strides, DType dtype) {
  const Layout layout{offset, shape, strides};
  const auto room = static_cast<std::int64_t>(storage.bytes() / size_of(dtype));
  bool fits = shape.rank() == strides.rank() && offset >= 0 && storage.device().kind == B::kind;
  for (const std::int64_t stride : strides) fits = fits && stride >= 0;
  if (!fits || seamgate::numel(shape) < 0 || layout.extent() > room) {
    throw std::invalid_argument(
        "from_storage: " + describe(shape, dtype) + " with strides " + to_string(strides) + " at element " +
        std::to_string(offset) + " of a storage of " + std::to_string(storage.bytes()) + " bytes on " +
        to_string(storage.device()) + "; strides must not be negative and the elements must lie inside");
  }
  return Tensor(std::move(storage), layout, dtype);
}

template <class B>
kernels::View Tensor<B>::view() const {
  return {data(), dtype_, rank(), shape().array(), strides().array()};
}

template <class B>
std::vector<std::byte> Tensor<B>::to_bytes() const {
  const Tensor packed = contiguous();
  std::vector<std::byte> bytes(static_cast<std::size_t>(numel()) * size_of(dtype_));
  B::download(device(), bytes.data(), packed.data(), bytes.size());
  return bytes;
}

template <class B>
std::vector<float> Tensor<B>::to_floats() const {
  const std::vector<std::byte> bytes = to_bytes();
  std::vector<float> values(static_cast<std::size_t>(numel()));
  strided::load(dtype_, bytes.data(), 1, numel(), values.data());
  return values;
}

template <class B>
float Tensor<B>::item() const {
  if (numel() != 1)
    throw std::invalid_argument("item: a tensor of shape " + to_string(shape()) + "; needs one element");
  return to_floats().front();
}

template <class B>
Tensor<B> Tensor<B>::slice(int dim, std::int64_t begin, std::int64_t end, std::int64_t step) const {
  return Tensor(storage_, layout_.slice(dim, begin, end, step), dtype_);
}

template <class B>
Tensor<B> Tensor<B>::transpose(int a, int b) const {
  return Tensor(storage_, layout_.transpose(a, b), dtype_);
}

template <class B>
Tensor<B> Tensor<B>::expand(const Shape& target) const {
  return Tensor(storage_, layout_.expand(target), dtype_);
}

template <class B>
Tensor<B> Tensor<B>::reshape(const Shape& target) const {
  if (const auto layout = layout_.reshape(target)) return Tensor(storage_, *layout, dtype_);
  const Tensor packed = clone();
  return Tensor(packed.storage_, *packed.layout_.reshape(target), dtype_);
}

template <class B>
Tensor<B> Tensor<B>::contiguous() const {
  return is_contiguous() ? *this : clone();
}

template <class B>
Tensor<B> Tensor<B>::cast(DType dtype) const {
  if (dtype == dtype_) return *this;
  Tensor result = empty(shape(), dtype, device());
  B::copy(device(), view(), result.view());
  return result;
}

template <class B>
Tensor<B> Tensor<B>::clone() const {
  Tensor result = empty(shape(), dtype_, device());
  B::copy(device(), view(), result.view());
  return result;
}

template <class B>
void Tensor<B>::copy_from(const Tensor& source) const {
  if (source.shape() != shape() || source.device() != device()) {
    throw std::invalid_argument("copy_from: " + describe(source.shape(), source.dtype()) + " on " +
                                to_string(source.device()) + " into " + describe(shape(), dtype_) + " on " +
                                to_string(device()));
  }
  B::copy(device(), source.view(), view());
}

#define SEAMGATE_DEFINE_TENSOR(B) template class Tensor<B>;
SEAMGATE_FOR_EACH_BACKEND(SEAMGATE_DEFINE_TENSOR)

}  // namespace seamgate
