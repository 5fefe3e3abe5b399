// Memory that tensors share: a backend's own, or somebody else's with a release action.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "tensor/device.hpp"

namespace seamgate {

// A shared handle; the memory is released when the last handle goes. Copying a handle copies no bytes.
class Storage {
 public:
  Storage() = default;
  // Wraps `bytes` bytes at `data` on `device`. `release` runs once, when the last handle goes; it may be
  // empty for memory that outlives every tensor over it. The memory is not entered into the emulator's
  // registry of buffers: its owner knows which part of it a kernel may touch.
  Storage(void* data, std::size_t bytes, Device device, std::function<void()> release = {});

  std::byte* data() const { return block_ ? block_->data : nullptr; }
  std::size_t bytes() const { return block_ ? block_->bytes : 0; }
  Device device() const { return block_ ? block_->device : Device{}; }
  bool same_as(const Storage& other) const { return block_ == other.block_; }

 private:
  struct Block {
    std::byte* data;
    std::size_t bytes;
    Device device;
    std::function<void()> release;
    Block(std::byte* data, std::size_t bytes, Device device, std::function<void()> release)
        : data(data), bytes(bytes), device(device), release(std::move(release)) {}
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    ~Block() {
      if (release) release();
    }
  };
  std::shared_ptr<Block> block_;
};

inline Storage::Storage(void* data, std::size_t bytes, Device device, std::function<void()> release)
    : block_(std::make_shared<Block>(static_cast<std::byte*>(data), bytes, device, std::move(release))) {}

}  // namespace seamgate
