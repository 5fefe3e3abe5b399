// A run.
#include "gates/app/run.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <thread>

#include "gates/app/crash_note.hpp"
#include "gates/app/gate_child.hpp"
#include "gates/app/join.hpp"
#include "gates/app/lease.hpp"
#include "gates/app/report_program.hpp"
#include "gates/app/resources.hpp"
#include "gates/app/spawn.hpp"

namespace seamgate::gates {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::atomic<bool> interrupted{false};
void on_interrupt(int) { interrupted = true; }

// One child process: the gates it runs and the records that it owes.
struct Task {
  std::vector<const Gate*> gates;
  std::string op;
  Backend backend = Backend::cpu;
  std::string implementation;
  Tier tier = Tier::smoke;
  int timeout_s = 0;

  std::string title() const {
    return (gates.size() == 1 ? gates[0]->id : std::to_string(gates.size()) + " gates") + " " + op + " " +
           std::string(to_string(backend)) + (implementation == shipped_name ? "" : " " + implementation);
  }
};

RecordKey key_of(const std::string& run_id, const Task& task, const Gate& gate) {
  return {run_id, gate.id, task.op, std::string(to_string(task.backend)), task.implementation};
}

std::vector<Task> make_tasks(const RunPlan& plan) {
  std::vector<Task> tasks;
  for (const auto& planned : plan.gates) {
    if (!planned.inapplicable.empty() || planned.elsewhere) continue;
    tasks.push_back({{planned.gate}, planned.op->name, planned.backend, std::string(shipped_name), planned.tier, planned.gate->timeout_s});
  }
  for (const auto& mutant : plan.mutants) {
    if (!mutant.not_built.empty()) continue;
    Task task{{}, mutant.op, Backend::cpu, "mutant:" + mutant.id, Tier::control, 0};
    for (const auto& planned : plan.gates) {
      if (planned.backend != Backend::cpu || planned.op->name != mutant.op || !planned.inapplicable.empty()) continue;
      if (!planned.gate->judges_mutants) continue;
      task.gates.push_back(planned.gate);
      task.timeout_s += planned.gate->timeout_s;
    }
    if (!task.gates.empty()) tasks.push_back(task);
  }
  // The longest first, so that two workers end together.
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.timeout_s > b.timeout_s; });
  return tasks;
}

std::vector<std::string> command_of(const Task& task, const std::string& run_id, const std::string& records) {
  std::string ids;
  for (const Gate* gate : task.gates) ids += (ids.empty() ? "" : ",") + gate->id;
  return {own_program(), "gate", "--gate", ids, "--op", task.op, "--backend", std::string(to_string(task.backend)),
          "--tier", std::string(to_string(task.tier)), "--implementation", task.implementation,
          "--run-id", run_id, "--records", records};
}

std::vector<RecordKey> keys_of(const std::string& run_id, const Task& task) {
  std::vector<RecordKey> keys;
  for (const Gate* gate : task.gates) keys.push_back(key_of(run_id, task, *gate));
  return keys;
}

void note_not_run(const Task& task, const std::string& run_id, const std::string& records, const std::string& reason) {
  for (const Gate* gate : task.gates) {
    const RecordKey key = key_of(run_id, task, *gate);
    const ordered_json line = {{"kind", "not_run"},     {"run_id", run_id},           {"gate", key.gate},
                               {"op", key.op},          {"backend", key.backend},     {"implementation", key.implementation},
                               {"reason", reason}};
    std::ofstream(record_path(records, key), std::ios::app) << line.dump() << '\n';
  }
}

class Progress {
 public:
  explicit Progress(std::size_t total) : total_(total), terminal_(::isatty(STDERR_FILENO) == 1) {}

  void show(std::size_t done, const std::string& doing) {
    const auto now = std::chrono::steady_clock::now();
    if (terminal_) {
      std::fprintf(stderr, "\r\033[K[%zu/%zu] %s", done, total_, doing.c_str());
    } else if (done == total_ || now - last_ > std::chrono::seconds(5)) {
      std::fprintf(stderr, "[%zu/%zu] %s\n", done, total_, doing.c_str());
      last_ = now;
    }
  }
  ~Progress() {
    if (terminal_) std::fprintf(stderr, "\r\033[K");
  }

 private:
  std::size_t total_;
  bool terminal_;
  std::chrono::steady_clock::time_point last_{};
};

void write_whole(const fs::path& path, const std::string& text) {
  const fs::path temporary = path.string() + ".part";
  std::ofstream out(temporary);
  out << text;
  out.close();
  if (!out) throw std::invalid_argument("--out: cannot write '" + path.string() + "'; allowed: a folder that can be written");
  fs::rename(temporary, path);
}

// Makes the folder of a run, empty of any earlier one.
void prepare_folder(const fs::path& out) {
  std::error_code error;
  fs::create_directories(out, error);
  if (!error && !fs::is_directory(out)) error = std::make_error_code(std::errc::not_a_directory);
  if (!error && ::access(out.c_str(), W_OK) != 0) error = std::make_error_code(std::errc::permission_denied);
  if (error) {
    throw std::invalid_argument("--out: cannot write into '" + out.string() + "' (" + error.message() +
                                "); allowed: a folder that can be made and written");
  }
  for (const char* name : {"plan.json", "interrupted", "not_run", "summary.json", "junit.xml", "report.md", "report.html", "errors.png"}) {
    fs::remove(out / name);
  }
  fs::create_directories(out / "records");
  fs::remove_all(out / JoinedRun::claims);
  // Records alone: a folder of this name may have been somebody's before.
  for (const auto& entry : fs::directory_iterator(out / "records")) {
    if (entry.path().extension() == ".jsonl" || entry.path().extension() == ".case") fs::remove(entry.path());
  }
}

