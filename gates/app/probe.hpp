// One forward and backward through the seam in a process of its own, whose environment a gate has chosen.
#pragma once

#include <string>

#include "gates/backend.hpp"

namespace seamgate::gates {

struct ProbeJob {
  std::string case_text;
  Backend backend = Backend::cpu;
  std::string implementation;
  std::string result_path;
};

// Writes a JSON object: "counters" by name, "declined" by reason, "launches" of the op's kernels, "outputs" and "gradients"
// as hex of their bytes, or "error" with the message of what was thrown; "no_witness" with the
// reason where there is none.
void run_probe(const ProbeJob& job);

}  // namespace seamgate::gates
