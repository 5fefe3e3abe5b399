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
#include "gates/app/task.hpp"
#include "gates/plugin/watched.hpp"

namespace seamgate::gates {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::atomic<bool> interrupted{false};
void on_interrupt(int) { interrupted = true; }

// Where children print to. A library may print what it likes; it is kept, and no part of the screen.
class Outputs {
 public:
  Outputs(const RunPlan& plan, const fs::path& out) {
    fs::remove_all(out / "output");
    if (!plan.is_library()) return;
    folder_ = out / "output";
    fs::create_directories(folder_);
  }
  std::string of(const Task& task) const {
    if (folder_.empty()) return {};
    return (folder_ / ((task.gates.size() == 1 ? task.gates[0]->id : task.label) + ".txt")).string();
  }

 private:
  fs::path folder_;
};

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

std::string blocking_reason(const Task& task, const RunPlan& plan, const RunOptions& options, const std::vector<std::string>& inherited) {
  const bool is_environment = task.gates.size() == 1 && task.gates[0]->id == "environment";
  if (!inherited.empty() && !is_environment) {
    return "environment: " + inherited[0] + " is inherited; unset it" + (plan.is_library() ? "" : ", or say it with --switch");
  }
  if (!options.switches.empty() && !is_environment && task.gates[0]->question != Question::off) {
    return "switched by --switch " + options.switches[0];
  }
  return {};
}

std::vector<std::string> switches_of(const RunPlan& plan) {
  std::vector<std::string> names;
  for (const auto* op : plan.ops) {
    for (const auto& name : {op->contract().switch_name, op->contract().adjoint_switch_name}) names.push_back(name);
  }
  return names;
}

std::vector<std::string> inherited_switches(const RunPlan& plan) {
  std::vector<std::string> found;
  // Somebody else's kernel behind our seam does not ask our switches to be set; they are taken away from the children.
  const auto names = plan.is_library() ? std::vector<std::string>{plan.library_switch} : switches_of(plan);
  for (const auto& name : names) {
    const char* value = name.empty() ? nullptr : std::getenv(name.c_str());
    if (value != nullptr) found.push_back(name + "=" + value);
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
  if (plan.is_library()) {
    for (const auto& name : switches_of(plan)) environment[name] = std::nullopt;
    environment[plugin::call_limit_variable] = std::to_string(options.call_limit_s);
  }

  const auto tasks = make_tasks(plan);
  const Leased leased = lease_for(tasks, options);
  const auto jobs = static_cast<std::size_t>(options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency()));
  const Outputs outputs(plan, options.out);
  struct Running {
    Child child;
    const Task* task;
  };
  std::vector<std::unique_ptr<Running>> running;
  Progress progress(tasks.size());
  std::size_t next = 0;
  std::size_t done = 0;
  std::size_t ended_well = 0;
  while (done < tasks.size() && !interrupted) {
    while (next < tasks.size() && running.size() < jobs) {
      const Task& task = tasks[next++];
      if (task.planted && plan.is_library() && !running.empty() && running.front()->task->planted == false && ended_well == 0) {
        --next;  // whether the library stands on its own is not known yet
        break;
      }
      auto reason = blocking_reason(task, plan, options, inherited);
      if (task.planted && plan.is_library() && reason.empty() && ended_well == 0) reason = "no gate came to its end on the library as it is";
      if (reason.empty() && task.backend == Backend::cuda) reason = leased.refused;
      if (!reason.empty()) {
        note_not_run(task, plan.run_id, records, reason);
        ++done;
        continue;
      }
      progress.show(done, task.title());
      running.push_back(std::make_unique<Running>(
          Running{Child(command_of(task, plan.run_id, records), environment, task.timeout_s, outputs.of(task), true), &task}));
    }
    for (auto& entry : running) {
      const auto result = entry->child.poll();
      if (!result) continue;
      note_end(keys_of(plan.run_id, *entry->task), records, *result);
      if (result->exit_code == 0 && !result->timed_out) ++ended_well;
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
