// Gate `variants`: each variant is right at each dtype by its own truth. Variants that are declared one function give the same
// bits; every other pair is told apart, by the output's dtype or by at least a hundred elements that no value can satisfy in
// both.
#include <set>

#include "gates/numeric.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

constexpr int told_apart_by = 100;

// One case for each combination of dtypes that any variant serves; its variant is the first that does.
std::vector<Case> cases(const Plan& plan) {
  std::vector<Case> all;
  std::set<std::vector<DType>> seen;
  const std::vector<std::int64_t> shape = plan.at_least(Tier::smoke) ? std::vector<std::int64_t>{32, 513} : std::vector<std::int64_t>{12, 130};
  for (const auto& variant : plan.contract().variants) {
    for (const auto& served : variant.dtypes) {
      if (!seen.insert(served.inputs).second) continue;
      Case c = make_case(plan.contract(), variant.name, shape, "normal", 91);
      c.dtypes = served.inputs;
      all.push_back(c);
    }
  }
  return all;
}

struct Ran {
  Case c;
  DType output;
  std::vector<std::vector<float>> outputs;
  reference::Truth truth;
};

bool declared_equal(const OpTraits& op, const Ran& a, const Ran& b) {
  for (const auto& equal : op.equal_variants) {
    const auto has = [&](const std::string& name) {
      return std::find(equal.variants.begin(), equal.variants.end(), name) != equal.variants.end();
    };
    if (equal.dtypes == a.c.dtypes && has(a.c.variant) && has(b.c.variant)) return true;
  }
  return false;
}

std::int64_t disjoint(const reference::TruthTensor& a, const reference::TruthTensor& b) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto one = a.allowed(i, a.format());
    const auto other = b.allowed(i, b.format());
    if (one.hi < other.lo || other.hi < one.lo) ++count;
  }
  return count;
}

void compare(Context& context, const Case& c, const Ran& a, const Ran& b) {
  const std::string pair = a.c.variant + " and " + b.c.variant;
  if (declared_equal(context.op(), a, b)) {
    if (!context.op().promises.variants_share_bits) return;  // each is right by its own truth
    for (std::size_t i = 0; i < a.outputs.size(); ++i) {
      check_bits(context, c, pair + ", declared one function: " + context.contract().outputs[i].name, a.outputs[i], b.outputs[i]);
    }
    return;
  }
  if (a.output != b.output) {
    context.check(c, pair + " give " + std::string(to_string(a.output)) + " and " + std::string(to_string(b.output)), true);
    return;
  }
  const auto apart = disjoint(a.truth.outputs[0], b.truth.outputs[0]);
  context.check(c, pair + " are told apart by " + std::to_string(apart) + " elements, at least " + std::to_string(told_apart_by),
                apart >= told_apart_by);
}

void run(Context& context, const Case& c) {
  const auto& contract = context.contract();
  std::vector<Ran> all;
  for (const auto& variant : contract.variants) {
    const auto* served = kernels::find_dtypes(variant, c.dtypes);
    if (served == nullptr) continue;
    Case own = c;  // one eps for all: what differs is the function
    own.variant = variant.name;
    KernelRun kernel(context.op(), context.implementation(), default_machine(context.backend()), own);
    const auto status = kernel.forward();
    context.check(c, variant.name + " launches", status.ok() ? "ok" : status.message, "ok");
    if (!status.ok()) continue;
    Ran ran{own, served->output, {}, evaluate_truth(context.op(), own, kernel.host())};
    for (std::size_t i = 0; i < contract.outputs.size(); ++i) {
      ran.outputs.push_back(kernel.output(i));
      record_tensor(context, c, contract.outputs[i].name, ran.truth.outputs[i], ran.outputs[i], nullptr, variant.name);
    }
    all.push_back(std::move(ran));
  }
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = a + 1; b < all.size(); ++b) compare(context, c, all[a], all[b]);
  }
}

const RegisterGate registered({
    .id = "variants",
    .title = "each variant by its own truth; equal where declared, else told apart",
    .question = Question::right,
    .rows = {"B18"},
    .cases = cases,
    .run = run,
    .reach = Reach::kernels,
    .sanitized = true,
});

}  // namespace
}  // namespace seamgate::gates
