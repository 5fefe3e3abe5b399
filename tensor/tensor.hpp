// A bare tensor: shared storage, a layout, a run-time dtype. The tracked tensor is in
// autodiff/tracked_tensor.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/common/kernel_api.hpp"
#include "tensor/backend.hpp"
#include "tensor/layout.hpp"
#include "tensor/storage.hpp"

namespace seamgate {

// B is Cpu or Cuda here, Autodiff<B, Strategy> for tracked tensors. Copying a tensor copies a handle; views
// share storage. Errors of shape, bounds and dtype throw std::invalid_argument.
template <class B>
class Tensor {
  static_assert(backend_is_built<B>, "Tensor<Cuda> needs a build with SEAMGATE_CUDA=ON");

 public:
  // Rounds to nearest even into `dtype`.
  static Tensor from_floats(std::span<const float> values, const Shape& shape, DType dtype = DType::f32,
                            Device device = B::default_device());
  // Contents are unspecified (on Cpu: NaN).
  static Tensor empty(const Shape& shape, DType dtype = DType::f32, Device device = B::default_device());
  static Tensor full(float value, const Shape& shape, DType dtype = DType::f32,
                     Device device = B::default_device());
  static Tensor zeros(const Shape& shape, DType dtype = DType::f32, Device device = B::default_device());
  static Tensor ones(const Shape& shape, DType dtype = DType::f32, Device device = B::default_device());
  // Over memory of the caller's making, such as one with guard zones. `offset` and `strides` in elements;
  // everything that the layout reaches must lie inside the storage, and `data()` be aligned for the dtype.
  static Tensor from_storage(Storage storage, std::int64_t offset, const Shape& shape, const Strides& strides,
                             DType dtype);

  const Shape& shape() const { return layout_.shape; }
  const Strides& strides() const { return layout_.strides; }
  std::int64_t offset() const { return layout_.offset; }
  int rank() const { return layout_.shape.rank(); }
  std::int64_t numel() const { return seamgate::numel(layout_.shape); }
  DType dtype() const { return dtype_; }
  Device device() const { return storage_.device(); }
  const Storage& storage() const { return storage_; }
  bool is_contiguous() const { return layout_.is_contiguous(); }
  // Element (0, ..., 0).
  void* data() const { return storage_.data() + layout_.offset * static_cast<std::int64_t>(size_of(dtype_)); }
  // Borrowed: valid while a tensor over the storage lives.
  kernels::View view() const;

  // In logical (row-major) order, whatever the layout; wait for the device.
  std::vector<float> to_floats() const;
  std::vector<std::byte> to_bytes() const;
  // The value of a tensor of one element.
  float item() const;

  // Views; see layout.hpp. `reshape` copies where the layout leaves no other way.
  Tensor slice(int dim, std::int64_t begin, std::int64_t end, std::int64_t step = 1) const;
  Tensor transpose(int a, int b) const;
  Tensor expand(const Shape& target) const;
  Tensor reshape(const Shape& target) const;
  // This tensor, or a packed copy of its bits.
  Tensor contiguous() const;
  // This tensor when the dtype is already right, else a packed copy rounded to nearest even.
  Tensor cast(DType dtype) const;
  // A packed copy in storage of its own.
  Tensor clone() const;
  // Overwrites this tensor's elements (through the view) with `source`, of the same shape, cast to this
  // dtype.
  void copy_from(const Tensor& source) const;

 private:
  Tensor(Storage storage, const Layout& layout, DType dtype)
      : storage_(std::move(storage)), layout_(layout), dtype_(dtype) {}

  Storage storage_;
  Layout layout_;
  DType dtype_ = DType::f32;
};

#define SEAMGATE_DECLARE_TENSOR(B) extern template class Tensor<B>;
SEAMGATE_FOR_EACH_BACKEND(SEAMGATE_DECLARE_TENSOR)
#undef SEAMGATE_DECLARE_TENSOR

}  // namespace seamgate
