// The witness on the CPU: what the emulator ran, below the seam and independent of its counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace seamgate::simt {

struct Extent3 {
  unsigned x = 1, y = 1, z = 1;
  bool operator==(const Extent3&) const = default;
};

// One successful launch of the emulator, or one note of a plain C++ primitive (grid and block are then 0).
struct LaunchRecord {
  std::uint64_t sequence = 0;  // from 1, without holes
  std::string kernel;          // "rmsnorm::forward_kernel<float>", "primitive.mul"
  Extent3 grid;
  Extent3 block;
  std::size_t smem_bytes = 0;
  std::string build;  // SIMT_BUILD of the kernel: plain, checked, a mutant's name; "" for a note
};

// Thread safe. Keeps the last `capacity` records.
class LaunchLog {
 public:
  static constexpr std::size_t capacity = 1U << 18;

  // A point in time: records after it are "since" it.
  std::uint64_t mark() const;

  // Records after the mark, oldest first. Throws std::runtime_error when some of them have been dropped: a
  // witness that forgot must not say "none".
  std::vector<LaunchRecord> since(std::uint64_t mark) const;

  // How many records after the mark have `substring` in their kernel's name. Throws as since() does.
  std::size_t count_since(std::uint64_t mark, std::string_view substring) const;

  // For work that is not a launch: a primitive tensor operation in plain C++.
  void note(std::string_view name);

  // For the emulator.
  void append(std::string_view kernel, Extent3 grid, Extent3 block, std::size_t smem_bytes,
              std::string_view build);

 private:
  struct Compact {
    const std::string* kernel;
    const std::string* build;
    Extent3 grid;
    Extent3 block;
    std::size_t smem_bytes;
  };
  const std::string* intern(std::string_view name);
  std::size_t first_after(std::uint64_t mark) const;  // index into records_; mutex held

  mutable std::mutex mutex_;
  std::unordered_set<std::string> names_;
  std::deque<Compact> records_;
  std::uint64_t last_sequence_ = 0;
};

LaunchLog& launch_log();

}  // namespace seamgate::simt
