// Gate `bounds`: what a kernel promises to write is written whole, nothing else is touched, and nothing
// unwritten is read.
#include <array>

#include "gates/kernel_results.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

// Tails around the widths of vectors and warps, rows that do not fill a block, and long row loops in one
// block, where sums over rows change their level.
constexpr std::array table = {
    LaunchRow{5, 7, "strided", 0, Tier::control},
    LaunchRow{3, 33, "offset1", 0, Tier::control},
    LaunchRow{40, 5, "packed", 1, Tier::control},
    LaunchRow{2, 600, "packed", 1, Tier::control},
    LaunchRow{5, 1, "packed", 0, Tier::smoke},
    LaunchRow{5, 1, "strided", 0, Tier::smoke},
    LaunchRow{5, 3, "offset2", 0, Tier::smoke},
    LaunchRow{5, 5, "offset3", 0, Tier::smoke},
    LaunchRow{9, 7, "packed", 0, Tier::smoke},
    LaunchRow{33, 31, "strided", 0, Tier::smoke},
    LaunchRow{33, 33, "packed", 3, Tier::smoke},
    LaunchRow{3, 129, "offset1", 0, Tier::smoke},
    LaunchRow{3, 129, "strided", 2, Tier::smoke},
    LaunchRow{7, 600, "strided", 2, Tier::smoke},
    LaunchRow{1060, 5, "packed", 1, Tier::smoke},
    LaunchRow{1, 1, "packed", 0, Tier::smoke},
    LaunchRow{5, 31, "offset2", 0, Tier::premerge},
    LaunchRow{5, 128, "offset4", 0, Tier::premerge},
    LaunchRow{5, 127, "offset3", 0, Tier::premerge},
    LaunchRow{67, 129, "packed", 0, Tier::premerge},
    LaunchRow{70, 1029, "strided", 2, Tier::premerge},
    LaunchRow{2100, 33, "strided", 1, Tier::premerge},
    LaunchRow{2, 8193, "offset1", 1, Tier::premerge},
    LaunchRow{1100, 129, "offset3", 1, Tier::premerge},
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
  return table_cases(plan, table, "normal", 21);
}

std::string hex(std::byte fill) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%02x", std::to_integer<unsigned>(fill));
  return text;
}

// Whether every byte of an input's gradient is still the fill, in words.
std::string untouched(const KernelRun& kernel, std::size_t i, DType dtype, std::byte fill) {
  const auto got = kernel.gradient(i);
  const auto want = to_values(std::vector<std::byte>(got.size() * size_of(dtype), fill), dtype);
  const auto compared = compare_bits(got, want);
  return compared.passed ? "untouched" : compared.message;
}

void check_masks(Context& context, const Case& c, KernelRun& kernel, const KernelResults& all) {
  const auto& inputs = context.contract().inputs;
  const std::size_t count = inputs.size();
  for (std::size_t bits = 1; bits + 1 < (std::size_t{1} << count); ++bits) {
    std::vector<bool> wanted;
    std::string names;
    for (std::size_t i = 0; i < count; ++i) {
      wanted.push_back((bits >> i & 1U) != 0);
      if (wanted[i]) names += (names.empty() ? "d" : ", d") + inputs[i].name;
    }
    constexpr std::byte fill{0x7f};
    kernel.refill(fill);
    auto status = kernel.forward();
    if (status.ok()) status = kernel.backward(wanted);
    context.check(c, names + " alone: launches", status.ok() ? "ok" : status.message, "ok");
    if (!status.ok()) continue;
    KernelResults some = read_results(kernel, context.contract());
    for (std::size_t i = 0; i < count; ++i) {
      if (wanted[i]) continue;
      context.check(c, names + " alone: d" + inputs[i].name, untouched(kernel, i, c.dtypes[i], fill),
                    "untouched");
      some.gradients[i] = all.gradients[i];
    }
    context.check(c, names + " alone: bits as with all", same_bits(context.contract(), some, all, repeatable(context.op())),
                  same_bits_text);
    context.check(c, names + " alone: nothing else is touched", kernel.damage(), "");
  }
}

void run(Context& context, const Case& c) {
  const auto& contract = context.contract();
  KernelRun kernel(context.op(), context.implementation(), default_machine(context.backend()), c);
  const KernelResults first = launch_both(kernel, contract);  // over 0xff, which reads as NaN
  context.check(c, "written whole, over 0xff", first_nan(contract, first), "");
  context.check(c, "nothing else is touched", kernel.damage(), "");
  const KernelResults again = launch_both(kernel, contract);
  context.check(c, "over its own results", same_bits(contract, again, first, repeatable(context.op())), same_bits_text);
  for (const std::byte fill : {std::byte{0x7f}, std::byte{0x00}}) {
    kernel.refill(fill);
    const KernelResults other = launch_both(kernel, contract);
    context.check(c, "over " + hex(fill), same_bits(contract, other, first, repeatable(context.op())), same_bits_text);
  }
  check_masks(context, c, kernel, first);
}

const RegisterGate registered({
    .id = "bounds",
    .title = "outputs and workspaces are fully written, and nothing else is",
    .question = Question::right,
    .rows = {"B12"},
    .cases = cases,
    .run = run,
    .reach = Reach::kernels,
    .timeout_s = 300,
    .sanitized = true,
});

}  // namespace
}  // namespace seamgate::gates
