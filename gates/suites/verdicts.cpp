// Gate `verdicts`: compiled is not passed. The program that decides is given runs whose gates were built and did not run, and
// recorded evidence of a GPU, one of which must fail.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gates/app/report_program.hpp"
#include "gates/app/spawn.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Decided {
  int exit_code = -1;
  json summary;

  std::string verdict() const { return summary.value("verdict", "none"); }
  std::string gate_verdict() const {
    return summary.contains("gates") && !summary["gates"].empty() ? summary["gates"][0].value("verdict", "none") : "none";
  }
};

Decided decide(const fs::path& folder) {
  Child child({"/usr/bin/env", "python3", report_program(), "decide", folder.string(), "--json", "--no-picture"}, {}, 60, (folder / "screen.txt").string());
  Decided decided;
  decided.exit_code = child.wait().exit_code;
  decided.summary = json::parse(std::ifstream(folder / "summary.json"), nullptr, false);
  if (decided.summary.is_discarded()) decided.summary = json::object();
  return decided;
}

json line(const char* kind, json more, const char* implementation = "seamgate") {
  json record = {{"kind", kind}, {"run_id", "played"}, {"gate", "truth"}, {"op", "rmsnorm"}, {"backend", "cuda"}, {"implementation", implementation}};
  record.update(more);
  return record;
}

// A folder with one planned GPU gate, one planted fault that the gate has caught, and the given records.
class PlayedRun {
 public:
  explicit PlayedRun(const std::vector<json>& records)
      : folder_(fs::temp_directory_path() / ("seamgate-verdicts-" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "records");
    const json gate = {{"id", "truth"}, {"title", "played"}, {"question", "right"}, {"rows", {"A1"}}, {"op", "rmsnorm"},
                       {"backend", "cuda"}, {"applies", true}, {"reason", ""}, {"required", true}, {"planned_cases", 1}};
    const json plan = {{"schema", 1}, {"run_id", "played"}, {"command", "seamgate run"}, {"tier", "smoke"},
                       {"required_backends", {"cuda"}}, {"ops", {"rmsnorm"}}, {"gates", {gate}}, {"mutants", {{{"id", "fault"}, {"op", "rmsnorm"}, {"title", "played"}, {"expected_gate", "truth"}}}},
                       {"rows", {{{"id", "A1"}, {"title", "played"}, {"gates", {"truth"}}}}}, {"provenance", {{"gpu_uuid", "GPU-played"}}}};
    std::ofstream(folder_ / "plan.json") << plan.dump();
    std::ofstream out(folder_ / "records/truth.jsonl");
    for (const auto& record : records) out << record.dump() << '\n';
    std::ofstream caught(folder_ / "records/fault.jsonl");
    const json over = {{"case", "played"}, {"tensor", "y"}, {"error", 2e-6}, {"bar", 1e-6}, {"passed", false}, {"moved", "you"}};
    const json ended = {{"cases", 1}, {"checks", 0}, {"failed", 1}, {"seconds", 0.1}, {"path", "shipped"}};
    for (const auto& record : {line("begin", json::object(), "mutant:fault"), line("case", over, "mutant:fault"), line("end", ended, "mutant:fault")}) {
      caught << record.dump() << '\n';
    }
  }
  ~PlayedRun() { fs::remove_all(folder_); }
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

void run(Context& context, const Case& c) {
  const json passed = line("case", {{"case", "played"}, {"tensor", "y"}, {"error", 1e-7}, {"bar", 1e-6}, {"passed", true}, {"moved", "-"}});
  const json end = line("end", {{"cases", 1}, {"checks", 0}, {"failed", 0}, {"seconds", 0.1}, {"path", "shipped"}});
  const json begin = line("begin", json::object());
  struct Scene {
    const char* name;
    std::vector<json> records;
    const char* gate;
  };
  const std::vector<Scene> not_run = {
      {"built, and no record", {}, "NOT RUN"},
      {"built, and no GPU", {line("not_run", {{"reason", "no GPU"}})}, "NOT RUN"},
      {"begun, and never ended", {begin, passed}, "NOT RUN"},
      {"ended, and nothing asserted", {begin, line("end", {{"cases", 0}, {"checks", 0}, {"failed", 0}, {"seconds", 0.1}, {"path", "shipped"}})}, "NOT RUN"},
  };
  for (const auto& scene : not_run) {
    const PlayedRun played(scene.records);
    const Decided decided = decide(played.folder());
    context.check(c, std::string(scene.name) + ": the gate", decided.gate_verdict(), scene.gate);
    context.check(c, std::string(scene.name) + ": the whole, and the exit code", decided.verdict() + " " + std::to_string(decided.exit_code), "PENDING 3");
    const std::string discharge = decided.summary.value("discharge", "");
    context.check(c, std::string(scene.name) + ": the command that would discharge it (" + discharge + ")", discharge.find("cuda") != std::string::npos);
  }
  {
    const PlayedRun played({begin, passed, end});
    const Decided decided = decide(played.folder());
    context.check(c, "begun, passed and ended: the whole", decided.verdict() + " " + std::to_string(decided.exit_code), "PASS 0");
  }
  {
    json wrong = passed;
    wrong["error"] = 2e-6;
    wrong["passed"] = false;
    json ended = end;
    ended["failed"] = 1;
    const PlayedRun played({begin, wrong, ended});
    const Decided decided = decide(played.folder());
    context.check(c, "one case over the bar: the whole", decided.verdict() + " " + std::to_string(decided.exit_code), "FAIL 1");
  }
}

const RegisterGate registered({
    .id = "verdicts",
    .title = "compiled is not passed: what did not run reads NOT RUN, and the whole PENDING",
    .question = Question::could_fail,
    .rows = {"A16"},
    .backends = {Backend::cpu},
    .backends_reason = "the runs are played; their records are of a GPU",
    .cases = [](const Plan& plan) { return std::vector<Case>{structure_cases(plan).front()}; },
    .run = run,
    .reach = Reach::house,
    .judges_mutants = false,
});

}  // namespace
}  // namespace seamgate::gates
