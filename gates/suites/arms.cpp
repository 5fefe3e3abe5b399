// Gate `arms`: one ask a module forward, served by the node arm on a tape, by the bare arm on bare tensors and otherwise by the
// tensor path, as the op's table of expected arms says.
#include "gates/counted.hpp"
#include "gates/scoped_variable.hpp"
#include "gates/numeric.hpp"

namespace seamgate::gates {
namespace {

constexpr std::uint64_t seed = 21;

Case case_of(const OpTraits& op, const ArmExpectation& arm) {
  Case c = make_case(op.contract(), op.contract().variants.front().name, arm.shape, "normal", seed);
  c.dtypes = arm.dtypes;
  c.layout = arm.layout;
  return c;
}

StrategyTag strategy_of(const std::string& name) {
  for (const StrategyTag tag : {StrategyTag::none, StrategyTag::no_checkpointing, StrategyTag::balanced}) {
    if (name == to_string(tag)) return tag;
  }
  throw std::invalid_argument("arms: strategy is '" + name + "'; allowed: none, no_checkpointing, balanced");
}

std::vector<Case> cases(const Plan& plan) {
  std::vector<Case> all;
  for (const auto& arm : plan.op.arms) {
    const Case c = case_of(plan.op, arm);
    if (std::find(all.begin(), all.end(), c) == all.end()) all.push_back(c);
  }
  return all;
}

// Every line of the table that asks with this case.
void run(Context& context, const Case& c) {
  for (const auto& arm : context.op().arms) {
    if (!(case_of(context.op(), arm) == c)) continue;
    const ScopedVariable variable(context.contract().switch_name,
                                  arm.switched_on ? std::nullopt : std::optional<std::string>("0"));
    TapeOptions options;
    options.strategy = strategy_of(arm.strategy);
    options.tracked.assign(context.contract().inputs.size(), std::string(arm.tape) == "tracked");
    options.backward = false;
    const TapeResult ran = run_on_tape(context.op(), context.implementation(), context.backend(), c,
                                       make_host_case(context.op(), c), options);
    const std::string line = std::string(arm.tape) + ", " + arm.strategy + ", switch " + (arm.switched_on ? "on" : "off");
    context.check(c, line + ": C (asked,skipped,node_ran,bare_ran)", ran.counters.arms(), arm.counters);
    context.check(c, line + ": the law of counters", ran.counters.broken_law(), "");
    std::string reason = "none";
    for (const auto candidate : seam::all_declines) {
      if (ran.counters[candidate] != 0) reason = to_string(candidate);
    }
    const bool fused = std::string(arm.arm) == "node" || std::string(arm.arm) == "bare";
    context.check(c, line + ": declined for", reason, fused ? "none" : arm.arm);
    check_against_witness(context, c, line, ran.counters, *ran.seen);
  }
}

const RegisterGate registered({
    .id = "arms",
    .title = "one ask a forward: node first, bare second, tensor path last",
    .question = Question::ran,
    .rows = {"A9"},
    .cases = cases,
    .run = run,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
