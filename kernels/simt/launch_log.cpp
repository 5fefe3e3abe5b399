// The launch log: compact records, names stored once.
#include "kernels/simt/launch_log.hpp"

#include <stdexcept>

namespace seamgate::simt {

std::uint64_t LaunchLog::mark() const {
  const std::lock_guard lock(mutex_);
  return last_sequence_;
}

std::size_t LaunchLog::first_after(std::uint64_t mark) const {
  const std::uint64_t dropped = last_sequence_ - records_.size();
  if (mark < dropped) {
    throw std::runtime_error("launch log: asked for records after " + std::to_string(mark) + ", the first " +
                             std::to_string(dropped) + " have been dropped (capacity " +
                             std::to_string(capacity) + ")");
  }
  return mark - dropped;
}

std::vector<LaunchRecord> LaunchLog::since(std::uint64_t mark) const {
  const std::lock_guard lock(mutex_);
  std::vector<LaunchRecord> result;
  const std::uint64_t dropped = last_sequence_ - records_.size();
  for (std::size_t i = first_after(mark); i < records_.size(); ++i) {
    const Compact& r = records_[i];
    result.push_back({dropped + i + 1, *r.kernel, r.grid, r.block, r.smem_bytes, *r.build});
  }
  return result;
}

std::size_t LaunchLog::count_since(std::uint64_t mark, std::string_view substring) const {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (std::size_t i = first_after(mark); i < records_.size(); ++i) {
    if (records_[i].kernel->find(substring) != std::string::npos) ++count;
  }
  return count;
}

void LaunchLog::note(std::string_view name) {
  append(name, {0, 0, 0}, {0, 0, 0}, 0, "");
}

void LaunchLog::append(std::string_view kernel, Extent3 grid, Extent3 block, std::size_t smem_bytes,
                       std::string_view build) {
  const std::lock_guard lock(mutex_);
  records_.push_back({intern(kernel), intern(build), grid, block, smem_bytes});
  ++last_sequence_;
  if (records_.size() > capacity) records_.pop_front();
}

const std::string* LaunchLog::intern(std::string_view name) {
  return &*names_.emplace(name).first;
}

LaunchLog& launch_log() {
  static LaunchLog log;
  return log;
}

}  // namespace seamgate::simt
