// One lock file per GPU.
#include "seam/lease_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace seamgate::seam {
namespace {

constexpr mode_t shared_folder = 01777;  // users of one machine share its GPUs, and none removes another's file
constexpr mode_t shared_file = 0666;

// The numbers are those of the kernel and of the file systems themselves.
constexpr std::array<std::pair<long, const char*>, 13> network_types = {{{0x6969, "NFS"},
                                                                         {0x517B, "SMB"},
                                                                         {0xFE534D42, "SMB2"},
                                                                         {0xFF534D42, "CIFS"},
                                                                         {0x00C36400, "Ceph"},
                                                                         {0x65735546, "FUSE"},
                                                                         {0x5346414F, "AFS"},
                                                                         {0x0BD00BD0, "Lustre"},
                                                                         {0x47504653, "GPFS"},
                                                                         {0x01021997, "9P"},
                                                                         {0x19830326, "BeeGFS"},
                                                                         {0x01161970, "GFS2"},
                                                                         {0x7461636F, "OCFS2"}}};

[[noreturn]] void refuse(const std::string& what, const std::string& why) {
  throw std::runtime_error("the lease " + what + ": " + why + "; SEAMGATE_LEASE_DIR names another folder");
}

void make_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), shared_folder) == 0) {
    (void)::chmod(folder.c_str(), shared_folder);  // whatever the umask
  } else if (errno != EEXIST) {
    refuse("folder '" + folder + "' cannot be made", std::strerror(errno));
  }
  struct statfs system{};
  if (::statfs(folder.c_str(), &system) != 0) refuse("folder '" + folder + "' cannot be looked at", std::strerror(errno));
  if (const auto why = LeaseFile::unreliable(static_cast<long>(system.f_type)); !why.empty()) refuse("folder '" + folder + "' is of no use", why);
}

}  // namespace

std::string LeaseFile::folder() {
  const char* chosen = std::getenv("SEAMGATE_LEASE_DIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : "/run/lock/seamgate";
}

std::string LeaseFile::unreliable(long file_system_type) {
  const auto type = static_cast<unsigned long>(file_system_type) & 0xFFFFFFFFUL;
  for (const auto& [network, name] : network_types) {
    if (static_cast<unsigned long>(network) == type) return std::string("a lock on ") + name + " says nothing of this machine";
  }
  return {};
}

LeaseFile::LeaseFile(const std::string& uuid) {
  const std::string where = folder();
  make_folder(where);
  path_ = where + "/" + uuid + ".lock";
  // First without O_CREAT: the kernel refuses that for another user's file in a folder that all may write.
  constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  file_ = ::open(path_.c_str(), flags);
  if (file_ < 0 && errno == ENOENT) {
    file_ = ::open(path_.c_str(), flags | O_CREAT, shared_file);
    if (file_ >= 0) (void)::fchmod(file_, shared_file);
  }
  if (file_ < 0) refuse("file '" + path_ + "' cannot be opened", std::strerror(errno));
}

LeaseFile::LeaseFile(LeaseFile&& other) noexcept : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

LeaseFile::~LeaseFile() {
  if (file_ >= 0) ::close(file_);
}

bool LeaseFile::try_lock() {
  while (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) refuse("file '" + path_ + "' cannot be locked", std::strerror(errno));
  }
  const std::string text = std::to_string(::getpid()) + "\n";
  if (::ftruncate(file_, 0) != 0 || ::pwrite(file_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    refuse("file '" + path_ + "' cannot be written", std::strerror(errno));
  }
  return true;
}

std::optional<pid_t> LeaseFile::holder() const {
  struct stat status{};
  if (::fstat(file_, &status) != 0) return std::nullopt;
  // "1: FLOCK  ADVISORY  WRITE 1234 fd:01:131 0 EOF"
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advice, access, place;
    long pid = 0;
    if (!(words >> number >> kind >> advice >> access >> pid >> place) || kind != "FLOCK" || pid <= 0) continue;
    const auto inode = place.rfind(':');
    if (inode != std::string::npos && place.substr(inode + 1) == std::to_string(status.st_ino)) return static_cast<pid_t>(pid);
  }
  std::array<char, 32> text{};
  if (::pread(file_, text.data(), text.size() - 1, 0) <= 0) return std::nullopt;
  const long pid = std::strtol(text.data(), nullptr, 10);
  return pid > 0 ? std::optional(static_cast<pid_t>(pid)) : std::nullopt;
}

}  // namespace seamgate::seam
