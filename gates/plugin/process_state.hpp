// What of this process a foreign function may not change: taken before a call, compared and put back after
// it.
#pragma once

#include <fenv.h>
#include <signal.h>

#include <array>
#include <string>
#include <vector>

namespace seamgate::gates::plugin {

// Environment, rounding mode, treatment of subnormals, floating-point traps, signal handlers and mask,
// working directory, locale and file mode mask, as they are when it is made.
class ProcessState {
 public:
  ProcessState();

  // What is not as it was, in words ("the rounding mode was changed from to nearest to upward"), all of it
  // put back.
  std::vector<std::string> restore() const;

 private:
  static constexpr int signals = 32;

  std::vector<std::string> environment_;
  int rounding_;
  int traps_;
  unsigned long subnormals_;
  std::array<struct sigaction, signals> handlers_{};
  sigset_t mask_{};
  std::string folder_;
  std::string locale_;
  mode_t file_mask_;
};

// Disturbances since the last taking, each kind once: "forward: the rounding mode was changed ...".
void note_disturbances(const std::string& call, const std::vector<std::string>& what);
std::vector<std::string> take_disturbances();

}  // namespace seamgate::gates::plugin
