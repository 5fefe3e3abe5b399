// Gate `races`: the checked emulator finds nothing in forward and backward, and the order in which threads
// run changes no bit.
#include <array>

#include "gates/kernel_results.hpp"
#include "gates/sweep.hpp"
#include "kernels/simt/checker.hpp"
#include "kernels/simt/schedule.hpp"

namespace seamgate::gates {
namespace {

// Rows of several warps with a row loop in one block (a race needs a second turn), rows of one warp, padding
// between rows that nobody may touch, and bases that no vector access may assume to be aligned.
constexpr std::array table = {
    LaunchRow{5, 600, "packed", 1, Tier::control},
    LaunchRow{6, 40, "strided", 2, Tier::control},
    LaunchRow{3, 7, "offset1", 0, Tier::control},
    LaunchRow{1, 1, "packed", 0, Tier::smoke},
    LaunchRow{7, 600, "strided", 2, Tier::smoke},
    LaunchRow{5, 1030, "offset1", 1, Tier::smoke},
    LaunchRow{33, 129, "packed", 1, Tier::smoke},
    LaunchRow{40, 33, "offset2", 1, Tier::smoke},
    LaunchRow{9, 130, "offset3", 2, Tier::smoke},
    LaunchRow{4, 513, "packed", 0, Tier::smoke},
    LaunchRow{3, 4099, "packed", 1, Tier::premerge},
    LaunchRow{3, 8192, "strided", 1, Tier::premerge},
    LaunchRow{70, 600, "packed", 2, Tier::premerge},
    LaunchRow{1100, 5, "strided", 1, Tier::premerge},
    LaunchRow{130, 129, "offset5", 3, Tier::premerge},
    LaunchRow{12, 1025, "strided", 3, Tier::premerge},
    LaunchRow{37, 31, "offset6", 0, Tier::premerge},
    LaunchRow{2, 16384, "packed", 1, Tier::premerge},
    // One tensor out of line with all others.
    LaunchRow{3, 40, "odd0", 0, Tier::smoke},
    LaunchRow{3, 40, "odd1", 0, Tier::smoke},
    LaunchRow{3, 40, "odd2", 0, Tier::smoke},
    LaunchRow{3, 40, "odd3", 0, Tier::smoke},
    LaunchRow{3, 40, "odd4", 0, Tier::smoke},
    LaunchRow{3, 40, "odd5", 0, Tier::smoke},
    LaunchRow{3, 40, "odd6", 0, Tier::smoke},
    LaunchRow{3, 40, "odd7", 0, Tier::smoke},
    LaunchRow{3, 40, "odd8", 0, Tier::smoke},
    LaunchRow{3, 40, "odd9", 0, Tier::smoke},
};

std::vector<Case> cases(const Plan& plan) {
  return table_cases(plan, table, "normal", 41);
}

struct Checked {
  std::string findings = "none";  // or the first, as the checker words it
  bool stopped = false;           // by what would be unsafe to run outside the checker
};

template <class Launch>
Checked check(Launch launch) {
  const simt::CheckerScope scope;
  const kernels::Status status = launch();
  const auto findings = scope.findings();
  if (findings.empty()) return {status.ok() ? "none" : status.message, !status.ok()};
  const std::size_t more = findings.size() - 1;
  return {findings.front().message + (more > 0 ? " (and " + std::to_string(more) + " more)" : ""),
          !status.ok()};
}

// A launch of its own for each: what another backward wrote would hide a read of what this one did not write.
// Returns whether the launches came to their end.
bool check_findings(Context& context, const Case& c, const std::vector<bool>& wanted,
                    const std::string& name) {
  KernelRun kernel(context.op(), context.implementation(), Machine::cpu_checked, c);
  const Checked forward = check([&] { return kernel.forward(); });
  context.check(c, "forward, then " + name + ": findings in the forward", forward.findings, "none");
  if (forward.stopped) return false;  // what it left behind says nothing of the backward
  const Checked backward = check([&] { return kernel.backward(wanted); });
  context.check(c, name + ": findings in the backward", backward.findings, "none");
  return !backward.stopped;
}

bool check_findings(Context& context, const Case& c) {
  const auto& inputs = context.contract().inputs;
  bool ended = check_findings(context, c, std::vector<bool>(inputs.size(), true), "all gradients");
  for (std::size_t i = 0; inputs.size() > 1 && i < inputs.size(); ++i) {
    std::vector<bool> wanted(inputs.size(), false);
    wanted[i] = true;
    ended = check_findings(context, c, wanted, "d" + inputs[i].name + " alone") && ended;
  }
  return ended;
}

// Uniform random orders miss a missing barrier before shared memory is used again; greedy warp priorities
// find it.
void check_orders(Context& context, const Case& c) {
  const simt::ExecutionScope restore;
  KernelRun kernel(context.op(), context.implementation(), Machine::cpu_plain, c);
  simt::set_schedule(simt::Schedule::in_order());
  const KernelResults in_order = launch_both(kernel, context.contract());
  const std::uint64_t seeds = context.plan().at_least(Tier::premerge) ? 4 : 2;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    simt::set_schedule(simt::Schedule::greedy_random(seed));
    kernel.refill(std::byte{0xff});
    context.check(c, "greedy random order " + std::to_string(seed),
                  same_bits(context.contract(), launch_both(kernel, context.contract()), in_order),
                  same_bits_text);
  }
}

void run(Context& context, const Case& c) {
  if (context.implementation().kernels(Machine::cpu_checked) == nullptr) {
    throw CannotRun{"the checked emulator is left out of this build"};
  }
  if (check_findings(context, c)) check_orders(context, c);
}

const RegisterGate registered({
    .id = "races",
    .title = "no race, no stray access and no missing barrier, by the checked emulator",
    .question = Question::right,
    .rows = {"B12"},
    .backends = {Backend::cpu},
    .backends_reason = "the checked emulator is a machine of the host",
    .cases = cases,
    .run = run,
    .reach = Reach::source,
    .timeout_s = 300,
});

}  // namespace
}  // namespace seamgate::gates
