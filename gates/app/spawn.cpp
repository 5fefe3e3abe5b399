// Child processes.
#include "gates/app/spawn.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <utility>

extern char** environ;

namespace seamgate::gates {
namespace {

constexpr double grace_s = 3.0;  // between SIGTERM and SIGKILL
constexpr auto poll_interval = std::chrono::milliseconds(5);

std::vector<std::string> merged_environment(const std::map<std::string, std::optional<std::string>>& changes) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) result.push_back(text);
  }
  for (const auto& [name, value] : changes) {
    if (value) result.push_back(name + "=" + *value);
  }
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

std::string ChildResult::describe() const {
  if (timed_out) return "timeout after " + std::to_string(std::lround(seconds)) + " s";
  if (signal != 0) return "signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  return "exit " + std::to_string(exit_code);
}

Child::Child(std::vector<std::string> command, const std::map<std::string, std::optional<std::string>>& environment,
             double timeout_s, const std::string& output_path, bool errors_too)
    : started_(Clock::now()), timeout_s_(timeout_s) {
  auto variables = merged_environment(environment);
  auto argv = pointers(command);
  auto envp = pointers(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!output_path.empty()) {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (errors_too) posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A group of its own: what the child starts ends with it, and a Ctrl-C reaches it through the parent alone.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int error = posix_spawn(&pid_, argv[0], &actions, &attributes, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw std::runtime_error("cannot start '" + command[0] + "': " + ::strerror(error));
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      started_(other.started_),
      timeout_s_(other.timeout_s_),
      terminating_(other.terminating_),
      timed_out_(other.timed_out_),
      terminated_at_(other.terminated_at_) {}

Child::~Child() {
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

std::optional<ChildResult> Child::poll() {
  if (pid_ <= 0) throw std::logic_error("the child has ended, and its result was given already");
  const double elapsed_s = std::chrono::duration<double>(Clock::now() - started_).count();
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) == pid_) {
    ::kill(-pid_, SIGKILL);  // whatever it left running
    ChildResult result;
    result.timed_out = timed_out_;
    result.seconds = elapsed_s;
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    pid_ = -1;
    return result;
  }
  if (!terminating_ && elapsed_s > timeout_s_) {
    timed_out_ = true;
    terminate();
  }
  if (terminating_ && std::chrono::duration<double>(Clock::now() - terminated_at_).count() > grace_s) ::kill(-pid_, SIGKILL);
  return std::nullopt;
}

ChildResult Child::wait() {
  while (true) {
    if (auto result = poll()) return *result;
    std::this_thread::sleep_for(poll_interval);
  }
}

void Child::terminate() {
  if (terminating_ || pid_ <= 0) return;
  terminating_ = true;
  terminated_at_ = Clock::now();
  ::kill(-pid_, SIGTERM);
}

void end_with_parent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

std::string own_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

}  // namespace seamgate::gates
