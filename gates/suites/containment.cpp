// Gate `containment`: a kernel that crashes, cannot start or never ends fails the gate that meets it and says in which case. The
// next gate runs, in a fresh context, and passes.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "gates/app/crash_note.hpp"
#include "gates/app/report_program.hpp"
#include "gates/app/spawn.hpp"
#include "gates/faults/faults.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* judge = "truth";      // the gate that the children run
constexpr const char* run_id = "containment";
constexpr double patience_s = 60;           // of a child that ends by itself

// Of one that does not; a GPU's context is made in much less.
double endless_patience_s(Backend backend) { return backend == Backend::cuda ? 12 : 3; }

struct Met {
  ChildResult ended;
  std::string verdict;         // PASS, FAIL, NOT RUN, or the report program's exit code
  std::string case_text;       // the first case that a failed assertion or the crash names
  std::string said;            // what its record says of it
};

// The plan of a run of the one gate, as the report program wants it.
json plan_of(Context& context, std::size_t cases) {
  const json gate = {{"id", judge},     {"title", judge}, {"question", "right"}, {"rows", json::array()},   {"op", context.op().name},
                     {"backend", to_string(context.backend())}, {"applies", true},  {"reason", ""},          {"required", true},
                     {"planned_cases", cases}};
  return {{"schema", 1}, {"run_id", run_id}, {"command", "seamgate gate"}, {"tier", "control"}, {"required_backends", {to_string(context.backend())}},
          {"ops", {context.op().name}}, {"gates", {gate}}, {"mutants", json::array()}, {"rows", json::array()},
          {"provenance", {{"gpu_uuid", "GPU-of-this-run"}}}};
}

void read_record(const std::string& path, Met& met) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const json record = json::parse(line, nullptr, false);
    if (record.is_discarded() || !record.is_object()) continue;
    const std::string kind = record.value("kind", "");
    if (kind == "crash") {
      met.said = record.value("reason", "");
      if (const auto at = met.said.find(" in case "); at != std::string::npos) met.case_text = met.said.substr(at + 9);
    } else if (!record.value("passed", true) && met.said.empty()) {
      met.said = record.value("name", "") + ": " + record.value("got", "");
      met.case_text = record.value("case", "");
    }
  }
}

// The report program knows the shipped implementation alone, so the record is shown to it as that one's.
std::string verdict_on(const fs::path& folder, const RecordKey& key, const json& plan) {
  std::ostringstream text;
  text << std::ifstream(record_path(folder.string(), key)).rdbuf();
  std::string record = text.str();
  const std::string mine = "\"implementation\":\"" + key.implementation + "\"";
  const std::string shipped = "\"implementation\":\"" + std::string(shipped_name) + "\"";
  for (auto at = record.find(mine); mine != shipped && at != std::string::npos; at = record.find(mine)) record.replace(at, mine.size(), shipped);
  const fs::path shown = folder / "shown";
  fs::create_directories(shown / "records");
  std::ofstream(shown / "plan.json") << plan.dump();
  std::ofstream(shown / "records" / (std::string(judge) + "-shown.jsonl")) << record;
  Child child({"/usr/bin/env", "python3", report_program(), "judge", shown.string(), "--gate", judge}, {}, patience_s, (folder / "screen.txt").string());
  const int code = child.wait().exit_code;
  return code == 0 ? "PASS" : code == 1 ? "FAIL" : code == 77 ? "NOT RUN" : "exit " + std::to_string(code);
}

// The gate on one implementation, in a process of its own, as a run would start and note it.
Met meet(Context& context, const std::string& implementation, double limit_s) {
  const fs::path folder = fs::temp_directory_path() / ("seamgate-containment-" + std::to_string(::getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  const std::string backend(to_string(context.backend()));
  const RecordKey key{run_id, judge, context.op().name, backend, implementation};
  Met met;
  met.ended = Child({own_program(), "gate", "--gate", judge, "--op", context.op().name, "--backend", backend, "--tier", "control",
                     "--implementation", implementation, "--run-id", run_id, "--records", folder.string()},
                    {}, limit_s)
                  .wait();
  if (met.ended.exit_code != 0) note_crash({key}, folder.string(), met.ended);
  read_record(record_path(folder.string(), key), met);
  met.verdict = verdict_on(folder, key, plan_of(context, find_gate(judge).cases({context.op(), context.backend(), Tier::control}).size()));
  fs::remove_all(folder);
  return met;
}

bool is_case_of(const std::string& text, const OpTraits& op) {
  try {
    return parse_case(text).op == op.name;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

void run(Context& context, const Case& c) {
  for (const std::string fault : faults::names) {
    const bool endless = fault == "never_ends";
    const Met met = meet(context, std::string(faults::prefix) + fault, endless ? endless_patience_s(context.backend()) : patience_s);
    context.record().note(fault + ": " + met.ended.describe() + "; " + met.said);
    context.check(c, fault + ": the gate that met it", met.verdict, "FAIL");
    context.check(c, fault + ": its record names the case (" + met.said + ")", is_case_of(met.case_text, context.op()));
    context.check(c, fault + ": its time was up", std::to_string(met.ended.timed_out), std::to_string(endless));
    const Met sound = meet(context, std::string(shipped_name), patience_s);
    context.check(c, fault + ": the next one, on the sound kernel in a fresh process (" + sound.said + ")", sound.verdict, "PASS");
  }
}

const RegisterGate registered({
    .id = "containment",
    .title = "a crash, a launch that cannot start and a kernel that never ends cost their own gate alone",
    .question = Question::could_fail,
    .rows = {"B22"},
    .cases = [](const Plan& plan) { return std::vector<Case>{structure_cases(plan).front()}; },
    .run = run,
    .reach = Reach::house,
    .judges_mutants = false,
    .timeout_s = 420,
});

}  // namespace
}  // namespace seamgate::gates
