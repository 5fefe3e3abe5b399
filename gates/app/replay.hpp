// One case again, on the same bits, from the line that a failure printed.
#pragma once

#include <string>

namespace seamgate::gates {

struct ReplayOptions {
  std::string case_text;
  std::string gate;            // empty: truth
  std::string backend = "cpu";
  std::string implementation;  // empty: the shipped one
};

// Prints what the gate says of the case. Returns 0 when it passes, 1 when it fails, 3 when it cannot run here.
int replay(const ReplayOptions& options);

}  // namespace seamgate::gates
