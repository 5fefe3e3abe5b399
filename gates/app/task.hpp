// One child process of a run: the gates that it runs and the records that it owes.
#pragma once

#include <string>
#include <vector>

#include "gates/app/plan.hpp"
#include "gates/record.hpp"

namespace seamgate::gates {

struct Task {
  std::vector<const Gate*> gates;
  std::string op;
  Backend backend = Backend::cpu;
  std::string implementation;  // that the child finds
  std::string label;           // as records call it
  Tier tier = Tier::smoke;
  int timeout_s = 0;
  bool planted = false;

  std::string title() const;
};

// The longest first, so that two workers end together.
std::vector<Task> make_tasks(const RunPlan& plan);

// In the order of the task's gates.
std::vector<RecordKey> keys_of(const std::string& run_id, const Task& task);
std::vector<std::string> command_of(const Task& task, const std::string& run_id, const std::string& records);
// A record of each gate that says why it did not run.
void note_not_run(const Task& task, const std::string& run_id, const std::string& records,
                  const std::string& reason);

}  // namespace seamgate::gates
