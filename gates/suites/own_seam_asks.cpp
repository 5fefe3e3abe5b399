// Gate `own_seam_asks`: a library's own seam serves what its contract says and declines everything else, each
// ask counted once and each decline with a reason; what is declined is not written.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "gates/kernel_results.hpp"
#include "gates/numeric.hpp"
#include "gates/plugin/own_seam.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

constexpr std::int64_t most_elements = std::int64_t{1} << 22;  // of an ask that is only there to be declined

std::vector<Case> in_all_layouts(const kernels::Contract& contract, const std::string& variant,
                                 const std::vector<DType>& dtypes, std::uint64_t seed) {
  std::vector<Case> all;
  for (const char* layout : {"packed", "strided", "offset1", "offset4"}) {
    for (const auto& shape : {std::vector<std::int64_t>{5, 48}, {48}, {2, 3, 48}, {2, 1, 3, 48}}) {
      Case c = make_case(contract, variant, shape, "normal", seed++);
      c.dtypes = dtypes;
      c.layout = layout;
      all.push_back(c);
    }
  }
  return all;
}

// What the contract serves, and beside each limit what it does not.
std::vector<Case> cases(const Plan& plan) {
  const auto& contract = plan.contract();
  const auto& whole = find_op(plan.op.name).contract();
  std::vector<Case> all;
  std::uint64_t seed = 501;
  for (const auto& variant : contract.variants) {
    for (const auto& served : variant.dtypes) {
      for (const Case& c : in_all_layouts(contract, variant.name, served.inputs, seed += 16))
        all.push_back(c);
    }
  }
  const Case plain = all.front();
  for (const auto& variant : whole.variants) {
    for (const auto& served : variant.dtypes) {
      Case c = plain;
      c.variant = variant.name;
      c.eps = variant.default_eps;
      c.dtypes = served.inputs;
      all.push_back(c);
    }
  }
  for (const auto& shape :
       {std::vector<std::int64_t>{2, contract.max_columns}, {1, contract.max_columns + 1}, {0, 40}, {3, 0}}) {
    Case c = plain;
    c.shape = shape;
    if (c.rows() * c.columns() <= most_elements) all.push_back(c);
  }
  std::vector<Case> once;
  for (const Case& c : all) {
    if (std::find(once.begin(), once.end(), c) == once.end()) once.push_back(c);
  }
  return once;
}

bool is_served(const OpTraits& op, const Case& c) {
  return is_within(op, c) && (c.rows() * c.columns() > 0 || op.contract().serves_empty);
}

bool written(Context& context, KernelRun& kernel) {
  KernelResults results = read_results(kernel, context.contract());
  for (auto& values : results.saved) std::fill(values.begin(), values.end(), 0.0F);  // a seam has its own
  return first_nan(context.contract(), results).empty();
}

void run(Context& context, const Case& c) {
  const bool served = is_served(context.op(), c);
  plugin::SeamRun seam(context.op(), context.backend(), c, make_host_case(context.op(), c));
  const KernelResults before = read_results(seam.kernel(), context.contract());
  plugin::reset_counters();
  context.check(c, "after reset (asked,declined,served,failed)", plugin::text_of(plugin::read_counters()),
                "(0,0,0,0)");
  const auto said = seam.ask(true);
  const auto counted = plugin::read_counters();
  const std::string answer = said.code == SEAMGATE_OK ? "served"
                             : said.code == SEAMGATE_DECLINED
                                 ? "declined"
                                 : "an error, " + std::to_string(said.code) + ": " + said.message;
  const std::string because = said.code == SEAMGATE_DECLINED ? " (it says: " + said.message + ")" : "";
  context.check(
      c, served ? "the contract says that this is served" + because : "the contract does not serve this",
      answer, served ? "served" : "declined");
  context.check(c, "(asked,declined,served,failed)", plugin::text_of(counted),
                served ? "(1,0,1,0)" : "(1,1,0,0)");
  context.check(c, "asked == declined + served + failed", plugin::broken_law(counted), "");
  const std::string place = !served                 ? "not served"
                            : c.layout == "packed"  ? "contiguous"
                            : c.layout == "strided" ? "strided"
                                                    : "offset";
  nlohmann::ordered_json row = {{"name", "own: " + place},
                                {"asked", counted.asked},
                                {"declined", counted.declined},
                                {"node", counted.served}};
  row["passed"] = answer == (served ? "served" : "declined");
  if (said.code == SEAMGATE_OK && served) {
    const auto back = seam.backward(std::vector<bool>(context.contract().inputs.size(), true));
    context.check(c, "and its backward", back.code == SEAMGATE_OK ? "ok" : back.message, "ok");
    const auto after = plugin::read_counters();
    context.check(c, "backwards counted", std::to_string(after.backward), "1");
    row["backward"] = after.backward;
    // The buffers held NaN before: what is a number now was written by a call that ran.
    const bool ran = written(context, seam.kernel());
    row["witness_forward"] = ran ? 1 : 0;
    row["witness_backward"] = ran && back.code == SEAMGATE_OK ? 1 : 0;
    context.check(c, "what is counted as served has been written", ran);
  } else if (said.code != SEAMGATE_OK) {
    context.check(c, "the reason is one line", !said.message.empty());
    context.check(c, "what it leaves",
                  same_bits(context.contract(), read_results(seam.kernel(), context.contract()), before),
                  same_bits_text);
  }
  context.record().counters(row);
  context.check(c, "nothing else is touched", seam.kernel().damage(), "");
}

const RegisterGate registered({
    .id = "own_seam_asks",
    .title = "a library's own seam serves what its contract says, declines the rest with a reason, and "
             "counts each ask once",
    .question = Question::ran,
    .rows = {"A8", "A9", "A10"},
    .cases = cases,
    .run = run,
    .reach = Reach::own_seam,
    .judges_mutants = false,
});

}  // namespace
}  // namespace seamgate::gates
