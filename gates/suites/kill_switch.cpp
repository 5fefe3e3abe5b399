// Gate `kill_switch`: the switch declines, launches nothing, and leaves the tensor path's own bits. Each word in a child process
// with its own environment; off, on, off within one process as well.
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "gates/app/spawn.hpp"
#include "gates/counted.hpp"
#include "gates/numeric.hpp"
#include "gates/scoped_variable.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double probe_timeout_s = 60;

// What a probe of the case says under a value of one variable; no value: unset. The op's other switch is unset, whatever a run
// has chosen by --switch.
json probe(Context& context, const Case& c, const std::string& variable, const std::optional<std::string>& value) {
  const fs::path folder = fs::temp_directory_path() / ("seamgate-probe-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const fs::path result = folder / "result.json";
  fs::remove(result);
  std::map<std::string, std::optional<std::string>> environment = {{context.contract().switch_name, std::nullopt},
                                                                   {context.contract().adjoint_switch_name, std::nullopt}};
  environment[variable] = value;
  Child child({own_program(), "probe", c.str(), "--backend", std::string(to_string(context.backend())), "--implementation",
               context.implementation().name(), "--result", result.string()},
              environment, probe_timeout_s);
  const ChildResult ended = child.wait();
  json said = json::parse(std::ifstream(result), nullptr, false);
  fs::remove_all(folder);
  if (said.is_object() && said.contains("no_witness")) throw CannotRun{said["no_witness"].get<std::string>()};
  if (said.is_discarded() || ended.exit_code != 0) said = {{"error", "the probe ended by " + ended.describe()}};
  return said;
}

std::string error_in(const json& said) { return said.value("error", ""); }

// The tensor path in this process, printed as a probe prints.
json tensor_path_of(Context& context, const Case& c) {
  TapeOptions options;
  options.route = Route::tensor_path;
  const TapeResult ran = run_on_tape(context.op(), context.implementation(), context.backend(), c, make_host_case(context.op(), c), options);
  json gradients = json::array();
  for (const auto& gradient : ran.gradients) gradients.push_back(gradient ? to_hex(*gradient) : "none");
  json outputs = json::array();
  for (const auto& output : ran.outputs) outputs.push_back(to_hex(output));
  return {{"outputs", outputs}, {"gradients", gradients}};
}

// A probe is a process, and on a GPU a context. All words are said with the first case; with the others one of each kind.
struct Words {
  std::vector<std::string> off;
  std::vector<std::string> on;  // "": unset
  std::vector<std::string> odd;
  bool adjoint;
};

Words words_of(Context& context, const Case& c) {
  const bool first = structure_cases(context.plan()).front().str() == c.str();
  if (!first) return {{"0"}, {""}, {"maybe"}, false};
  return {{"0", "false", "off", "no", "OFF", "False"}, {"", "1", "true", "on", "yes", "ON"}, {"", "maybe", "2", "of f"}, true};
}

void check_words(Context& context, const Case& c) {
  const Words words = words_of(context, c);
  const std::string& name = context.contract().switch_name;
  const json want = tensor_path_of(context, c);
  for (const std::string& word : words.off) {
    const json said = probe(context, c, name, word);
    context.check(c, name + "=" + word + ": no error", error_in(said), "");
    context.check(c, name + "=" + word + ": C (asked,skipped,node_ran,bare_ran)", said.value("arms", ""), "(1,1,0,0)");
    context.check(c, name + "=" + word + ": fused kernels by the witness", std::to_string(said.value("launches", -1)), "0");
    context.check(c, name + "=" + word + ": output bit-identical to the tensor path", said["outputs"] == want["outputs"]);
    context.check(c, name + "=" + word + ": gradients bit-identical to the tensor path", said["gradients"] == want["gradients"]);
  }
  const auto launches = context.contract().forward_launches + context.contract().backward_launches;
  for (const std::string& word : words.on) {
    const bool unset = word.empty();
    const json said = probe(context, c, name, unset ? std::nullopt : std::optional<std::string>(word));
    const std::string what = unset ? name + " unset" : name + "=" + word;
    context.check(c, what + ": no error", error_in(said), "");
    context.check(c, what + ": C (asked,skipped,node_ran,bare_ran)", said.value("arms", ""), "(1,0,1,0)");
    context.check(c, what + ": fused kernels by the witness", std::to_string(said.value("launches", -1)), std::to_string(launches));
  }
  for (const std::string& word : words.odd) {
    const std::string error = error_in(probe(context, c, name, word));
    const bool clear = error.find(name) != std::string::npos && error.find("'" + word + "'") != std::string::npos &&
                       error.find("allowed") != std::string::npos;
    context.check(c, name + "='" + word + "' is an error that names variable, value and what is allowed (" + error + ")", clear);
  }
  if (!words.adjoint) return;
  const std::string& adjoint = context.contract().adjoint_switch_name;
  context.check(c, adjoint + "=tensor: the adjoint by tensor operations",
                probe(context, c, adjoint, "tensor")["counters"].value("adjoint_tensor", -1) == 1);
  context.check(c, adjoint + "=fused: the fused adjoint", probe(context, c, adjoint, "fused")["counters"].value("adjoint_fused", -1) == 1);
  context.check(c, adjoint + "=both is an error that names it", error_in(probe(context, c, adjoint, "both")).find(adjoint) != std::string::npos);
}

void check_one_process(Context& context, const Case& c) {
  const HostCase host = make_host_case(context.op(), c);
  int step = 0;
  for (const bool on : {false, true, false, true}) {
    const ScopedVariable variable(context.contract().switch_name, on ? "on" : "off");
    const TapeResult ran = run_on_tape(context.op(), context.implementation(), context.backend(), c, host, {});
    const std::string what = "one process, step " + std::to_string(++step) + ", " + (on ? "on" : "off");
    context.check(c, what + ": C (asked,skipped,node_ran,bare_ran)", ran.counters.arms(), on ? "(1,0,1,0)" : "(1,1,0,0)");
    check_against_witness(context, c, what, ran.counters, *ran.seen);
  }
  {
    const ScopedVariable odd(context.contract().switch_name, "maybe");
    bool threw = false;
    try {
      run_on_tape(context.op(), context.implementation(), context.backend(), c, host, {});
    } catch (const std::invalid_argument&) {
      threw = true;
    }
    context.check(c, "an odd value throws", threw);
    const seam::SeamLock lock;
    context.check(c, "and nothing is counted before it", context.implementation().counters().read(lock).arms(), "(0,0,0,0)");
  }
}

void run(Context& context, const Case& c) {
  check_one_process(context, c);
  check_words(context, c);
}

const RegisterGate registered({
    .id = "kill_switch",
    .title = "the switch declines, launches nothing, and leaves the tensor path's bits",
    .question = Question::off,
    .rows = {"A7"},
    .cases = structure_cases,
    .run = run,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
