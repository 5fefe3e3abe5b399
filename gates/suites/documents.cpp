// Gate `documents`: what documents, comments and gate titles name exists: paths, targets, options, variables,
// gates, commands, flags and presets.
#include "gates/account.hpp"
#include "gates/app/spawn.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

void run(Context& context, const Case& c) {
  const Account account = take_account({"documents", "--program", own_program()}, 60);
  check_account(context, c, account,
                {"document", "comment", "title", "path", "variable", "gate", "command", "flag", "preset",
                 "identifier", "link"});
}

const RegisterGate registered({
    .id = "documents",
    .title = "what documents, comments and gate titles name exists",
    .question = Question::house,
    .rows = {"A19"},
    .backends = {Backend::cpu},
    .backends_reason = "documents are read, no kernel runs",
    .inapplicable = answered_once,
    .cases = [](const Plan& plan) { return std::vector<Case>{structure_cases(plan).front()}; },
    .run = run,
    .reach = Reach::house,
    .judges_mutants = false,
});

}  // namespace
}  // namespace seamgate::gates
