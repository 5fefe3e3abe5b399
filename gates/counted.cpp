// What a seam counted, held against what the witness saw.
#include "gates/counted.hpp"

#include <nlohmann/json.hpp>

namespace seamgate::gates {

bool names_kernels(const kernels::Contract& contract) { return !contract.forward_kernel.empty(); }

std::size_t forwards_of(const kernels::Contract& contract, const KernelsSeen& seen) {
  return names_kernels(contract) ? seen.count_of(contract.forward_kernel) : 0;
}

std::size_t backwards_of(const kernels::Contract& contract, const KernelsSeen& seen) {
  std::size_t count = 0;
  for (const auto& kernel : contract.backward_kernels) count += seen.count_of(kernel);
  return count;
}

void check_against_witness(Context& context, const Case& c, const std::string& where, const seam::CounterSnapshot& counters,
                           const KernelsSeen& seen, Parents parents) {
  using seam::Counter;
  const auto& contract = context.contract();
  nlohmann::ordered_json counted = {{"asked", counters[Counter::asked]},
                                    {"declined", counters[Counter::skipped]},
                                    {"node", counters[Counter::node_ran]},
                                    {"bare", counters[Counter::bare_ran]},
                                    {"backward", counters[Counter::node_backward]}};
  if (!names_kernels(contract)) {
    context.record().counters(counted);
    return;
  }
  const std::string begin = where.empty() ? "" : where + ": ";
  const auto forwards = forwards_of(contract, seen);
  const auto backwards = backwards_of(contract, seen);
  const auto runs = counters[Counter::node_ran] + counters[Counter::bare_ran];
  const auto steps = counters[Counter::adjoint_fused];
  const auto text = [](auto number) { return std::to_string(number); };
  const auto most = steps * static_cast<std::uint64_t>(contract.backward_launches);
  // As many as are admitted, or the number that is wanted.
  const bool admitted = parents == Parents::some_tracked && backwards >= steps && backwards <= most;
  const std::string got = text(forwards) + " forward, " + text(backwards) + " backward";
  const std::string want =
      text(runs * static_cast<std::uint64_t>(contract.forward_launches)) + " forward, " + text(admitted ? backwards : most) + " backward";
  counted["witness_forward"] = forwards;
  counted["witness_backward"] = backwards;
  context.record().counted(begin + "fused kernels by the witness, as the counters have it", got, want, c.str(),
                           counted);
  if (parents == Parents::some_tracked) return;
  for (const auto& kernel : contract.backward_kernels) {
    context.check(c, begin + kernel + " by the witness", seen.count_of(kernel) > 0 ? "seen" : "not seen", steps > 0 ? "seen" : "not seen");
  }
}

}  // namespace seamgate::gates
