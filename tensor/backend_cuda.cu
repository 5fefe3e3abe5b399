// The backend Cuda: streams, stream-ordered memory, and one bulk kernel per primitive.
#include <cuda_runtime.h>

#include <cub/device/device_for.cuh>

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "tensor/backend_cuda.hpp"
#include "tensor/cuda_operations.cuh"
#include "tensor/shape.hpp"

namespace seamgate {
namespace {

using namespace cuda_operations;

void check(cudaError_t error, const std::string& call, const std::string& shapes = {}) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();  // not sticky: do not leave it to the next caller
  throw std::runtime_error(call + ": " + cudaGetErrorName(error) + ", " + cudaGetErrorString(error) +
                           (shapes.empty() ? "" : " (" + shapes + ")"));
}

// "f32 [2, 3]".
std::string describe(const kernels::View& view) {
  return std::string(to_string(view.dtype)) + " " +
         to_string(Dims(std::span(view.shape.data(), static_cast<std::size_t>(view.rank))));
}

Cuda::StreamHandle& thread_stream() {
  thread_local Cuda::StreamHandle stream;
  return stream;
}

cudaStream_t stream_of(const Cuda::StreamHandle& handle) {
  return static_cast<cudaStream_t>(handle.get());
}

// Freed memory stays in the driver's pool, so that a step of a trainer does not pay for mapping it anew.
void keep_freed_memory(Device device) {
  constexpr int max_devices = 64;
  static std::array<std::once_flag, max_devices> done;
  if (device.index < 0 || device.index >= max_devices) return;
  std::call_once(done[static_cast<std::size_t>(device.index)], [device] {
    cudaMemPool_t pool = nullptr;
    check(cudaDeviceGetDefaultMemPool(&pool, device.index),
          "cudaDeviceGetDefaultMemPool(" + to_string(device) + ")");
    std::uint64_t keep = std::numeric_limits<std::uint64_t>::max();
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "cudaMemPoolSetAttribute");
  });
}

// Runs `op(i)` for i in [0, count) on the current stream of `device`.
template <class Op>
void bulk(Device device, const char* name, std::int64_t count, const Op& op, const std::string& shapes) {
  if (count == 0) return;
  const Cuda::DeviceGuard guard(device);
  check(cub::DeviceFor::Bulk(count, op, stream_of(thread_stream())), name, shapes);
}

}  // namespace

Cuda::DeviceGuard::DeviceGuard(Device device) {
  check(cudaGetDevice(&previous_), "cudaGetDevice");
  if (previous_ != device.index)
    check(cudaSetDevice(device.index), "cudaSetDevice(" + to_string(device) + ")");
}
Cuda::DeviceGuard::~DeviceGuard() {
  (void)cudaSetDevice(previous_);
}

int Cuda::device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  (void)cudaGetLastError();
  return 0;
}

Cuda::StreamHandle Cuda::make_stream(Device device) {
  const DeviceGuard guard(device);
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return StreamHandle(stream, [](void* raw) { (void)cudaStreamDestroy(static_cast<cudaStream_t>(raw)); });
}

kernels::Stream Cuda::current_stream() {
  return thread_stream().get();
}

void Cuda::synchronize(Device device) {
  const DeviceGuard guard(device);
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize(" + to_string(device) + ")");
}

Cuda::StreamGuard::StreamGuard(StreamHandle stream)
    : previous_(std::exchange(thread_stream(), std::move(stream))) {}
Cuda::StreamGuard::~StreamGuard() {
  thread_stream() = std::move(previous_);
}

Storage Cuda::allocate(std::size_t bytes, Device device) {
  const DeviceGuard guard(device);
  keep_freed_memory(device);
  void* data = nullptr;
  const StreamHandle stream = thread_stream();
  check(cudaMallocAsync(&data, std::max<std::size_t>(bytes, 1), stream_of(stream)),
        "cudaMallocAsync(" + std::to_string(bytes) + " bytes on " + to_string(device) + ")");
  return Storage(data, bytes, device, [data, stream, device] {
    // A destructor's path: an error here surfaces at the next call that can report it.
    int previous = 0;
    if (cudaGetDevice(&previous) != cudaSuccess) return;
    (void)cudaSetDevice(device.index);
    (void)cudaFreeAsync(data, stream_of(stream));
    (void)cudaSetDevice(previous);
  });
}

void Cuda::upload(Device device, void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const DeviceGuard guard(device);
  const std::string call =
      "cudaMemcpyAsync to " + to_string(device) + ", " + std::to_string(bytes) + " bytes";
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_of(thread_stream())), call);
  check(cudaStreamSynchronize(stream_of(thread_stream())), call);
}

void Cuda::download(Device device, void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const DeviceGuard guard(device);
  const std::string call =
      "cudaMemcpyAsync from " + to_string(device) + ", " + std::to_string(bytes) + " bytes";
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_of(thread_stream())), call);
  check(cudaStreamSynchronize(stream_of(thread_stream())), call);
}

void Cuda::copy(Device device, const kernels::View& in, const kernels::View& out) {
  const std::string shapes = describe(in) + " to " + describe(out);
  const Elements from(in);
  const Elements to(out);
  if (in.dtype != out.dtype) {
    bulk(device, "primitive.cast", out.numel(), Cast{from, to}, shapes);
  } else if (size_of(in.dtype) == 4) {
    bulk(device, "primitive.copy", out.numel(), CopyBits<std::uint32_t>{from, to}, shapes);
  } else {
    bulk(device, "primitive.copy", out.numel(), CopyBits<std::uint16_t>{from, to}, shapes);
  }
}

void Cuda::fill(Device device, float value, const kernels::View& out) {
  bulk(device, "primitive.fill", out.numel(), Fill{Elements(out), value}, describe(out));
}

void Cuda::unary(Device device, UnaryOp op, float scalar, const kernels::View& in, const kernels::View& out) {
  elementwise::with_functor(op, scalar, [&]<class F>(F functor) {
    bulk(device, log_name(op).data(), out.numel(), Unary<F>{Elements(in), Elements(out), functor},
         describe(in));
  });
}

void Cuda::binary(Device device, BinaryOp op, const kernels::View& lhs, const kernels::View& rhs,
                  const kernels::View& out) {
  elementwise::with_functor(op, [&]<class F>(F functor) {
    bulk(device, log_name(op).data(), out.numel(),
         Binary<F>{Elements(lhs), Elements(rhs), Elements(out), functor},
         describe(lhs) + " and " + describe(rhs));
  });
}

void Cuda::sum_blocks(Device device, const float* in, float* out, std::int64_t outer, std::int64_t len,
                      std::int64_t inner) {
  const std::int64_t blocks = (len + sum_block - 1) / sum_block;
  bulk(device, "primitive.sum_blocks", outer * blocks * inner, SumBlock{in, out, len, inner, blocks},
       to_string(Dims{outer, len, inner}));
}

void Cuda::matmul(Device device, const kernels::View& a, const kernels::View& b, const kernels::View& out) {
  bulk(device, "primitive.matmul", out.numel(), Matmul{Elements(a), Elements(b), Elements(out)},
       describe(a) + " by " + describe(b));
}

}  // namespace seamgate
