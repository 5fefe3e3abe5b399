// The registry of emulated device memory.
#include "kernels/simt/buffers.hpp"

#include <stdexcept>
#include <utility>

namespace seamgate::simt {

void BufferRegistry::add(const void* ptr, std::size_t bytes, std::string name, Contents contents) {
  if (bytes == 0) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(ptr);
  const std::lock_guard lock(mutex_);
  const auto refuse = [&](const Buffer& other) {
    throw std::invalid_argument("simt::buffers: '" + name + "' of " + std::to_string(bytes) +
                                " bytes overlaps '" + other.name + "' of " + std::to_string(other.bytes) +
                                " bytes");
  };
  const auto next = ranges_.lower_bound(begin);
  if (next != ranges_.end() && next->first < begin + bytes) refuse(next->second);
  if (next != ranges_.begin()) {
    const Buffer& before = std::prev(next)->second;
    if (before.begin + before.bytes > begin) refuse(before);
  }
  ++generation_;
  ranges_.emplace(begin, Buffer{begin, bytes, std::move(name), contents, generation_});
}

void BufferRegistry::remove(const void* ptr) {
  const std::lock_guard lock(mutex_);
  generation_ += ranges_.erase(reinterpret_cast<std::uintptr_t>(ptr));
}

std::size_t BufferRegistry::size() const {
  const std::lock_guard lock(mutex_);
  return ranges_.size();
}

std::vector<Buffer> BufferRegistry::snapshot() const {
  const std::lock_guard lock(mutex_);
  std::vector<Buffer> result;
  result.reserve(ranges_.size());
  for (const auto& [begin, buffer] : ranges_) result.push_back(buffer);
  return result;
}

std::uint64_t BufferRegistry::generation() const {
  const std::lock_guard lock(mutex_);
  return generation_;
}

BufferRegistry& buffers() {
  static BufferRegistry registry;
  return registry;
}

}  // namespace seamgate::simt
