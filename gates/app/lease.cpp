// The program and the lease.
#include "gates/app/lease.hpp"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "gates/device_memory.hpp"
#include "gates/no_gpu.hpp"

namespace seamgate::gates {
namespace {

constexpr int not_run = 3;
constexpr int not_run_for_ctest = 77;

volatile sig_atomic_t child_of_lease = 0;

void hand_on(int number) {
  if (child_of_lease > 0) ::kill(static_cast<pid_t>(child_of_lease), number);
}

void tell_children(const std::string& uuids, bool restrict_to_them) {
  ::setenv(seam::lease_variable, uuids.c_str(), 1);
  // Indices are NVML's: PCI order.
  ::setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
  if (restrict_to_them) ::setenv("CUDA_VISIBLE_DEVICES", uuids.c_str(), 1);
}

// Whether CUDA_VISIBLE_DEVICES names nothing but GPUs that are held for this process.
bool sees_only(const std::vector<std::string>& held) {
  const char* variable = std::getenv("CUDA_VISIBLE_DEVICES");
  if (held.empty() || variable == nullptr || *variable == '\0') return false;
  std::string rest = variable;
  while (!rest.empty()) {
    const auto end = std::min(rest.find(','), rest.size());
    if (std::find(held.begin(), held.end(), rest.substr(0, end)) == held.end()) return false;
    rest.erase(0, end + 1);
  }
  return true;
}

seam::GpuLease take(bool all_visible, double wait_s, const std::function<bool()>& stop) {
  try {
    const seam::Nvml nvml;
    auto uuids = seam::visible_gpus(nvml);
    if (!all_visible) uuids.resize(1);
    return seam::GpuLease::take({uuids, wait_s, stop}, nvml);
  } catch (const seam::NoGpu&) {
    throw;
  } catch (const seam::NvmlError& error) {
    throw seam::LeaseRefused("the GPU is not proven free: " + std::string(error.what()));
  }
}

}  // namespace

Leased lease_gpus([[maybe_unused]] bool all_visible, [[maybe_unused]] double wait_s, [[maybe_unused]] const std::function<bool()>& stop) {
  Leased leased;
#ifdef SEAMGATE_HAS_CUDA
  if (sees_only(seam::held_by_ancestors())) return leased;
  try {
    leased.lease = take(all_visible, wait_s, stop);
    tell_children(leased.lease->held(), true);
  } catch (const std::runtime_error& refused) {
    leased.refused = refused.what();
  }
#endif
  return leased;
}

void hold_gpu(const std::string& ready_path) {
  if (const auto why = why_no_gpu(); !why.empty()) throw std::runtime_error(why);
  device::synchronise(Backend::cuda);
  std::ofstream(ready_path + ".part") << ::getpid() << '\n';
  std::filesystem::rename(ready_path + ".part", ready_path);
  while (true) ::pause();
}

int lease_command(const LeaseOptions& options) {
  std::optional<seam::GpuLease> lease;
  try {
    lease = take(true, options.wait_s, {});
  } catch (const std::runtime_error& refused) {
    std::fprintf(stderr, "seamgate: %s\n", refused.what());
    return options.for_ctest ? not_run_for_ctest : not_run;
  }
  tell_children(lease->held(), false);
  std::vector<char*> argv;
  for (const auto& word : options.command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error(std::string("lease: cannot fork: ") + ::strerror(errno));
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(127);  // it was gone before the line above
    ::execvp(argv[0], argv.data());
    std::fprintf(stderr, "seamgate: lease: cannot start '%s': %s\n", argv[0], ::strerror(errno));
    ::_exit(127);
  }
  child_of_lease = child;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, hand_on);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace seamgate::gates
