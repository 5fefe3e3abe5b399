// What a run sets out to do, before it does any of it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gates/gate.hpp"
#include "gates/plugin/facts.hpp"

namespace seamgate::gates {

// A library of somebody else's that a run judges, as a child process has found it.
struct JudgedLibrary {
  std::string path;            // as typed
  std::string implementation;  // plugin:PATH,...
  plugin::Facts facts;
  const OpTraits* op = nullptr;  // as the facts restrict it
};

struct RunOptions {
  std::vector<Backend> required = {Backend::cpu, Backend::cuda};
  Tier tier = Tier::smoke;
  bool tier_given = false;            // on the command line
  std::vector<std::string> ops;       // empty: all
  std::vector<std::string> only;      // gates, `mutants` for the planted faults; empty: all
  std::string out = "out";
  std::vector<std::string> switches;  // NAME=VALUE, set on purpose
  int jobs = 0;                       // 0: as many as there are cores
  double wait_s = 0;                  // for a GPU that is in use
  bool mutants = true;
  bool json = false;
  bool for_ctest = false;             // exit by the one gate alone: 0 PASS, 1 FAIL, 77 NOT RUN
  std::string command;                // as typed
  int call_limit_s = 20;              // of one call of a library
  std::optional<JudgedLibrary> library{};  // instead of what this program was linked with
};

// One gate of the plan on one op and backend.
struct PlannedGate {
  const Gate* gate = nullptr;
  const OpTraits* op = nullptr;
  Backend backend = Backend::cpu;
  std::string inapplicable;  // why it does not apply; empty when it does
  Tier tier = Tier::smoke;
  bool required = true;      // false: it runs so that planted faults can be held against it
  bool elsewhere = false;    // another process of the same run has it
};

// The gate that the report program makes of all planted faults.
inline constexpr const char* mutants_gate = "mutants";

struct RunPlan {
  std::string run_id;
  std::vector<const OpTraits*> ops;
  std::vector<PlannedGate> gates;
  std::vector<MutantInfo> mutants;
  std::string implementation = std::string(shipped_name);  // that gates are run on
  std::string label = std::string(shipped_name);           // as records call it
  Backend faults_on = Backend::cpu;
  std::string library_switch{};  // of the library's own seam; empty where it has none

  bool is_library() const { return implementation != shipped_name; }
};

// Planted faults are judged on the host build, at the tier `control`. Where the CPU's own gates are not asked for, those that
// judge planted faults are planned at that tier beside them, not required: a gate that fails on the sound kernel catches
// nothing. Throws std::invalid_argument for an op or a gate that does not exist.
RunPlan make_plan(const RunOptions& options);

nlohmann::ordered_json plan_json(const RunPlan& plan, const RunOptions& options);

}  // namespace seamgate::gates
