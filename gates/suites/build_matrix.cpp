// Gate `build_matrix`: each preset is configured and has the targets that ci/build_matrix.json gives it; what
// it leaves out is listed by name. Nothing is compiled: ci/test shows that one preset links, ci/matrix that
// all do.
#include "gates/account.hpp"
#include "gates/app/spawn.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

void run(Context& context, const Case& c) {
  std::vector<std::string> arguments = {"builds", "--program", own_program()};
  if (!context.plan().at_least(Tier::premerge))
    arguments.insert(arguments.end(), {"--preset", "cpu", "--preset", "asan"});
  const Account account = take_account(arguments, 240);
  check_account(context, c, account, {"preset", "target", "test binary"});
  for (const auto& [preset, list] : account.listed) context.record().note(preset + ": " + list);
}

const RegisterGate registered({
    .id = "build_matrix",
    .title = "each preset has the targets of the table; what it leaves out is listed",
    .question = Question::house,
    .rows = {"A18"},
    .backends = {Backend::cpu},
    .backends_reason = "builds are configured, no kernel runs; the CUDA build is among them",
    .inapplicable = answered_once,
    .cases = [](const Plan& plan) { return std::vector<Case>{structure_cases(plan).front()}; },
    .run = run,
    .reach = Reach::house,
    .judges_mutants = false,
    .timeout_s = 300,
});

}  // namespace
}  // namespace seamgate::gates
