// Child processes: started by posix_spawn, watched, and ended when they take too long.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace seamgate::gates {

struct ChildResult {
  int exit_code = -1;         // when it exited by itself
  int signal = 0;             // when a signal ended it
  bool timed_out = false;
  double seconds = 0.0;

  std::string describe() const;  // "exit 3", "signal 11 (Segmentation fault)", "timeout after 60 s"
};

class Child {
 public:
  // `environment` adds to or replaces what this process has; an empty optional takes the variable away. Standard output goes
  // to `output_path` when it is given, and standard error with `errors_too`. Throws std::runtime_error when the process cannot be started.
  Child(std::vector<std::string> command, const std::map<std::string, std::optional<std::string>>& environment,
        double timeout_s, const std::string& output_path = {}, bool errors_too = false);
  // One that has not ended is killed.
  ~Child();
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;

  // The result once it has ended; ends it first (SIGTERM, then SIGKILL) when its time is up. Given once: asking again throws
  // std::logic_error.
  std::optional<ChildResult> poll();
  ChildResult wait();
  void terminate();

 private:
  using Clock = std::chrono::steady_clock;

  pid_t pid_ = -1;  // -1 when there is nothing to wait for
  Clock::time_point started_;
  double timeout_s_;
  bool terminating_ = false;
  bool timed_out_ = false;
  Clock::time_point terminated_at_;
};

// Ends this process when the one that started it is gone, however that ended. For the first line of a child's work.
void end_with_parent();

// The path of this program's own file.
std::string own_program();

}  // namespace seamgate::gates
