// One child process of a run.
#include "gates/app/task.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gates/app/spawn.hpp"
#include "gates/plugin/reference.hpp"

namespace seamgate::gates {
namespace {

// A fault planted into a library's results may hang nothing that the library does not, and has the smallest
// cases.
constexpr int planted_timeout_s = 600;

}  // namespace

std::string Task::title() const {
  return (gates.size() == 1 ? gates[0]->id : std::to_string(gates.size()) + " gates") + " " + op + " " +
         std::string(to_string(backend)) + (label == shipped_name ? "" : " " + label);
}

std::vector<Task> make_tasks(const RunPlan& plan) {
  std::vector<Task> tasks;
  for (const auto& planned : plan.gates) {
    if (!planned.inapplicable.empty() || planned.elsewhere) continue;
    tasks.push_back({{planned.gate},
                     planned.op->name,
                     planned.backend,
                     plan.implementation,
                     plan.label,
                     planned.tier,
                     planned.gate->timeout_s});
  }
  const Backend backend = plan.faults_on;
  for (const auto& mutant : plan.mutants) {
    if (!mutant.not_built.empty()) continue;
    Task task{{}, mutant.op, backend, "mutant:" + mutant.id, "mutant:" + mutant.id, Tier::control, 0, true};
    if (plan.is_library()) task.implementation = plugin::wrapped_name(mutant.id, plan.implementation);
    for (const auto& planned : plan.gates) {
      if (planned.backend != backend || planned.op->name != mutant.op || !planned.inapplicable.empty())
        continue;
      if (!planned.gate->judges_mutants) continue;
      task.gates.push_back(planned.gate);
      task.timeout_s += planned.gate->timeout_s;
    }
    if (plan.is_library()) task.timeout_s = std::min(task.timeout_s, planted_timeout_s);
    if (!task.gates.empty()) tasks.push_back(task);
  }
  std::stable_sort(tasks.begin(), tasks.end(), [&](const Task& a, const Task& b) {
    // A library first as it is: what is planted into it says nothing where it does not stand on its own.
    if (plan.is_library() && a.planted != b.planted) return b.planted;
    return a.timeout_s > b.timeout_s;
  });
  return tasks;
}

std::vector<std::string> command_of(const Task& task, const std::string& run_id, const std::string& records) {
  std::string ids;
  for (const Gate* gate : task.gates) ids += (ids.empty() ? "" : ",") + gate->id;
  return {own_program(),
          "gate",
          "--gate",
          ids,
          "--op",
          task.op,
          "--backend",
          std::string(to_string(task.backend)),
          "--tier",
          std::string(to_string(task.tier)),
          "--implementation",
          task.implementation,
          "--label",
          task.label,
          "--run-id",
          run_id,
          "--records",
          records};
}

std::vector<RecordKey> keys_of(const std::string& run_id, const Task& task) {
  std::vector<RecordKey> keys;
  for (const Gate* gate : task.gates)
    keys.push_back({run_id, gate->id, task.op, std::string(to_string(task.backend)), task.label});
  return keys;
}

void note_not_run(const Task& task, const std::string& run_id, const std::string& records,
                  const std::string& reason) {
  for (const RecordKey& key : keys_of(run_id, task)) {
    const nlohmann::ordered_json line = {{"kind", "not_run"},      {"run_id", run_id},
                                         {"gate", key.gate},       {"op", key.op},
                                         {"backend", key.backend}, {"implementation", key.implementation},
                                         {"reason", reason}};
    std::ofstream(record_path(records, key), std::ios::app) << line.dump() << '\n';
  }
}

}  // namespace seamgate::gates
