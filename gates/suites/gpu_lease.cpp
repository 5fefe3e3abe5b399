// Gate `gpu_lease`: a GPU in use by somebody else is left alone. The program's own `lease` in processes of its own, with real lock
// files and real holders; what the GPU is in use by comes from a stand-in for NVML, and on a GPU, besides, from NVML itself with a
// second process that has a context.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

#include "gates/app/spawn.hpp"
#include "gates/sweep.hpp"
#include "seam/gpu_lease.hpp"

namespace seamgate::gates {
namespace {

namespace fs = std::filesystem;
using Environment = std::map<std::string, std::optional<std::string>>;
using Clock = std::chrono::steady_clock;

constexpr double patience_s = 30;   // of a process that ends by itself
constexpr const char* in_use = "3";  // exit code

bool came_true(const std::function<bool()>& condition, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (!condition()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  std::string all = text.str();
  while (!all.empty() && all.back() == '\n') all.pop_back();
  return all;
}

struct Answer {
  std::string exit;     // "0", "3", "signal 9 (Killed)"
  std::string said;     // on standard error
  std::string command;  // what the leased command wrote; empty where it did not run
  double seconds = 0;
};

// A scratch folder with locks and a stand-in of its own.
class Bench {
 public:
  explicit Bench(bool real_nvml) : folder_(fs::temp_directory_path() / ("seamgate-gpu-lease-" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    environment_ = {{"SEAMGATE_LEASE_DIR", (folder_ / "locks").string()}, {seam::lease_variable, std::nullopt}};
    if (real_nvml) return;
    environment_["SEAMGATE_NVML"] = (fs::path(own_program()).parent_path() / "libseamgate_stand_in_nvml.so").string();
    environment_["SEAMGATE_STAND_IN_NVML"] = "@" + (folder_ / "mode").string();
    environment_["CUDA_VISIBLE_DEVICES"] = std::nullopt;
    if (!fs::exists(*environment_["SEAMGATE_NVML"])) throw CannotRun{"the stand-in for NVML is not built (" + *environment_["SEAMGATE_NVML"] + ")"};
    gpu_is("free");
  }
  ~Bench() { fs::remove_all(folder_); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void gpu_is(const std::string& mode) const {
    std::ofstream(folder_ / "mode.part") << mode << '\n';
    fs::rename(folder_ / "mode.part", folder_ / "mode");
  }

  // `seamgate lease ... -- sh -c script`, whose standard error is in `name`.said and standard output in `name`.out.
  Child start(const std::string& name, const std::string& wait_s, const std::string& script, const Environment& more = {}) const {
    fs::remove(path(name + ".out"));
    Environment environment = environment_;
    for (const auto& [variable, value] : more) environment[variable] = value;
    const std::string command = "exec '" + own_program() + "' lease --wait " + wait_s + " -- /bin/sh -c '" + script + "' 2>" + path(name + ".said").string();
    return Child({"/bin/sh", "-c", command}, environment, patience_s, path(name + ".out").string());
  }

  Answer answer(const std::string& name, Child& child) const {
    const ChildResult ended = child.wait();
    return {ended.signal != 0 || ended.timed_out ? ended.describe() : std::to_string(ended.exit_code), text_of(path(name + ".said")),
            text_of(path(name + ".out")), ended.seconds};
  }

  Answer ask(const std::string& script, const std::string& wait_s = "0", const Environment& more = {}) const {
    Child child = start("asked", wait_s, script, more);
    return answer("asked", child);
  }

  // One that has the lease until `release`, or until it is killed.
  Child holder() const {
    fs::remove(path("release"));
    fs::remove(path("held"));
    Child child = start("holder", "0", "touch " + path("held").string() + "; while [ ! -e " + path("release").string() + " ]; do sleep 0.02; done");
    if (!came_true([this] { return fs::exists(path("held")); }, patience_s)) throw std::runtime_error("no holder of the lease: " + text_of(path("holder.said")));
    return child;
  }
  void release() const { std::ofstream(path("release")).put('\n'); }

  // The id of the process that has the lock, by the file.
  std::string holder_pid() const {
    for (const auto& entry : fs::directory_iterator(folder_ / "locks")) return text_of(entry.path());
    return "nobody";
  }
  fs::path path(const std::string& name) const { return folder_ / name; }
  ino_t lock_inode() const {
    struct stat status{};
    for (const auto& entry : fs::directory_iterator(folder_ / "locks")) (void)::stat(entry.path().c_str(), &status);
    return status.st_ino;
  }

 private:
  fs::path folder_;
  Environment environment_;
};

void check_says(Context& context, const Case& c, const std::string& name, const Answer& answer, const std::string& part) {
  context.check(c, name + ": refused", answer.exit, in_use);
  context.check(c, name + ": the command did not run", answer.command, "");
  const bool clear = answer.said.find(part) != std::string::npos && answer.said.find('\n') == std::string::npos;
  context.check(c, name + ": in one line with '" + part + "' (" + answer.said + ")", clear);
}

void check_free(Context& context, const Case& c, const Bench& bench) {
  const Answer ran = bench.ask("echo $SEAMGATE_LEASE; exit 5");
  context.check(c, "a free GPU: the command runs, and its exit code comes back", ran.exit, "5");
  context.check(c, "a free GPU: the command knows what is held (" + ran.command + ")", ran.command.starts_with("GPU-"));
  const auto inode = bench.lock_inode();
  const Answer open = bench.ask("ls -l /proc/self/fd");
  context.check(c, "the lock file is closed for the command", open.command.find("locks") == std::string::npos);
  context.check(c, "the lock file is not made anew", bench.lock_inode() == inode && inode != 0);
  const Answer nested = bench.ask(own_program() + " lease -- echo inside");
  context.check(c, "within a lease it is held already", nested.exit + " " + nested.command, "0 inside");
}

void check_lock(Context& context, const Case& c, const Bench& bench) {
  {
    Child holder = bench.holder();
    const std::string pid = bench.holder_pid();
    check_says(context, c, "its lease is held", bench.ask("echo ran"), "busy: pid " + pid + " (seamgate) holds the lease of GPU-");
    const Answer forged = bench.ask("echo ran", "0", {{seam::lease_variable, "GPU-57a7d1e5-0000-4000-8000-000000000001"}});
    check_says(context, c, "its lease is held, and SEAMGATE_LEASE is forged", forged, "busy: pid " + pid);
    const Answer limited = bench.ask("echo ran", "1");
    check_says(context, c, "its lease is held for longer than one waits", limited, "(waited 1 s)");
    context.check(c, "it waits as long as it is told (" + std::to_string(limited.seconds) + " s)", limited.seconds >= 1 && limited.seconds < 10);
    Child second = bench.start("second", "25", "echo after");
    context.check(c, "one that waits does not run yet", !came_true([&] { return !text_of(bench.path("second.out")).empty(); }, 0.3));
    bench.release();
    const Answer after = bench.answer("second", second);
    context.check(c, "one that waits comes next", after.exit + " " + after.command, "0 after");
    context.check(c, "the first one's exit code", bench.answer("holder", holder).exit, "0");
  }
  Child holder = bench.holder();
  ::kill(static_cast<pid_t>(std::strtol(bench.holder_pid().c_str(), nullptr, 10)), SIGKILL);
  context.check(c, "the holder is killed", bench.answer("holder", holder).exit.substr(0, 8), "signal 9");
  const Answer next = bench.ask("echo next");
  context.check(c, "the lease of a holder that was killed is free", next.exit + " " + next.command, "0 next");
}

void check_in_use(Context& context, const Case& c, const Bench& bench) {
  Child foreign({"/bin/sleep", "60"}, {}, 60);
  pid_t pid = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::string command = text_of(entry.path() / "stat");
    // "123 (sleep) S PARENT ..."
    const auto at = command.rfind(')');
    if (command.find("(sleep)") == std::string::npos || at == std::string::npos) continue;
    if (std::strtol(command.c_str() + at + 4, nullptr, 10) == ::getpid()) pid = static_cast<pid_t>(std::strtol(name.c_str(), nullptr, 10));
  }
  bench.gpu_is("process " + std::to_string(pid) + " 534");
  check_says(context, c, "a process is on it", bench.ask("echo ran"), "busy: pid " + std::to_string(pid) + " (sleep) with 534 MiB on GPU-57a7d1e5");
  Child waiting = bench.start("waiting", "25", "echo after");
  context.check(c, "one that waits does not run yet", !came_true([&] { return !text_of(bench.path("waiting.out")).empty(); }, 0.3));
  bench.gpu_is("free");
  const Answer after = bench.answer("waiting", waiting);
  context.check(c, "one that waits runs when the process has gone", after.exit + " " + after.command, "0 after");
  bench.gpu_is("memory 534");
  check_says(context, c, "memory is in use by nobody that is named", bench.ask("echo ran"), "busy: 538 MiB in use by processes that NVML does not name");
  bench.gpu_is("memory 200");
  context.check(c, "200 MiB are no foreign context", bench.ask("exit 0").exit, "0");
  bench.gpu_is("masked 534");
  check_says(context, c, "a process without an id", bench.ask("echo ran"), "busy: pid 0 (not visible here) with 538 MiB in use");
  for (const auto& [mode, part] : {std::pair{"hidden", "the GPU is not proven free: NVML: nvmlDeviceGetComputeRunningProcesses_v3: Not Supported"},
                                   {"memory_error", "the GPU is not proven free: NVML: nvmlDeviceGetMemoryInfo_v2: GPU is lost"},
                                   {"init_error", "the GPU is not proven free: NVML: nvmlInit_v2: Unknown Error"},
                                   {"no_driver", "no GPU: no driver: NVML says Driver Not Loaded"},
                                   {"no_gpus", "no GPU: NVML knows none"}}) {
    bench.gpu_is(mode);
    check_says(context, c, std::string("NVML answers '") + mode + "'", bench.ask("echo ran"), part);
  }
  bench.gpu_is("free");
  check_says(context, c, "a lease folder that cannot be made", bench.ask("echo ran", "0", {{"SEAMGATE_LEASE_DIR", "/proc/locks/none"}}),
             "the GPU is not proven free: the lease folder '/proc/locks/none' cannot be made");
}

// NVML itself, and a second process with a context on the GPU that this run holds.
void check_real_process(Context& context, const Case& c) {
  const Bench bench(true);
  const fs::path ready = bench.path("ready");
  Child foreign({own_program(), "hold-gpu", "--ready", ready.string()}, {}, patience_s + 60);
  if (!came_true([&] { return fs::exists(ready); }, patience_s)) throw std::runtime_error("no second process on the GPU: it did not come up");
  const std::string pid = text_of(ready);
  const Answer busy = bench.ask("echo ran");
  check_says(context, c, "a real process with a context", busy, "busy: ");
  context.check(c, "NVML names it, pid " + pid + " (" + busy.said + ")", busy.said.find("pid " + pid + " (seamgate) with ") != std::string::npos);
  context.record().note("with a foreign context: " + busy.said);

  // A whole run against it: every gate NOT RUN for this reason, and no context at any time.
  const fs::path out = bench.path("run");
  Environment environment = {{"SEAMGATE_LEASE_DIR", bench.path("locks").string()}, {seam::lease_variable, std::nullopt}, {"SEAMGATE_RUN", std::nullopt}};
  Child run({own_program(), "run", "--require", "cuda", "--no-mutants", "--gate", "truth", "--op", c.op, "--out", out.string()}, environment, patience_s,
            bench.path("screen").string());
  const seam::Nvml nvml;
  const auto gpus = seam::visible_gpus(nvml);
  std::vector<std::uint32_t> newcomers;
  std::vector<std::uint32_t> before;
  for (const auto& process : nvml.processes(gpus.front())) before.push_back(process.pid);
  std::optional<ChildResult> ended;
  int looks = 0;
  while (!(ended = run.poll())) {
    ++looks;
    for (const auto& process : nvml.processes(gpus.front())) {
      const bool known = std::find(before.begin(), before.end(), process.pid) != before.end();
      const std::string command = text_of("/proc/" + std::to_string(process.pid) + "/cmdline");
      if (!known && command.find(out.string()) != std::string::npos) newcomers.push_back(process.pid);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  context.check(c, "a run on a busy GPU: PENDING", std::to_string(ended->exit_code), "3");
  context.check(c, "a run on a busy GPU: contexts of it in " + std::to_string(looks) + " looks", std::to_string(newcomers.size()), "0");
  std::string record;
  for (const auto& entry : fs::directory_iterator(out / "records")) record += text_of(entry.path());
  context.check(c, "a run on a busy GPU: its record (" + record.substr(0, 300) + ")",
                record.find("\"not_run\"") != std::string::npos && record.find("busy: ") != std::string::npos && record.find("\"begin\"") == std::string::npos);
  foreign.terminate();
  foreign.wait();
  const bool gone = came_true([&] { return bench.ask("exit 0").said.find("pid " + pid + " ") == std::string::npos; }, patience_s);
  context.check(c, "when it is gone, nobody names it", gone);
}

void run(Context& context, const Case& c) {
  {
    const Bench bench(false);
    check_free(context, c, bench);
    check_lock(context, c, bench);
    check_in_use(context, c, bench);
  }
  if (context.backend() == Backend::cuda) check_real_process(context, c);
}

const RegisterGate registered({
    .id = "gpu_lease",
    .title = "a GPU in use by somebody else is left alone",
    .question = Question::house,
    .rows = {"A17"},
    .inapplicable = answered_once,
    .cases = [](const Plan& plan) { return std::vector<Case>{structure_cases(plan).front()}; },
    .run = run,
    .judges_mutants = false,
    .timeout_s = 240,
});

}  // namespace
}  // namespace seamgate::gates
