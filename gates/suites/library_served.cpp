// Gate `library_served`: whatever a library's contract says is served reaches its kernel, once a call,
// forward and backward, and the call leaves the process that makes it as it was.
#include <nlohmann/json.hpp>

#include "gates/counted.hpp"
#include "gates/numeric.hpp"
#include "gates/plugin/in_force.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

std::string how_it_lies(const Case& c) {
  if (c.layout == "packed") return "contiguous";
  return c.layout == "strided" ? "strided" : "offset";
}

std::vector<Case> cases(const Plan& plan) {
  const auto& contract = plan.contract();
  std::vector<Case> all;
  std::uint64_t seed = 401;
  for (const auto& variant : contract.variants) {
    for (const auto& served : variant.dtypes) {
      for (const char* layout : {"packed", "strided", "offset1", "offset4"}) {
        for (const auto& shape : {std::vector<std::int64_t>{48}, {5, 48}, {2, 3, 48}, {2, 1, 3, 48}}) {
          Case c = make_case(contract, variant.name, shape, "normal", seed++);
          c.dtypes = served.inputs;
          c.layout = layout;
          all.push_back(c);
        }
      }
    }
  }
  return all;
}

// With y in x's memory the same bits as with y in its own.
void check_in_place(Context& context, const Case& c, const HostCase& host) {
  const auto& contract = context.contract();
  const bool alike =
      contract.inputs[0].extent == contract.outputs[0].extent && output_dtype(contract, c) == c.dtypes[0];
  if (!context.op().promises.in_place || !alike) return;
  KernelRun apart(context.op(), context.implementation(), default_machine(context.backend()), c, host);
  KernelRun kernel(context.op(), context.implementation(), default_machine(context.backend()), c, host);
  const auto status = apart.forward();
  const auto in_place = kernel.forward_in_place();
  context.check(c, "in place, as the contract allows", in_place.ok() ? "ok" : in_place.message, "ok");
  if (!status.ok() || !in_place.ok()) return;
  check_bits(context, c, "in place: " + contract.outputs[0].name + " as in memory of its own",
             kernel.first_input(), apart.output(0));
}

void run(Context& context, const Case& c) {
  const HostCase host = make_host_case(context.op(), c);
  const auto& facts = plugin::facts_in_force();
  nlohmann::ordered_json counters = {{"name", how_it_lies(c)}, {"asked", 1}};
  std::string refused;
  TapeResult ran;
  try {
    ran = run_on_tape(context.op(), context.implementation(), context.backend(), c, host, {});
  } catch (const std::runtime_error& error) {
    refused = error.what();
  }
  const auto& counted = ran.counters;
  counters["declined"] = refused.empty() ? counted[seam::Counter::skipped] : 1;
  counters["node"] = counted[seam::Counter::node_ran];
  counters["bare"] = counted[seam::Counter::bare_ran];
  counters["backward"] = counted[seam::Counter::adjoint_fused];
  const auto& contract = context.contract();
  const KernelsSeen seen = ran.seen.value_or(KernelsSeen{});
  const auto forwards = forwards_of(contract, seen);
  const auto backwards = backwards_of(contract, seen);
  if (names_kernels(contract)) {
    counters["witness_forward"] = forwards;
    counters["witness_backward"] = backwards;
  }
  const auto others = seen.count() - seen.count_of("primitive.");
  const std::string by_witness = names_kernels(contract) ? std::to_string(forwards) + " and " + std::to_string(backwards)
                                 : others > 0            ? "some"
                                                         : "none";
  const std::string wanted = names_kernels(contract) ? std::to_string(contract.forward_launches) + " and " +
                                                           std::to_string(contract.backward_launches)
                                                     : "some";
  const bool reached = refused.empty() && counted.arms() == "(1,0,1,0)" && by_witness == wanted;
  counters["passed"] = reached;
  context.record().counters(counters);
  context.check(c, "the contract says that this is served (" + how_it_lies(c) + "): the kernel",
                refused.empty() ? "serves it" : "says: " + refused, "serves it");
  if (!refused.empty()) return;
  context.check(c, "C (asked,skipped,node_ran,bare_ran)", counted.arms(), "(1,0,1,0)");
  context.check(c, "kernels of '" + facts.kernel + "' by the witness, " + (names_kernels(contract) ? "forward and backward" : "by any name"),
                by_witness, wanted);
  for (std::size_t i = 0; i < ran.gradients.size(); ++i) {
    context.check(c, "d" + context.contract().inputs[i].name + " arrives", ran.gradients[i].has_value());
  }
  check_in_place(context, c, host);
}

const RegisterGate registered({
    .id = "library_served",
    .title = "whatever a library's contract says is served reaches its kernel",
    .question = Question::ran,
    .rows = {"A2"},
    .cases = cases,
    .run = run,
    .reach = Reach::library,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
