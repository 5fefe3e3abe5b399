// What a child process does: runs gates on one implementation and leaves records.
#pragma once

#include <string>
#include <vector>

#include "gates/gate.hpp"

namespace seamgate::gates {

struct ChildJob {
  std::string run_id;
  std::vector<std::string> gates;
  std::string op;
  Backend backend = Backend::cpu;
  Tier tier = Tier::smoke;
  std::string implementation;
  std::string label;               // as records call it; empty: the same
  std::string records;            // the folder
  std::vector<std::string> cases;  // instead of the gate's own, when given
};

// Runs the job's gates one after another; a gate that throws has failed and the next one runs.
void run_job(const ChildJob& job);

// One case of one gate, with nothing written but to the recorder. False when it could not run, with the reason recorded.
bool run_cases(Context& context, const Gate& gate, const std::vector<Case>& cases);

}  // namespace seamgate::gates
