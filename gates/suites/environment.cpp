// Gate `environment`: no kill switch leaks in from outside. A switch that was set on purpose is named by --switch, and then every
// ask is seen to decline.
#include <cstdlib>
#include <string>

#include "gates/counted.hpp"
#include "gates/sweep.hpp"
#include "gates/tape_run.hpp"
#include "seam/kill_switch.hpp"

namespace seamgate::gates {
namespace {

void run(Context& context, const Case& c) {
  const char* chosen_text = std::getenv("SEAMGATE_CHOSEN_SWITCHES");
  const std::string chosen = "," + std::string(chosen_text == nullptr ? "" : chosen_text) + ",";
  for (const auto& name : {context.contract().switch_name, context.contract().adjoint_switch_name}) {
    const char* value = std::getenv(name.c_str());
    const bool inherited = value != nullptr && chosen.find("," + name + ",") == std::string::npos;
    context.check(c, name + " is not inherited", inherited ? name + "=" + value : "unset", "unset");
  }
  const std::string& name = context.contract().switch_name;
  const char* value = std::getenv(name.c_str());
  if (value == nullptr || chosen.find("," + name + ",") == std::string::npos || seam::switch_allows(name, value)) return;
  constexpr int asks = 3;
  for (int ask = 1; ask <= asks; ++ask) {
    const TapeResult ran = run_on_tape(context.op(), context.implementation(), context.backend(), c, make_host_case(context.op(), c), {});
    context.check(c, name + "=" + value + ", ask " + std::to_string(ask) + ": C (asked,skipped,node_ran,bare_ran)", ran.counters.arms(), "(1,1,0,0)");
    record_counters(context, context.op().name + " " + std::string(to_string(context.backend())) + ", off", ran.counters);
  }
}

const RegisterGate registered({
    .id = "environment",
    .title = "no kill switch is inherited from outside",
    .question = Question::off,
    .rows = {"A7"},
    .cases = [](const Plan& plan) { return std::vector<Case>{structure_cases(plan).front()}; },
    .run = run,
    .judges_mutants = false,
    .timeout_s = 60,
});

}  // namespace
}  // namespace seamgate::gates
