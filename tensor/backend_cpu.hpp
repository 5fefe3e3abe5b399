// The backend Cpu: plain loops over views. Every primitive leaves its name in the launch log.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/kernel_api.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/storage.hpp"

namespace seamgate {

// What a backend is: static functions over views whose shapes the caller has checked. Views may be strided
// unless a comment says otherwise; outputs never overlap inputs.
struct Cpu {
  static constexpr DeviceKind kind = DeviceKind::cpu;
  static Device default_device() { return Device::cpu(); }
  static int device_count() { return 1; }
  static kernels::Stream current_stream() { return nullptr; }
  static void synchronize(Device) {}
  // Nothing to make current; here so that code for any backend can say it.
  struct DeviceGuard {
    explicit DeviceGuard(Device) {}
    ~DeviceGuard() {}
  };

  // 256-byte aligned, entered into the emulator's registry of buffers, every byte 0xff: an element that
  // nobody wrote reads as NaN in every dtype.
  static Storage allocate(std::size_t bytes, Device device);
  static void upload(Device device, void* to, const void* from, std::size_t bytes);
  static void download(Device device, void* to, const void* from, std::size_t bytes);

  // Same dtype: the bits. Otherwise by f32, rounded to nearest even. Shapes are equal.
  static void copy(Device device, const kernels::View& in, const kernels::View& out);
  static void fill(Device device, float value, const kernels::View& out);
  static void unary(Device device, UnaryOp op, float scalar, const kernels::View& in,
                    const kernels::View& out);
  static void binary(Device device, BinaryOp op, const kernels::View& lhs, const kernels::View& rhs,
                     const kernels::View& out);
  // in: contiguous f32 [outer, len, inner]; out: contiguous f32 [outer, ceil(len / sum_block), inner]; each
  // output is the sum of its block's terms in order. Empty sums do not occur.
  static void sum_blocks(Device device, const float* in, float* out, std::int64_t outer, std::int64_t len,
                         std::int64_t inner);
  // a [M, K] by b [K, N] into out [M, N], f32; each element is summed over K by blocks of blocks.
  static void matmul(Device device, const kernels::View& a, const kernels::View& b, const kernels::View& out);
};

}  // namespace seamgate
