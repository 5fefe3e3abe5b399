// What a run sets out to do, before it does any of it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "gates/gate.hpp"

namespace seamgate::gates {

struct RunOptions {
  std::vector<Backend> required = {Backend::cpu, Backend::cuda};
  Tier tier = Tier::smoke;
  std::vector<std::string> ops;       // empty: all
  std::vector<std::string> only;      // gates; empty: all
  std::string out = "out";
  std::vector<std::string> switches;  // NAME=VALUE, set on purpose
  int jobs = 0;                       // 0: as many as there are cores
  bool mutants = true;
  bool json = false;
  bool for_ctest = false;             // exit by the one gate alone: 0 PASS, 1 FAIL, 77 NOT RUN
  std::string command;                // as typed
};

// One gate of the plan on one op and backend.
struct PlannedGate {
  const Gate* gate = nullptr;
  const OpTraits* op = nullptr;
  Backend backend = Backend::cpu;
  std::string inapplicable;  // why it does not apply; empty when it does
};

struct RunPlan {
  std::string run_id;
  std::vector<const OpTraits*> ops;
  std::vector<PlannedGate> gates;
  std::vector<MutantInfo> mutants;
};

// Throws std::invalid_argument for an op or a gate that does not exist.
RunPlan make_plan(const RunOptions& options);

nlohmann::ordered_json plan_json(const RunPlan& plan, const RunOptions& options);

}  // namespace seamgate::gates
