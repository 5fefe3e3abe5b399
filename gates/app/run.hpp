// A run: plan, gates in child processes, records, and the report program's verdict.
#pragma once

#include <string>
#include <vector>

#include "gates/app/plan.hpp"

namespace seamgate::gates {

// Returns the exit code: 0 PASS, 1 FAIL, 3 PENDING, 70 broken. Throws std::invalid_argument for bad input, before anything is
// written.
int run(const RunOptions& options);

}  // namespace seamgate::gates