std::string blocking_reason(const Task& task, const RunOptions& options, const std::vector<std::string>& inherited) {
  const bool is_environment = task.gates.size() == 1 && task.gates[0]->id == "environment";
  if (!inherited.empty() && !is_environment) {
    return "environment: " + inherited[0] + " is inherited; unset it, or say it with --switch";
  }
  if (!options.switches.empty() && !is_environment && task.gates[0]->question != Question::off) {
    return "switched by --switch " + options.switches[0];
  }
  return {};
}

std::vector<std::string> inherited_switches(const RunPlan& plan) {
  std::vector<std::string> found;
  for (const auto* op : plan.ops) {
    for (const auto& name : {op->contract().switch_name, op->contract().adjoint_switch_name}) {
      if (const char* value = std::getenv(name.c_str())) found.push_back(name + "=" + value);
    }
  }
  return found;
}

// Before any child: a GPU that somebody else uses gets no context of ours.
Leased lease_for(const std::vector<Task>& tasks, const RunOptions& options) {
  bool any = false;
  bool several = false;
  for (const auto& task : tasks) {
    if (task.backend != Backend::cuda) continue;
    any = true;
    for (const Gate* gate : task.gates) several = several || gate->gpus > 1;
  }
  return any ? lease_gpus(several, options.wait_s, [] { return interrupted.load(); }) : Leased{};
}

int decide(const RunOptions& options, double elapsed_s) {
  std::vector<std::string> command = {"decide", options.out, "--elapsed-s", std::to_string(elapsed_s)};
  if (options.json) command.push_back("--json");
  if (options.for_ctest) command.insert(command.end(), {"--gate", options.only[0], "--no-picture"});
  return run_report_program(command);
}

}  // namespace

void write_plan(const RunPlan& plan, const RunOptions& options) {
  prepare_folder(options.out);
  write_whole(fs::path(options.out) / "plan.json", plan_json(plan, options).dump(1) + "\n");
}

int plan_only(const RunOptions& options) {
  const RunPlan plan = make_plan(options);
  write_plan(plan, options);
  std::printf("run %s is planned in %s; each gate joins it with SEAMGATE_RUN set to that folder, seamgate decide ends it\n",
              plan.run_id.c_str(), options.out.c_str());
  return 0;
}

int run(const RunOptions& given) {
  const auto started = std::chrono::steady_clock::now();
  RunOptions options = given;
  take_allotted_gpus();
  const auto joined = JoinedRun::from_environment(options);
  RunPlan plan = make_plan(options);
  if (joined) {
    joined->take_part(plan);
  } else {
    write_plan(plan, options);
  }
  const auto inherited = inherited_switches(plan);
  const std::string records = options.out + "/records";

  ::signal(SIGINT, on_interrupt);
  ::signal(SIGTERM, on_interrupt);
  std::map<std::string, std::optional<std::string>> environment;
  std::string chosen;
  for (const auto& text : options.switches) {
    const auto name = text.substr(0, text.find('='));
    environment[name] = text.substr(text.find('=') + 1);
    chosen += (chosen.empty() ? "" : ",") + name;
  }
  environment["SEAMGATE_CHOSEN_SWITCHES"] = chosen;

  const auto tasks = make_tasks(plan);
  const Leased leased = lease_for(tasks, options);
  const auto jobs = static_cast<std::size_t>(options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency()));
  struct Running {
    Child child;
    const Task* task;
  };
  std::vector<std::unique_ptr<Running>> running;
  Progress progress(tasks.size());
  std::size_t next = 0;
  std::size_t done = 0;
  while (done < tasks.size() && !interrupted) {
    while (next < tasks.size() && running.size() < jobs) {
      const Task& task = tasks[next++];
      auto reason = blocking_reason(task, options, inherited);
      if (reason.empty() && task.backend == Backend::cuda) reason = leased.refused;
      if (!reason.empty()) {
        note_not_run(task, plan.run_id, records, reason);
        ++done;
        continue;
      }
      progress.show(done, task.title());
      running.push_back(std::make_unique<Running>(
          Running{Child(command_of(task, plan.run_id, records), environment, task.timeout_s), &task}));
    }
    for (auto& entry : running) {
      const auto result = entry->child.poll();
      if (!result) continue;
      if (result->exit_code != 0) note_crash(keys_of(plan.run_id, *entry->task), records, *result);
      ++done;
      entry.reset();
    }
    std::erase(running, nullptr);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  progress.show(done, interrupted ? "interrupted" : "deciding");
  for (auto& entry : running) entry->child.terminate();
  for (auto& entry : running) entry->child.wait();
  if (interrupted) write_whole(fs::path(options.out) / "interrupted", "by a signal\n");
  if (joined) return joined->judge(options, plan);
  return decide(options, std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count());
}

}  // namespace seamgate::gates
