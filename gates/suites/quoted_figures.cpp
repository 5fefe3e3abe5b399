// Gate `quoted_figures`: a figure in a document equals the record that it names, and no figure stands without
// one.
#include "gates/account.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

void run(Context& context, const Case& c) {
  check_account(context, c, take_account({"figures"}, 60), {"document", "comment", "figure"});
}

const RegisterGate registered({
    .id = "quoted_figures",
    .title = "a quoted figure equals the record that it names",
    .question = Question::house,
    .rows = {"A23"},
    .backends = {Backend::cpu},
    .backends_reason = "documents and records are read, no kernel runs",
    .inapplicable = answered_once,
    .cases = [](const Plan& plan) { return std::vector<Case>{structure_cases(plan).front()}; },
    .run = run,
    .reach = Reach::house,
    .judges_mutants = false,
});

}  // namespace
}  // namespace seamgate::gates
