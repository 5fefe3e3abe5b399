// What a seam counted, held against what the witness saw.
#include "gates/counted.hpp"

#include <nlohmann/json.hpp>

namespace seamgate::gates {

bool names_kernels(const kernels::Contract& contract) {
  return !contract.forward_kernel.empty() && contract.forward_launches > 0;
}

std::size_t forwards_of(const kernels::Contract& contract, const KernelsSeen& seen) {
  return names_kernels(contract) ? seen.count_of(contract.forward_kernel) : 0;
}

std::size_t backwards_of(const kernels::Contract& contract, const KernelsSeen& seen) {
  std::size_t count = 0;
  for (const auto& kernel : contract.backward_kernels) count += seen.count_of(kernel);
  return count;
}

namespace {

nlohmann::ordered_json totals(const seam::CounterSnapshot& counters) {
  using seam::Counter;
  return {{"asked", counters[Counter::asked]},
          {"declined", counters[Counter::skipped]},
          {"node", counters[Counter::node_ran]},
          {"bare", counters[Counter::bare_ran]},
          {"backward", counters[Counter::node_backward]}};
}

// How many launches are wanted: `each` for every run. Where the contract does not tell (0), or only some may be needed, as many as
// were seen, if they are one at least for every run and none without.
std::size_t wanted(std::size_t seen, std::uint64_t runs, int each, bool some) {
  const auto most = runs * static_cast<std::uint64_t>(each);
  const bool told = each > 0;
  if (told && !some) return most;
  const bool admitted = seen >= runs && (runs > 0 || seen == 0) && (!told || seen <= most);
  return admitted ? seen : told ? most : runs;
}

}  // namespace

void record_counters(Context& context, const std::string& name, const seam::CounterSnapshot& counters) {
  nlohmann::ordered_json counted = totals(counters);
  counted["name"] = name;
  context.record().counters(counted);
}

void check_against_witness(Context& context, const Case& c, const std::string& where, const seam::CounterSnapshot& counters,
                           const KernelsSeen& seen, Parents parents) {
  using seam::Counter;
  const auto& contract = context.contract();
  nlohmann::ordered_json counted = totals(counters);
  const std::string begin = where.empty() ? "" : where + ": ";
  if (!names_kernels(contract)) {
    context.record().counters(counted);
    if (counters[Counter::node_ran] + counters[Counter::bare_ran] == 0) return;
    // What the tensor path launches has names of its own.
    const bool any = seen.count() > seen.count_of("primitive.");
    context.check(c, begin + "kernels of any name by the witness, for the contract does not tell them", any ? "seen" : "none", "seen");
    return;
  }
  const auto forwards = forwards_of(contract, seen);
  const auto backwards = backwards_of(contract, seen);
  const auto runs = counters[Counter::node_ran] + counters[Counter::bare_ran];
  const auto steps = counters[Counter::adjoint_fused];
  const auto text = [](auto number) { return std::to_string(number); };
  const std::string got = text(forwards) + " forward, " + text(backwards) + " backward";
  const std::string want = text(wanted(forwards, runs, contract.forward_launches, false)) + " forward, " +
                           text(wanted(backwards, steps, contract.backward_launches, parents == Parents::some_tracked)) + " backward";
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
