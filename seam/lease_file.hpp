// One lock file per GPU: flock, close-on-exec, never unlinked, on a local file system. The kernel frees the lock when its holder is
// gone, however that ended.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace seamgate::seam {

class LeaseFile {
 public:
  // $SEAMGATE_LEASE_DIR, else /run/lock/seamgate.
  static std::string folder();
  // Why locks of a file system of this type (statfs) are not to be relied on; empty where they are.
  static std::string unreliable(long file_system_type);

  // Opens or makes the file of a GPU. Throws std::runtime_error: the folder cannot be made or written, or is on a network.
  explicit LeaseFile(const std::string& uuid);
  ~LeaseFile();
  LeaseFile(LeaseFile&& other) noexcept;
  LeaseFile(const LeaseFile&) = delete;
  LeaseFile& operator=(const LeaseFile&) = delete;
  LeaseFile& operator=(LeaseFile&&) = delete;

  // Takes the lock and writes this process's id into the file; false when somebody has it. Does not wait.
  bool try_lock();
  // Who has the lock, as the kernel lists it, else as the file says; nothing where nobody is named.
  std::optional<pid_t> holder() const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace seamgate::seam
