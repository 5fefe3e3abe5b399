// The backend Cuda: device memory and simple kernels on a current stream. This header needs no CUDA toolkit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/common/kernel_api.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/storage.hpp"

namespace seamgate {

// The functions of Cpu (backend_cpu.hpp) on a GPU, with the same arithmetic and the same tree of sums. Work
// goes to the calling thread's current stream; `device` is made current for the call and the former one
// restored. A CUDA error throws std::runtime_error with the call, the error's text and the shapes. Defined
// only in builds with SEAMGATE_CUDA=ON.
struct Cuda {
  static constexpr DeviceKind kind = DeviceKind::cuda;
  static Device default_device() { return Device::cuda(0); }
  // 0 without a GPU or a driver; never throws.
  static int device_count();

  // A stream as a shared handle (cudaStream_t). Tensors keep the stream they were allocated on, because their
  // memory returns to it in stream order: a tensor that another stream reads or writes must be kept until
  // that work is done.
  using StreamHandle = std::shared_ptr<void>;
  // A non-blocking stream of `device`, destroyed with its last handle.
  static StreamHandle make_stream(Device device);
  // The calling thread's; null (the legacy default stream) unless a StreamGuard says otherwise.
  static kernels::Stream current_stream();
  static void synchronize(Device device);

  // Makes `stream` the calling thread's current stream while alive.
  class StreamGuard {
   public:
    explicit StreamGuard(StreamHandle stream);
    ~StreamGuard();
    StreamGuard(const StreamGuard&) = delete;
    StreamGuard& operator=(const StreamGuard&) = delete;

   private:
    StreamHandle previous_;
  };

  // Makes a device current while alive and restores the former one.
  class DeviceGuard {
   public:
    explicit DeviceGuard(Device device);
    ~DeviceGuard();
    DeviceGuard(const DeviceGuard&) = delete;
    DeviceGuard& operator=(const DeviceGuard&) = delete;

   private:
    int previous_ = 0;
  };

  // Stream-ordered; contents are not initialised.
  static Storage allocate(std::size_t bytes, Device device);
  // Both wait for the copy.
  static void upload(Device device, void* to, const void* from, std::size_t bytes);
  static void download(Device device, void* to, const void* from, std::size_t bytes);

  static void copy(Device device, const kernels::View& in, const kernels::View& out);
  static void fill(Device device, float value, const kernels::View& out);
  static void unary(Device device, UnaryOp op, float scalar, const kernels::View& in,
                    const kernels::View& out);
  static void binary(Device device, BinaryOp op, const kernels::View& lhs, const kernels::View& rhs,
                     const kernels::View& out);
  static void sum_blocks(Device device, const float* in, float* out, std::int64_t outer, std::int64_t len,
                         std::int64_t inner);
  static void matmul(Device device, const kernels::View& a, const kernels::View& b, const kernels::View& out);
};

}  // namespace seamgate
