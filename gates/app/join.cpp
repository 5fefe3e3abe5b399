// Joining a run.
#include "gates/app/join.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "gates/app/provenance.hpp"
#include "gates/app/report_program.hpp"
#include "gates/app/words.hpp"

namespace seamgate::gates {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

[[noreturn]] void refuse_run(const std::string& folder, const std::string& why) {
  throw std::invalid_argument("SEAMGATE_RUN is '" + folder + "': " + why);
}

std::string text_of(const json& object, const char* name) {
  return object.contains(name) && object[name].is_string() ? object[name].get<std::string>() : "";
}

// The plan's entry for a gate; null where there is none.
const json* find_entry(const json& plan, const PlannedGate& planned) {
  for (const auto& entry : plan["gates"]) {
    if (text_of(entry, "id") == planned.gate->id && text_of(entry, "op") == planned.op->name &&
        text_of(entry, "backend") == to_string(planned.backend)) {
      return &entry;
    }
  }
  return nullptr;
}

bool is_mutants_alone(const RunPlan& plan) {
  return std::none_of(plan.gates.begin(), plan.gates.end(), [](const auto& planned) { return planned.required; });
}

}  // namespace

void JoinedRun::refuse(const std::string& why) const { refuse_run(folder_, why); }

std::optional<JoinedRun> JoinedRun::from_environment(RunOptions& options) {
  const char* named = std::getenv("SEAMGATE_RUN");
  if (named == nullptr || *named == '\0') return std::nullopt;
  const std::string folder = named;
  if (!options.for_ctest) refuse_run(folder, "a run is joined by one gate; allowed: run --gate GATE --ctest");
  json plan = json::parse(std::ifstream(fs::path(folder) / "plan.json"), nullptr, false);
  if (!plan.is_object() || text_of(plan, "run_id").empty() || !plan.contains("gates") || !plan.contains("provenance")) {
    refuse_run(folder, "no plan.json there that can be read; seamgate plan --out DIR writes one");
  }
  // A decided run may hold other programs' evidence by now; who joins it would change what its report has said.
  if (fs::exists(fs::path(folder) / "summary.json")) refuse_run(folder, "it was decided already; seamgate plan makes a new run");
  const json own = provenance_of_program();
  for (const char* fact : {"source_sha256", "binary_sha256"}) {
    const std::string theirs = text_of(plan["provenance"], fact);
    if (theirs.empty() || theirs != text_of(own, fact)) {
      refuse_run(folder, "it was planned by another program: " + std::string(fact) + " '" + theirs + "', here '" + text_of(own, fact) + "'");
    }
  }
  const Tier tier = parse_tier(text_of(plan, "tier"));
  if (options.tier_given && options.tier != tier) {
    refuse_run(folder, "its tier is " + std::string(to_string(tier)) + ", and --tier is " + std::string(to_string(options.tier)));
  }
  if (!options.switches.empty()) refuse_run(folder, "--switch is said when a run is planned, not when it is joined");
  options.tier = tier;
  options.out = folder;
  options.switches = plan.value("switches", std::vector<std::string>{});
  return JoinedRun(folder, std::move(plan));
}

void JoinedRun::claim(const std::string& name) const {
  const fs::path path = fs::path(folder_) / claims / name;
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  const int file = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
  if (file >= 0) {
    ::close(file);
    return;
  }
  if (errno == EEXIST) refuse(name + " has joined it already; a gate is judged once in a run (seamgate plan makes a new one)");
  refuse("cannot write '" + path.string() + "' (" + std::strerror(errno) + "); allowed: a folder that can be written");
}

void JoinedRun::take_part(RunPlan& plan) const {
  plan.run_id = text_of(plan_, "run_id");
  const bool mutants_alone = is_mutants_alone(plan);
  std::vector<std::string> names;
  for (auto& planned : plan.gates) {
    const std::string name = planned.gate->id + "-" + planned.op->name + "-" + std::string(to_string(planned.backend));
    const json* entry = find_entry(plan_, planned);
    if (entry == nullptr) refuse("gate " + name + " is not in its plan");
    planned.tier = parse_tier(text_of(*entry, "tier"));
    planned.required = entry->value("required", false);
    if (!entry->value("applies", false)) planned.inapplicable = text_of(*entry, "reason");
    // Beside the planted faults run only the gates that nobody else runs.
    planned.elsewhere = mutants_alone && planned.required;
    if (!planned.elsewhere && planned.inapplicable.empty()) names.push_back(name);
  }
  for (const auto& mutant : plan.mutants) {
    const auto& theirs = plan_["mutants"];
    const bool known = std::any_of(theirs.begin(), theirs.end(), [&](const auto& entry) { return text_of(entry, "id") == mutant.id; });
    if (!known) refuse("the planted fault " + mutant.id + " is not in its plan");
  }
  if (mutants_alone && !plan.mutants.empty()) {
    for (const auto* op : plan.ops) names.push_back(std::string(mutants_gate) + "-" + op->name);
  }
  for (const auto& name : names) claim(name);
}

int JoinedRun::judge(const RunOptions& options, const RunPlan& plan) const {
  std::vector<std::string> command = {"judge", folder_, "--gate", options.only.front()};
  for (const auto* op : plan.ops) command.insert(command.end(), {"--op", op->name});
  for (const Backend backend : options.required) command.insert(command.end(), {"--backend", std::string(to_string(backend))});
  return run_report_program(command);
}

}  // namespace seamgate::gates
