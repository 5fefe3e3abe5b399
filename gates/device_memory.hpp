// Device memory that tells when it is misused: guard zones on both sides, and NaN wherever nothing was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gates/backend.hpp"
#include "kernels/common/kernel_api.hpp"
#include "kernels/simt/buffers.hpp"

namespace seamgate::gates {

// `rows` stretches of `row_bytes` bytes, `pitch_bytes` apart, the first one `offset_bytes` after a 256-byte boundary. Every
// other byte is guard. All bytes start as 0xff, which reads as NaN in every dtype.
struct Footprint {
  std::int64_t rows = 1;
  std::int64_t row_bytes = 0;
  std::int64_t pitch_bytes = 0;
  std::int64_t offset_bytes = 0;
};

class DeviceMemory {
 public:
  // `contents` is for the checked emulator: reading an unwritten byte of what a kernel is to write is a finding.
  DeviceMemory(Backend backend, Footprint footprint, std::string name, simt::Contents contents = simt::Contents::written);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  void* data() const;  // the first row
  const std::string& name() const { return name_; }
  const Footprint& footprint() const { return footprint_; }

  // Host bytes in logical order, rows joined: footprint().rows * row_bytes of them.
  void write(const std::vector<std::byte>& packed);
  std::vector<std::byte> read() const;
  void fill(std::byte value);  // the rows, not the guards
  // The rows of `other`, which has as many of the same length, in stream order. On a GPU alone.
  void copy_rows_from(const DeviceMemory& other, kernels::Stream stream);

  // Where a guard byte was changed: "12 bytes after row 3"; empty when all are as they were.
  std::string broken_guard() const;

 private:
  std::vector<std::byte> whole() const;
  std::size_t row_start(std::int64_t row) const;

  Backend backend_;
  Footprint footprint_;
  std::string name_;
  std::byte* base_ = nullptr;  // on the device
  std::size_t first_ = 0;      // bytes from base_ to the first row
  std::size_t total_ = 0;
};

// Raw bytes between host and device; the whole of a backend that gates need beside the kernels. `synchronise` waits for all
// work and throws std::runtime_error with the device's own words when something went wrong on it.
namespace device {
std::byte* allocate(Backend backend, std::size_t bytes);
void release(Backend backend, std::byte* data);
void upload(Backend backend, std::byte* to, const std::byte* from, std::size_t bytes);
void download(Backend backend, std::byte* to, const std::byte* from, std::size_t bytes);
// Rows that lie joined on the host and `pitch` bytes apart on the device.
void upload_rows(Backend backend, std::byte* to, std::size_t pitch, const std::byte* from, std::size_t row_bytes, std::size_t rows);
void download_rows(Backend backend, std::byte* to, const std::byte* from, std::size_t pitch, std::size_t row_bytes, std::size_t rows);
void synchronise(Backend backend);
// Makes this process sleep while it waits for the GPU, where several share the cores. Before the first context; where it comes too
// late it changes nothing.
void wait_without_spinning();
void fill(Backend backend, std::byte* to, std::byte value, std::size_t bytes);
// Of the current device; of the CPU nothing is known: 0.
struct MemoryInfo {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
};
MemoryInfo memory_info(Backend backend);
}  // namespace device

}  // namespace seamgate::gates
