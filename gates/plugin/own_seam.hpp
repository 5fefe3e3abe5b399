// The seam that a library brings, asked as a model would ask it.
#pragma once

#include <memory>

#include "gates/kernel_run.hpp"
#include "gates/plugin/bridge.hpp"
#include "gates/plugin/facts.hpp"

namespace seamgate::gates::plugin {

// One module forward on guarded buffers, and its backward. One at a time in a process. Throws
// std::logic_error when the library in force has no seam.
class SeamRun {
 public:
  SeamRun(const OpTraits& op, Backend backend, const Case& c, HostCase host);
  ~SeamRun();  // releases what the seam has kept
  SeamRun(const SeamRun&) = delete;
  SeamRun& operator=(const SeamRun&) = delete;

  Said ask(bool wants_gradient);
  Said backward(const std::vector<bool>& wanted);
  bool kept_a_context() const;
  // Buffers, results and guards; its forward() and backward() are the calls above.
  KernelRun& kernel() { return *kernel_; }

 private:
  std::unique_ptr<Implementation> implementation_;
  std::unique_ptr<KernelRun> kernel_;
};

// The seam's own counters, watched as every call is.
seamgate_counters read_counters();
void reset_counters();
std::string text_of(const seamgate_counters& counters);     // "(asked,declined,served,failed)"
std::string broken_law(const seamgate_counters& counters);  // empty when asked == declined + served + failed

}  // namespace seamgate::gates::plugin
