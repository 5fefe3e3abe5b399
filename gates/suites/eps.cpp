// Gate `eps`: another eps on the same input gives another result, each right, and an eps that is none is
// refused.
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "gates/counted.hpp"
#include "gates/kernel_results.hpp"
#include "gates/numeric.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

// What is refused is refused before any value is read: one distribution says it for all.
constexpr std::string_view refused_with = "eps-dominated";

// So much larger than any default that every distribution below moves by more than a bar, in every dtype.
constexpr float large_eps = 0.25F;

std::vector<Case> cases(const Plan& plan) {
  const auto& contract = plan.contract();
  std::vector<std::vector<std::int64_t>> shapes = {{5, 40}};
  std::vector<std::string> distributions = {std::string(refused_with), "normal"};
  if (plan.at_least(Tier::smoke)) {
    shapes.insert(shapes.end(), {{3, 1}, {4, 7}, {6, 600}});
    distributions.insert(distributions.end(), {"zero-rows", "tiny"});
  }
  if (plan.at_least(Tier::premerge)) {
    shapes.insert(shapes.end(), {{33, 129}, {2, 3, 33}, {3, 4099}});
    distributions.emplace_back("mixed");
  }
  std::vector<Case> all;
  for (const auto& combination : combinations(plan)) {
    const std::uint64_t seed = 81 + 100 * combination.index;
    for (std::size_t s = 0; s < shapes.size(); ++s) {
      for (std::size_t d = 0; d < distributions.size(); ++d) {
        // By place in the lists and not by number, so that each tier contains the one before.
        Case c = make_case(contract, combination.variant, shapes[s], distributions[d], seed + 8 * s + d);
        c.dtypes = combination.dtypes;
        all.push_back(c);
        c.eps = large_eps;
        all.push_back(c);
      }
    }
  }
  return all;
}

Case with_other_eps(const Case& c, const kernels::Contract& contract) {
  Case other = c;
  const float usual = default_eps(contract, c.variant);
  other.eps = c.eps == usual ? large_eps : usual;
  return other;
}

std::string print(float eps) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(eps));
  return text;
}

// Whether the truth of another eps would have let these values pass: then the case tells nothing, or eps is
// not read.
std::string told_apart(const OpTraits& op, const reference::TruthTensor& other_truth, const std::vector<float>& values) {
  return compare_tensor(other_truth, values, bar_of(op)).passed ? "right for both" : "told apart";
}

// Whether another eps gives another truth anywhere.
bool reads_eps(const reference::TruthTensor& truth, const reference::TruthTensor& other) {
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const auto a = truth.hi_lo(i);
    const auto b = other.hi_lo(i);
    if (a.hi != b.hi || a.lo != b.lo) return true;
  }
  return false;
}

void check_live(Context& context, const Case& c, const HostCase& host) {
  const auto& contract = context.contract();
  const Case other = with_other_eps(c, contract);
  const Machine machine = default_machine(context.backend());
  KernelRun kernel(context.op(), context.implementation(), machine, c, host);
  const KernelResults results = launch_both(kernel, contract);
  const auto truth = evaluate_truth(context.op(), c, host);
  record_against_truth(context, c, truth, results.outputs, results.gradients, nullptr, {}, &host);

  KernelRun other_kernel(context.op(), context.implementation(), machine, other, host);
  const KernelResults other_results = launch_both(other_kernel, contract);
  const auto other_truth = evaluate_truth(context.op(), other, host);
  for (std::size_t i = 0; i < contract.outputs.size(); ++i) {
    const std::string name =
        contract.outputs[i].name + " of eps " + print(c.eps) + " and of eps " + print(other.eps);
    const bool differ = !compare_bits(results.outputs[i], other_results.outputs[i]).passed;
    if (!reads_eps(truth.outputs[i], other_truth.outputs[i])) {
      context.check(c, name + ", in which eps has no say", differ ? "differ" : "the same bits", "the same bits");
      continue;
    }
    context.check(c, name, differ ? "differ" : "the same bits", "differ");
    context.check(c, name + " by truth", told_apart(context.op(), other_truth.outputs[i], results.outputs[i]),
                  "told apart");
  }
}

bool is_clear(const Context& context, const std::string& message) { return is_clear_refusal(context, message, {"eps"}); }

void check_refused_by_launch(Context& context, const Case& bad, const Case& c, const HostCase& host) {
  const auto& contract = context.contract();
  const std::string name = "a launch with eps " + print(bad.eps);
  KernelRun kernel(context.op(), context.implementation(), default_machine(context.backend()), bad, host);
  const KernelResults before = read_results(kernel, contract);
  const auto mark = context.witness() == nullptr ? 0 : context.witness()->mark();
  const auto status = kernel.forward();
  const bool refused = status.code == kernels::StatusCode::invalid && is_clear(context, status.message);
  context.check(c, name,
                refused       ? "refused"
                : status.ok() ? "launched"
                              : "unclear: " + status.message,
                "refused");
  context.check(c, name + ": what it leaves", same_bits(contract, read_results(kernel, contract), before),
                same_bits_text);
  if (context.witness() != nullptr) {  // not under a tool
    context.check(c, name + ": launches", std::to_string(context.witness()->since(mark).count()), "0");
  }
}

void check_refused_by_seam(Context& context, const Case& bad, const Case& c, const HostCase& host) {
  const std::string name = "an ask with eps " + print(bad.eps);
  std::string got = "served";
  const auto mark = context.witness() == nullptr ? 0 : context.witness()->mark();
  try {
    run_on_tape(context.op(), context.implementation(), context.backend(), bad, host, {});
  } catch (const std::invalid_argument& error) {
    got = is_clear(context, error.what()) ? "refused" : "unclear: " + std::string(error.what());
  } catch (const std::runtime_error& error) {
    got = "launched, and failed there: " + std::string(error.what());
  }
  context.check(c, name, got, "refused");
  const seam::SeamLock lock;
  context.check(c, name + ": counters", context.implementation().counters().read(lock).arms(), "(0,0,0,0)");
  if (context.witness() != nullptr) {
    const auto launches = forwards_of(context.contract(), context.witness()->since(mark));
    context.check(c, name + ": launches", std::to_string(launches), "0");
  }
}

void run(Context& context, const Case& c) {
  const HostCase host = make_host_case(context.op(), c);
  check_live(context, c, host);
  if (c.distribution != refused_with || c.eps == large_eps) return;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float eps : {0.0F, -0.0F, -1e-6F, std::nanf(""), infinity, -infinity}) {
    Case bad = c;
    bad.eps = eps;
    if (context.op().promises.refuses_bad_eps) check_refused_by_launch(context, bad, c, host);
    check_refused_by_seam(context, bad, c, host);
  }
}

std::string inapplicable(const OpTraits& op) {
  return op.contract().has_eps ? "" : op.name + " has no eps";
}

const RegisterGate registered({
    .id = "eps",
    .title = "eps is live, and what is no eps is refused",
    .question = Question::right,
    .rows = {"B16"},
    .inapplicable = inapplicable,
    .cases = cases,
    .run = run,
    .reach = Reach::kernels,
    .timeout_s = 300,
    .witnessed = true,
    .sanitized = true,
});

}  // namespace
}  // namespace seamgate::gates
