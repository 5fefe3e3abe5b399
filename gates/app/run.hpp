// A run: plan, gates in child processes, records, and the report program's verdict.
#pragma once

#include <string>
#include <vector>

#include "gates/app/plan.hpp"

namespace seamgate::gates {

// Plans a run and prepares its folder, so that each of its gates can be run in a process of its own (gates/app/join.hpp).
// Returns 0.
int plan_only(const RunOptions& options);

// The whole run; where SEAMGATE_RUN is set, a part of the run that it names. Returns the exit code: 0 PASS, 1 FAIL, 3 PENDING, 70 broken. Throws std::invalid_argument for bad input, before anything is
// written.
int run(const RunOptions& options);

}  // namespace seamgate::gates
