// The program `seamgate`. Exit codes: 0 PASS, 1 FAIL, 3 PENDING, 64 usage, 70 broken; 77 for CTest where a gate did not run.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gates/app/check.hpp"
#include "gates/app/gate_child.hpp"
#include "gates/app/lease.hpp"
#include "gates/app/listing.hpp"
#include "gates/app/probe.hpp"
#include "gates/app/replay.hpp"
#include "gates/app/report_program.hpp"
#include "gates/app/resources.hpp"
#include "gates/app/run.hpp"
#include "gates/app/spawn.hpp"
#include "gates/app/words.hpp"
#include "seam/kill_switch.hpp"

namespace {

using namespace seamgate::gates;

constexpr int usage = 64;
constexpr int broken = 70;

// One line whatever was typed: what a terminal would take for more is shown by its number.
std::string one_line(std::string_view message) {
  std::string line;
  for (const char c : message) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      line += c;
    } else {
      char code[8];
      std::snprintf(code, sizeof code, "\\x%02x", byte);
      line += code;
    }
  }
  return line;
}

// The words of an option that may be given again, each time with words between commas.
std::vector<std::string> words_of(const std::vector<std::string>& lists) {
  std::vector<std::string> words;
  for (const auto& list : lists) {
    for (auto& word : split_commas(list)) words.push_back(std::move(word));
  }
  return words;
}

std::string command_line(int argc, char** argv) {
  std::string text = "seamgate";
  for (int i = 1; i < argc; ++i) text += std::string(" ") + argv[i];
  return text;
}

void check_switches(const std::vector<std::string>& switches) {
  for (const auto& text : switches) {
    const auto name = text.substr(0, text.find('='));
    std::string known;
    bool found = false;
    for (const OpTraits* op : all_ops()) {
      for (const auto& candidate : {op->contract().switch_name, op->contract().adjoint_switch_name}) {
        known += (known.empty() ? "" : ", ") + candidate;
        if (candidate != name || text.find('=') == std::string::npos) continue;
        const auto value = text.substr(name.size() + 1);
        if (name == op->contract().switch_name) {
          seamgate::seam::switch_allows(name, value);
        } else {
          seamgate::seam::adjoint_choice(name, value);
        }
        found = true;
      }
    }
    if (found) continue;
    throw std::invalid_argument("--switch is '" + text + "'; allowed: NAME=VALUE, where NAME is one of " + known);
  }
}

