// Gate `same_gates`: both backends have the same list of gates, each with as many cases; a difference has a
// reason.
#include <algorithm>
#include <string>

#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

std::string backends_of(const Gate& gate) {
  std::string names;
  for (const Backend backend : all_backends) {
    if (is_declared_for(gate, backend)) names += (names.empty() ? "" : " ") + std::string(to_string(backend));
  }
  return names;
}

// "smoke 12, premerge 40, nightly 96"
std::string case_counts(const Gate& gate, const OpTraits& op, Backend backend) {
  std::string text;
  for (const Tier tier : all_tiers) {
    text += (text.empty() ? "" : ", ") + std::string(to_string(tier)) + " " +
            std::to_string(gate.cases({op, backend, tier}).size());
  }
  return text;
}

void run(Context& context, const Case& c) {
  std::string everywhere;
  for (const Backend backend : all_backends)
    everywhere += (everywhere.empty() ? "" : " ") + std::string(to_string(backend));
  int alike = 0;
  for (const Gate* gate : all_gates()) {
    const std::string named = "gate " + gate->id;
    if (const std::string backends = backends_of(*gate); backends != everywhere) {
      context.record().check(named + " is on " + backends + " alone", !gate->backends_reason.empty(),
                             gate->backends_reason.empty() ? "no reason" : gate->backends_reason, "a reason",
                             c.str());
      continue;
    }
    ++alike;
    bool differs = false;
    for (const OpTraits* op : all_ops()) {
      if (gate->inapplicable != nullptr && !gate->inapplicable(*op).empty()) continue;
      const std::string want = case_counts(*gate, *op, all_backends.front());
      for (const Backend backend : all_backends) {
        const std::string got = case_counts(*gate, *op, backend);
        differs = differs || got != want;
        const std::string name = named + ": cases of " + op->name + " on " + std::string(to_string(backend));
        const std::string why = gate->cases_reason.empty() ? "" : " (" + gate->cases_reason + ")";
        context.record().check(name, got == want || !why.empty(), got + why, want, c.str());
      }
    }
    context.record().check(named + " gives a reason for its cases exactly where they differ",
                           differs == !gate->cases_reason.empty(),
                           gate->cases_reason.empty() ? "no reason" : gate->cases_reason,
                           differs ? "a reason" : "no reason", c.str());
  }
  for (const Backend backend : all_backends) {
    const auto gates = all_gates();
    const auto without_reason = std::count_if(gates.begin(), gates.end(), [&](const Gate* gate) {
      return is_declared_for(*gate, backend) && gate->backends_reason.empty();
    });
    context.check(c, "gates on " + std::string(to_string(backend)) + ", those with a reason left out",
                  std::to_string(without_reason), std::to_string(alike));
  }
}

const RegisterGate registered({
    .id = "same_gates",
    .title = "both backends have the same gates and cases, or a reason is listed",
    .question = Question::house,
    .rows = {"B24"},
    .backends = {Backend::cpu},
    .backends_reason = "the list of gates is read, no kernel runs",
    .inapplicable = answered_once,
    .cases = [](const Plan& plan) { return std::vector<Case>{structure_cases(plan).front()}; },
    .run = run,
    .reach = Reach::house,
    .judges_mutants = false,
});

}  // namespace
}  // namespace seamgate::gates
