// The emulator's device memory: which ranges a kernel may touch, and their names for messages. Whoever
// allocates registers; a checked access outside every range is a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace seamgate::simt {

// unwritten: a checked kernel that reads a byte which no checked kernel has written since add() is a finding.
enum class Contents { written, unwritten };

struct Buffer {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::string name;
  Contents contents = Contents::written;
  std::uint64_t id = 0;  // never used twice, so that reused addresses are told apart
};

// Thread safe.
class BufferRegistry {
 public:
  // Registers [ptr, ptr + bytes) exactly; 0 bytes register nothing. Throws std::invalid_argument when the
  // range overlaps a registered one.
  void add(const void* ptr, std::size_t bytes, std::string name, Contents contents = Contents::written);

  // Forgets the range that starts at ptr; an unknown or null ptr is ignored.
  void remove(const void* ptr);

  std::size_t size() const;

  // Sorted by address.
  std::vector<Buffer> snapshot() const;

  // Moves with every add and remove.
  std::uint64_t generation() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, Buffer> ranges_;
  std::uint64_t generation_ = 0;
};

BufferRegistry& buffers();

// Registers for the lifetime of the object.
class BufferScope {
 public:
  BufferScope(const void* ptr, std::size_t bytes, std::string name, Contents contents = Contents::written)
      : ptr_(ptr) {
    buffers().add(ptr, bytes, std::move(name), contents);
  }
  ~BufferScope() { buffers().remove(ptr_); }
  BufferScope(const BufferScope&) = delete;
  BufferScope& operator=(const BufferScope&) = delete;

 private:
  const void* ptr_;
};

}  // namespace seamgate::simt
