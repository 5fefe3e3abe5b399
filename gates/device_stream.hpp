// Streams, graphs and devices of a GPU, as far as gates need them; without the toolkit's headers. In a build
// without CUDA all of it throws std::logic_error but device_count, which is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "kernels/common/kernel_api.hpp"

namespace seamgate::gates::device {

// Visible GPUs; 0 without a driver. Creates no context.
int device_count();
int current_device();
void use_device(int index);
// Where an address is, as the driver has it; -1: not in a GPU's memory.
int device_of(const void* address);

// A stream of the current device that does not wait for the legacy default stream, nor that one for it.
class Stream {
 public:
  Stream();
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  kernels::Stream handle() const { return handle_; }
  bool is_non_blocking() const;  // as the driver has it
  bool is_busy() const;          // work is left
  void wait() const;

 private:
  kernels::Stream handle_ = nullptr;
};

// A kernel that spins for `nanoseconds` of the GPU's global timer, one thread.
void keep_busy(kernels::Stream stream, std::int64_t nanoseconds);
bool is_busy(kernels::Stream stream);

// Rows from device memory to device memory, asynchronously.
void copy_rows(kernels::Stream stream, void* to, std::size_t to_pitch, const void* from,
               std::size_t from_pitch, std::size_t row_bytes, std::size_t rows);

// What `enqueue` puts on a stream, captured in the global mode, in which the driver refuses whatever would
// allocate, free or synchronise, from any thread of the process.
class Graph {
 public:
  struct Nodes {
    int kernels = 0;
    int copies = 0;       // memcpy and memset
    int allocations = 0;  // of memory, and its release
    int others = 0;
    std::string str() const {
      return std::to_string(kernels) + " kernels, " + std::to_string(copies) + " copies, " +
             std::to_string(allocations) + " allocations, " + std::to_string(others) + " others";
    }
  };

  // `error` tells when the capture or the instantiation failed, in the driver's words; an exception of
  // `enqueue` ends the capture and is thrown on.
  Graph(const Stream& stream, const std::function<void()>& enqueue);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  const std::string& error() const { return error_; }
  const Nodes& nodes() const { return nodes_; }
  void replay(const Stream& stream) const;  // does not wait

 private:
  void* graph_ = nullptr;
  void* executable_ = nullptr;
  Nodes nodes_;
  std::string error_;
};

// What the driver says to an allocation during a capture in the global mode: its error's name, or "allowed".
std::string allocate_in_capture(const Stream& stream);

}  // namespace seamgate::gates::device
