// What a kernel of any op looks like to whoever launches it: plain views in, a status out, one table per op and machine.
// Nothing here names an op; the seam, the gates and a plug-in's door all speak through these types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "kernels/simt/dtype.hpp"

namespace seamgate::kernels {

inline constexpr int max_rank = 4;

// A borrowed tensor: `data` points at element (0, ..., 0). Strides are in elements. A null `data` with a non-zero
// element count means "not wanted" where the call says that an argument is optional.
struct View {
  void* data = nullptr;
  DType dtype = DType::f32;
  int rank = 0;
  std::array<std::int64_t, max_rank> shape{};
  std::array<std::int64_t, max_rank> strides{};

  std::int64_t numel() const {
    std::int64_t n = 1;
    for (int i = 0; i < rank; ++i) n *= shape[i];
    return n;
  }
  std::int64_t columns() const { return rank == 0 ? 1 : shape[rank - 1]; }
  std::int64_t rows() const {
    std::int64_t n = 1;
    for (int i = 0; i + 1 < rank; ++i) n *= shape[i];
    return n;
  }
};

// How the work is cut into blocks where the result's bits depend on it (dw). Part of a case; 0 asks for the op's default.
struct LaunchPlan {
  int row_blocks = 0;
};

// An opaque stream: cudaStream_t on a GPU, unused by the emulator.
using Stream = void*;

struct Attributes {
  std::string_view variant;
  float eps = 0.0F;
};

enum class StatusCode { ok, invalid, unsupported, launch_failed };

struct [[nodiscard]] Status {
  StatusCode code = StatusCode::ok;
  std::string message;

  bool ok() const { return code == StatusCode::ok; }
  static Status success() { return {}; }
  static Status invalid(std::string message) { return {StatusCode::invalid, std::move(message)}; }
  static Status unsupported(std::string message) { return {StatusCode::unsupported, std::move(message)}; }
  static Status launch_failed(std::string message) { return {StatusCode::launch_failed, std::move(message)}; }
};

// Spans are in the order in which the op's contract lists its tensors.
struct ForwardCall {
  std::span<const View> inputs;   // read only
  std::span<const View> outputs;  // fully written
  std::span<const View> saved;    // statistics kept for the adjoint, fully written
  Attributes attributes;
  LaunchPlan plan;
  Stream stream = nullptr;
};

struct BackwardCall {
  std::span<const View> inputs;    // read only
  std::span<const View> saved;     // as the forward wrote them
  std::span<const View> upstream;  // one gradient per output
  std::span<const View> grads;     // one per input, fully written; null data: not wanted
  View workspace;                  // `workspace_bytes` bytes, f32-aligned; contents are scratch
  Attributes attributes;
  LaunchPlan plan;
  Stream stream = nullptr;
};

// One op on one machine (emulator plain, emulator checked, GPU). Launches are asynchronous on a GPU. A kernel never
// allocates; whoever calls owns every buffer.
struct KernelTable {
  Status (*forward)(const ForwardCall&) = nullptr;
  Status (*backward)(const BackwardCall&) = nullptr;
  std::size_t (*workspace_bytes)(std::int64_t rows, std::int64_t columns, LaunchPlan) = nullptr;
};

}  // namespace seamgate::kernels
