// Gate `own_seam_trains`: what a library's own seam serves trains: the backward of an ask gives every input a
// gradient that is finite, not zero, and right, whichever are wanted.
#include <algorithm>
#include <cmath>

#include "gates/numeric.hpp"
#include "gates/plugin/own_seam.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

std::vector<Case> cases(const Plan& plan) {
  std::vector<Case> some;
  for (const Case& c : numeric_sweep(plan)) {
    if (is_within(plan.op, c) && c.rows() * c.columns() <= 20000) some.push_back(c);
  }
  return some;
}

std::string magnitude_of(const std::vector<float>& gradient) {
  double largest = 0.0;
  for (const float value : gradient) {
    if (!std::isfinite(value)) return "not finite: " + std::to_string(value);
    largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  return largest > 0.0 ? "finite, not zero" : "zero in all " + std::to_string(gradient.size()) + " elements";
}

void run(Context& context, const Case& c) {
  const auto& contract = context.contract();
  const HostCase host = make_host_case(context.op(), c);
  const auto truth = evaluate_truth(context.op(), c, host);
  plugin::SeamRun seam(context.op(), context.backend(), c, host);
  const auto said = seam.ask(true);
  context.check(c, "an ask that wants a gradient", said.code == SEAMGATE_OK ? "served" : said.message,
                "served");
  if (said.code != SEAMGATE_OK) return;
  const auto back = seam.backward(std::vector<bool>(contract.inputs.size(), true));
  context.check(c, "its backward", back.code == SEAMGATE_OK ? "ok" : back.message, "ok");
  std::vector<std::vector<float>> outputs;
  std::vector<std::vector<float>> gradients;
  for (std::size_t i = 0; i < contract.outputs.size(); ++i) outputs.push_back(seam.kernel().output(i));
  for (std::size_t i = 0; back.code == SEAMGATE_OK && i < contract.inputs.size(); ++i) {
    gradients.push_back(seam.kernel().gradient(i));
    // Where eps has not swallowed it, and no row is zero throughout.
    if (truth.gradients[i].max_abs() > 0.0)
      context.check(c, "d" + contract.inputs[i].name, magnitude_of(gradients[i]), "finite, not zero");
  }
  record_against_truth(context, c, truth, outputs, gradients, nullptr, "own seam", &host);
  context.check(c, "nothing else is touched", seam.kernel().damage(), "");

  plugin::SeamRun other(context.op(), context.backend(), c, host);
  const auto alone = other.ask(false);
  context.check(c, "an ask that wants no gradient", alone.code == SEAMGATE_OK ? "served" : alone.message,
                "served");
  if (alone.code != SEAMGATE_OK) return;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    check_bits(context, c, "and gives the same " + contract.outputs[i].name, other.kernel().output(i),
               outputs[i]);
}

const RegisterGate registered({
    .id = "own_seam_trains",
    .title = "what a library's own seam serves trains",
    .question = Question::trains,
    .rows = {"A5", "A12"},
    .cases = cases,
    .run = run,
    .reach = Reach::own_seam,
    .judges_mutants = false,
});

}  // namespace
}  // namespace seamgate::gates