int dispatch(int argc, char** argv) {
  CLI::App app{"Decides whether a fused kernel may be merged. PASS is never said of what did not run."};
  app.require_subcommand(1);
  app.set_version_flag("--version", SEAMGATE_VERSION);

  RunOptions options;
  options.command = command_line(argc, argv);
  std::string require = "cpu,cuda";
  std::string tier = "smoke";
  std::vector<std::string> ops;
  std::vector<std::string> gates;
  const auto add_run_options = [&](CLI::App* command) {
    command->add_option("--require", require, "backends that must have run: cpu, cuda")->capture_default_str();
    command->add_option("--tier", tier, "smoke, premerge or nightly; each contains the one before")->capture_default_str();
    command->add_option("--op", ops, "ops to judge, separated by commas; all by default")->expected(1)->take_all();
    command->add_option("--gate", gates, "gates to run, separated by commas; all by default; mutants: the planted faults")->expected(1)->take_all();
    command->add_option("--out", options.out, "the folder for records and report")->capture_default_str();
    command->add_option("--switch", options.switches, "NAME=VALUE of a kill switch, set on purpose");
    command->add_flag("!--no-mutants", options.mutants, "leave the seeded faults out; the verdict is then PENDING at best");
  };
  auto* run_command = app.add_subcommand("run", "run the gates, write records, decide");
  add_run_options(run_command);
  run_command->add_option("--jobs", options.jobs, "child processes at once; default: one for each core")->check(CLI::Range(1, 256));
  run_command->add_option("--wait", options.wait_s, "seconds to wait for a GPU that is in use")->capture_default_str()->check(CLI::Range(0.0, 86400.0));
  run_command->add_flag("--json", options.json, "print the summary instead of the screen");
  run_command->add_flag("--ctest", options.for_ctest, "exit by the one --gate alone: 0 PASS, 1 FAIL, 77 NOT RUN");

  auto* plan_command = app.add_subcommand("plan", "plan a run and run nothing: each gate then joins it (SEAMGATE_RUN=DIR seamgate run --ctest)");
  add_run_options(plan_command);
  plan_command->add_option("--command", options.command, "what the report names as the command; default: this one");

  CheckOptions checked;
  std::string checked_backend;
  auto* check_command = app.add_subcommand("check", "judge somebody else's kernel: a shared library (include/seamgate/kernel.h)");
  check_command->add_option("LIBRARY", checked.library, "the path of the shared library")->required();
  check_command->add_option("--op", checked.op, "the op that its kernel computes")->required();
  check_command->add_option("--kernel", checked.kernel, "which of its kernels, where it has several of the op");
  check_command->add_option("--variant", checked.variant, "that variant alone; default: all that it serves");
  check_command->add_option("--backend", checked_backend, "cpu or cuda; default: where the kernel says that its tensors live");
  check_command->add_option("--tier", tier, "smoke, premerge or nightly; each contains the one before")->capture_default_str();
  check_command->add_option("--gate", gates, "gates to run, separated by commas; all by default")->expected(1)->take_all();
  check_command->add_option("--out", options.out, "the folder for records and report")->capture_default_str();
  check_command->add_option("--jobs", options.jobs, "child processes at once; default: one for each core")->check(CLI::Range(1, 256));
  check_command->add_option("--call-limit", options.call_limit_s, "seconds that one call of the library may take")->check(CLI::Range(1, 3600))->capture_default_str();
  check_command->add_flag("--json", options.json, "print the summary instead of the screen");
  check_command->add_flag("!--no-mutants", options.mutants, "leave the planted faults out; the verdict is then PENDING at best");

  LeaseOptions lease_options;
  auto* lease = app.add_subcommand("lease", "run a command with the GPU's lease in hand: seamgate lease [--wait SECONDS] -- COMMAND...");
  lease->add_option("--wait", lease_options.wait_s, "seconds to wait for a GPU that is in use")->capture_default_str()->check(CLI::Range(0.0, 86400.0));
  lease->add_flag("--ctest", lease_options.for_ctest, "exit 77 where the GPU is not to be had, in place of 3");
  lease->add_option("COMMAND", lease_options.command, "after --")->required();

  bool as_json = false;
  auto* list_command = app.add_subcommand("list", "ops, gates and seeded faults");
  list_command->add_flag("--json", as_json);
  std::string folder = "out";
  auto* requirements_command = app.add_subcommand("requirements", "every row that must hold, its gates and verdict");
  requirements_command->add_flag("--json", as_json);
  requirements_command->add_option("--out", folder, "the folder of the run whose verdicts are shown")->capture_default_str();

  std::string decided;
  auto* decide_command = app.add_subcommand("decide", "decide about a run whose gates have joined it: screen, report, exit code");
  decide_command->add_option("DIR", decided, "the folder of the run")->required();
  std::string elapsed_s;
  decide_command->add_option("--elapsed-s", elapsed_s, "what the run took, for the screen");
  decide_command->add_flag("--json", as_json, "print the summary instead of the screen");

  std::vector<std::string> merged;
  std::string merged_out;
  auto* merge_command = app.add_subcommand("merge", "join a CPU and a GPU run of the same sources");
  merge_command->add_option("DIR", merged, "the two folders")->required()->expected(2);
  merge_command->add_option("--out", merged_out, "the folder of the joined run")->required();
  merge_command->add_flag("--json", as_json, "print the summary instead of the screen");

  ReplayOptions replay_options;
  auto* replay_command = app.add_subcommand("replay", "run one case again, on the same bits");
  replay_command->add_option("CASE", replay_options.case_text, "as a failure printed it")->required();
  replay_command->add_option("--gate", replay_options.gate, "default: truth");
  replay_command->add_option("--backend", replay_options.backend)->capture_default_str();
  replay_command->add_option("--implementation", replay_options.implementation, "default: the shipped one; mutant:ID; plugin:PATH");

  ChildJob job;
  std::string backend = "cpu";
  auto* gate_command = app.add_subcommand("gate", "")->group("");  // what `run` starts
  gate_command->add_option("--gate", gates)->required();
  gate_command->add_option("--op", job.op)->required();
  gate_command->add_option("--backend", backend)->required();
  gate_command->add_option("--tier", tier)->required();
  gate_command->add_option("--implementation", job.implementation)->required();
  gate_command->add_option("--label", job.label);
  gate_command->add_option("--run-id", job.run_id)->required();
  gate_command->add_option("--records", job.records)->required();

  FactsJob facts;
  auto* facts_command = app.add_subcommand("facts", "")->group("");  // what `check` starts
  facts_command->add_option("--implementation", facts.implementation)->required();
  facts_command->add_option("--op", facts.op)->required();
  facts_command->add_option("--backend", facts.backend);
  facts_command->add_option("--result", facts.result)->required();

  std::string ready;
  auto* hold_command = app.add_subcommand("hold-gpu", "")->group("");  // what the gate about a GPU in use starts
  hold_command->add_option("--ready", ready)->required();

  ProbeJob probe;
  auto* probe_command = app.add_subcommand("probe", "")->group("");  // what a gate about a switch starts
  probe_command->add_option("CASE", probe.case_text)->required();
  probe_command->add_option("--backend", backend)->required();
  probe_command->add_option("--implementation", probe.implementation)->required();
  probe_command->add_option("--result", probe.result_path)->required();

  const auto is_named = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(is_named).empty()) {
    throw std::invalid_argument("command is '" + std::string(argv[1]) + "'; allowed: check, run, plan, decide, lease, list, requirements, merge, replay");
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::fprintf(stderr, "seamgate: %s; seamgate --help says what is allowed\n", one_line(error.what()).c_str());
    return usage;
  }

  if (*lease) return lease_command(lease_options);
  if (*list_command) {
    print_list(as_json);
    return 0;
  }
  if (*requirements_command) {
    print_requirements(folder, as_json);
    return 0;
  }
  if (*decide_command) {
    std::vector<std::string> arguments = {"decide", decided};
    if (!elapsed_s.empty()) arguments.insert(arguments.end(), {"--elapsed-s", elapsed_s});
    if (as_json) arguments.emplace_back("--json");
    return run_report_program(arguments);
  }
  if (*merge_command) {
    std::vector<std::string> arguments = {"merge", merged[0], merged[1], "--out", merged_out};
    if (as_json) arguments.emplace_back("--json");
    return run_report_program(arguments);
  }
  if (*replay_command) return replay(replay_options);
  if (*hold_command) {
    end_with_parent();
    hold_gpu(ready);
    return 0;
  }
  if (*probe_command) {
    end_with_parent();
    probe.backend = parse_backend(backend);
    run_probe(probe);
    return 0;
  }
  if (*facts_command) {
    end_with_parent();
    find_facts(facts);
    return 0;
  }
  if (*gate_command) {
    // Under a tool the parent is the tool's, and it may be gone while its child runs; the tool's caller has the time limit.
    if (std::getenv("SEAMGATE_UNDER_TOOL") == nullptr) end_with_parent();
    take_allotted_gpus();  // where no run has done so for it
    job.gates = words_of(gates);
    job.backend = parse_backend(backend);
    job.tier = parse_tier(tier);
    run_job(job);
    return 0;
  }
  if (*check_command) {
    if (!checked_backend.empty()) checked.backend = parse_backend(checked_backend);
    options.tier = parse_tier(tier);
    options.only = words_of(gates);
    checked.run = options;
    return check(checked);
  }
  const CLI::App* asked = *plan_command ? plan_command : run_command;
  options.required = parse_backends(require);
  options.tier = parse_tier(tier);
  options.tier_given = asked->get_option("--tier")->count() > 0;
  options.ops = words_of(ops);
  options.only = words_of(gates);
  check_switches(options.switches);
  for (const auto& [name, words] : {std::pair("--op", options.ops), std::pair("--gate", options.only)}) {
    if (words.empty() && asked->get_option(name)->count() > 0) {
      throw std::invalid_argument(std::string(name) + " is empty; allowed: names of `seamgate list`, separated by commas");
    }
  }
  if (options.for_ctest && options.only.size() != 1) {
    throw std::invalid_argument("--ctest is given with " + std::to_string(options.only.size()) + " gates; allowed: one, by --gate");
  }
  return *plan_command ? plan_only(options) : run(options);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return dispatch(argc, argv);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "seamgate: %s\n", one_line(error.what()).c_str());
    return usage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "seamgate: broken: %s\n", one_line(error.what()).c_str());
    return broken;
  }
}
