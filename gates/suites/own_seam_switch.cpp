// Gate `own_seam_switch`: the switch of a library's own seam is read at every ask. Its off words decline and
// leave the outputs alone, its on words serve, and any other value is an error that is not counted.
#include "gates/kernel_results.hpp"
#include "gates/plugin/in_force.hpp"
#include "gates/plugin/own_seam.hpp"
#include "gates/scoped_variable.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

enum class Expected { served, declined, error };

void ask_under(Context& context, const Case& c, const std::optional<std::string>& value, Expected expected,
               const std::string& where = {}) {
  const std::string name = plugin::facts_in_force().switch_name;
  const ScopedVariable variable(name, value);
  plugin::SeamRun seam(context.op(), context.backend(), c, make_host_case(context.op(), c));
  const KernelResults before = read_results(seam.kernel(), context.contract());
  plugin::reset_counters();
  const auto said = seam.ask(true);
  const auto counted = plugin::text_of(plugin::read_counters());
  const std::string what = where + name + (value ? "='" + *value + "'" : " unset");
  const std::string got = said.code == SEAMGATE_OK         ? "served"
                          : said.code == SEAMGATE_DECLINED ? "declined"
                          : said.code == SEAMGATE_INVALID  ? "an error"
                                                           : "code " + std::to_string(said.code);
  context.check(c, what, got,
                expected == Expected::served     ? "served"
                : expected == Expected::declined ? "declined"
                                                 : "an error");
  context.check(c, what + ": (asked,declined,served,failed)", counted,
                expected == Expected::served     ? "(1,0,1,0)"
                : expected == Expected::declined ? "(1,1,0,0)"
                                                 : "(0,0,0,0)");
  if (expected == Expected::served) return;
  context.check(c, what + ": the outputs are left alone",
                same_bits(context.contract(), read_results(seam.kernel(), context.contract()), before),
                same_bits_text);
  if (expected != Expected::error) return;
  const bool clear =
      said.message.find(name) != std::string::npos && said.message.find(*value) != std::string::npos;
  context.check(c, what + ": the message names the variable and the value (" + said.message + ")", clear);
}

void run(Context& context, const Case& c) {
  const auto& facts = plugin::facts_in_force();
  const std::string& off = facts.off_words.front();
  const std::string& on = facts.on_words.front();
  int step = 0;
  for (const bool served : {false, true, false, true}) {
    ask_under(context, c, served ? on : off, served ? Expected::served : Expected::declined,
              "step " + std::to_string(++step) + " in one process, ");
  }
  ask_under(context, c, std::nullopt, Expected::served);
  for (const auto& word : facts.off_words) ask_under(context, c, word, Expected::declined);
  for (const auto& word : facts.on_words) ask_under(context, c, word, Expected::served);
  for (const std::string word : {"maybe", "2", "of f"}) ask_under(context, c, word, Expected::error);
}

std::vector<Case> cases(const Plan& plan) {
  Case c = structure_cases(plan).front();
  c.shape = {48};
  if (plan.op.promises.least_rank > 1)
    c.shape.insert(c.shape.begin(), static_cast<std::size_t>(plan.op.promises.least_rank - 1), 3);
  return {c};
}

const RegisterGate registered({
    .id = "own_seam_switch",
    .title =
        "the switch of a library's own seam is read at every ask, declines, and leaves the outputs alone",
    .question = Question::off,
    .rows = {"A7"},
    .cases = cases,
    .run = run,
    .reach = Reach::own_switch,
    .judges_mutants = false,
});

}  // namespace
}  // namespace seamgate::gates
