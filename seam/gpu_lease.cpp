// The lease of a GPU.
#include "seam/gpu_lease.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace seamgate::seam {
namespace {

constexpr auto pause = std::chrono::milliseconds(100);  // between two looks at a busy GPU

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t from = 0; from <= text.size();) {
    const auto end = std::min(text.find(',', from), text.size());
    if (end > from) words.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return words;
}

std::string name_of(pid_t pid) {
  std::string name;
  std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/comm"), name);
  return name.empty() ? "not visible here" : name;
}

pid_t parent_of(pid_t pid) {
  std::string line;
  std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/stat"), line);
  const auto name_end = line.rfind(')');  // a name may hold anything
  if (name_end == std::string::npos || name_end + 4 >= line.size()) return 0;
  return static_cast<pid_t>(std::strtol(line.c_str() + name_end + 4, nullptr, 10));
}

// Whether `pid` is `ancestor` or comes from it.
bool is_of(pid_t pid, pid_t ancestor) {
  for (int depth = 0; pid > 0 && depth < 1000; ++depth, pid = parent_of(pid)) {
    if (pid == ancestor) return true;
  }
  return false;
}

std::string described(pid_t pid) { return "pid " + std::to_string(pid) + " (" + name_of(pid) + ")"; }

std::string in_mib(std::uint64_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; }

// The variable alone proves nothing: the lock must be taken, and by one from whom this process comes.
bool is_held_by_ancestor(const std::string& uuid, const LeaseFile& file) {
  const char* said = std::getenv(lease_variable);
  if (said == nullptr) return false;
  const auto uuids = split(said);
  if (std::find(uuids.begin(), uuids.end(), uuid) == uuids.end()) return false;
  const auto holder = file.holder();
  return holder && *holder != ::getpid() && is_of(::getpid(), *holder);
}

}  // namespace

std::vector<std::string> held_by_ancestors() {
  std::vector<std::string> held;
  const char* said = std::getenv(lease_variable);
  if (said == nullptr) return held;
  for (const auto& uuid : split(said)) {
    try {
      LeaseFile file(uuid);
      if (!file.try_lock() && is_held_by_ancestor(uuid, file)) held.push_back(uuid);
    } catch (const std::runtime_error&) {
      continue;  // a file that cannot be opened proves nothing
    }
  }
  return held;
}

std::string shortened(const std::string& uuid) { return uuid.substr(0, 12); }

std::string why_busy(const std::string& uuid, const Nvml& nvml) {
  const std::uint64_t used = nvml.used_bytes(uuid);
  std::uint64_t ours = 0;
  std::string foreign;
  for (const auto& process : nvml.processes(uuid)) {
    const auto pid = static_cast<pid_t>(process.pid);
    if (pid > 0 && is_of(pid, ::getpid())) {
      ours += process.bytes;
      continue;
    }
    foreign += (foreign.empty() ? "" : ", ") + described(pid) + " with " + (process.bytes_known ? in_mib(process.bytes) : in_mib(used) + " in use");
  }
  const std::string where = " on " + shortened(uuid);
  if (!foreign.empty()) return foreign + where;
  const std::uint64_t theirs = used > ours ? used - ours : 0;
  if (theirs > idle_slack_bytes) return in_mib(theirs) + " in use by processes that NVML does not name" + where;
  return {};
}

GpuLease GpuLease::take(const LeaseRequest& request, const Nvml& nvml) {
  auto uuids = request.uuids;
  std::sort(uuids.begin(), uuids.end());
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(request.wait_s);
  while (true) {
    GpuLease lease;
    for (const auto& uuid : request.uuids) lease.held_ += (lease.held_.empty() ? "" : ",") + uuid;
    std::string busy;
    try {
      for (const auto& uuid : uuids) {
        LeaseFile file(uuid);
        if (file.try_lock()) {
          busy = why_busy(uuid, nvml);
          lease.files_.push_back(std::move(file));
        } else if (!is_held_by_ancestor(uuid, file)) {
          const auto holder = file.holder();
          busy = (holder ? described(*holder) : "somebody") + " holds the lease of " + shortened(uuid);
        }
        if (!busy.empty()) break;
      }
    } catch (const LeaseRefused&) {
      throw;
    } catch (const std::runtime_error& error) {
      throw LeaseRefused("the GPU is not proven free: " + std::string(error.what()));
    }
    if (busy.empty()) return lease;
    if (std::chrono::steady_clock::now() >= end || (request.stop && request.stop())) {
      const auto waited = request.wait_s > 0 ? " (waited " + std::to_string(static_cast<long>(request.wait_s)) + " s)" : "";
      throw LeaseRefused("busy: " + busy + waited);
    }
    // Between two looks the lock is free, so that who has waited longer may come first.
    lease.files_.clear();
    std::this_thread::sleep_for(pause);
  }
}

std::vector<std::string> visible_gpus(const Nvml& nvml) {
  const auto all = nvml.uuids();
  const char* variable = std::getenv("CUDA_VISIBLE_DEVICES");
  std::vector<std::string> visible;
  if (variable == nullptr) {
    visible = all;
  } else {
    for (const auto& word : split(variable)) {
      const bool number = word.find_first_not_of("0123456789") == std::string::npos;
      if (number) {
        const auto index = std::strtoul(word.c_str(), nullptr, 10);
        if (index >= all.size()) break;  // as the driver does: what follows is not visible either
        visible.push_back(all[index]);
      } else if (word.starts_with("MIG-")) {
        visible.push_back(word);
      } else {
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& uuid) { return uuid.starts_with(word); });
        if (found == all.end()) break;
        visible.push_back(*found);
      }
    }
  }
  if (visible.empty()) {
    throw NoGpu(variable == nullptr ? std::string("no GPU: NVML knows none")
                                    : "no GPU: CUDA_VISIBLE_DEVICES is '" + std::string(variable) + "', and this machine has " + std::to_string(all.size()));
  }
  return visible;
}

}  // namespace seamgate::seam
