// One case again.
#include "gates/app/replay.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gates/app/gate_child.hpp"
#include "gates/app/words.hpp"

namespace seamgate::gates {

int replay(const ReplayOptions& options) {
  const Case c = parse_case(options.case_text);
  const std::string gate = find_gate(options.gate.empty() ? "truth" : options.gate).id;
  ChildJob job;
  job.run_id = "replay";
  job.gates = {gate};
  job.op = c.op;
  job.backend = parse_backend(options.backend);
  job.implementation = options.implementation.empty() ? std::string(shipped_name) : options.implementation;
  job.cases = {c.str()};
  find_implementation(job.op, job.implementation);
  const auto folder = std::filesystem::temp_directory_path() / ("seamgate-replay-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  job.records = folder.string();
  run_job(job);

  int failed = 0;
  bool ran = false;
  std::ifstream in(record_path(job.records, {job.run_id, gate, job.op, options.backend, job.implementation}));
  for (std::string line; std::getline(in, line);) {
    const auto record = nlohmann::json::parse(line);
    const std::string kind = record["kind"];
    if (kind == "not_run") {
      std::printf("NOT RUN  %s\n", record["reason"].get<std::string>().c_str());
    } else if (kind == "case") {
      const bool passed = record["passed"];
      failed += passed ? 0 : 1;
      std::printf("%-5s %-8s error %s, bar %s%s%s\n", passed ? "PASS" : "FAIL", record["tensor"].get<std::string>().c_str(),
                  record["error"].dump().c_str(), record["bar"].dump().c_str(), passed ? "" : ": ",
                  passed ? "" : (record.value("place", "") + " " + record.value("message", "")).c_str());
      if (record.contains("looks_like")) std::printf("      looks like: %s\n", record["looks_like"].get<std::string>().c_str());
    } else if (kind == "check") {
      const bool passed = record["passed"];
      failed += passed ? 0 : 1;
      std::printf("%-5s %s%s\n", passed ? "PASS" : "FAIL", record["name"].get<std::string>().c_str(),
                  passed ? "" : (": got " + record["got"].get<std::string>() + ", want " + record["want"].get<std::string>()).c_str());
    } else if (kind == "end") {
      ran = record["cases"].get<int>() + record["checks"].get<int>() > 0;
    }
  }
  in.close();
  std::filesystem::remove_all(folder);
  std::printf("%s  gate %s, case %s, %s on %s\n", !ran ? "NOT RUN" : failed > 0 ? "FAIL" : "PASS", gate.c_str(), c.str().c_str(),
              job.implementation.c_str(), options.backend.c_str());
  return !ran ? 3 : failed > 0 ? 1 : 0;
}

}  // namespace seamgate::gates
