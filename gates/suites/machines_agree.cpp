// Gate `machines_agree`: the emulator is the GPU. One case on both, the same bits where the op is made of
// IEEE operations, and within the op's own bound elsewhere. dw is of one launch plan on both.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "gates/kernel_results.hpp"
#include "gates/numeric.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

std::vector<Case> cases(const Plan& plan) {
  std::vector<Case> all = numeric_sweep(plan);
  for (const Case& c : boundary_sweep(plan)) all.push_back(c);
  return all;
}

std::string inapplicable(const OpTraits& op) {
  return op.machine_agreement.reason.empty() ? "the op's traits do not say how far its machines may differ"
                                             : "";
}

bool alike(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

// One tensor's difference: how many elements differ, and the first.
struct Difference {
  std::size_t count = 0;
  std::size_t first = 0;
};

Difference difference(const std::vector<float>& gpu, const std::vector<float>& emulated) {
  Difference found;
  for (std::size_t i = gpu.size(); i-- > 0;) {
    if (alike(gpu[i], emulated[i])) continue;
    ++found.count;
    found.first = i;
  }
  return found;
}

std::string bits_text(float value) {
  char text[48];
  std::snprintf(text, sizeof text, "%.9g (0x%08x)", static_cast<double>(value),
                std::bit_cast<std::uint32_t>(value));
  return text;
}

void check_same_bits(Context& context, const Case& c, const std::string& name, const std::vector<float>& gpu,
                     const std::vector<float>& emulated) {
  std::string got = same_bits_text;
  if (gpu.size() != emulated.size() || gpu.empty()) {
    got =
        std::to_string(gpu.size()) + " elements on the GPU, " + std::to_string(emulated.size()) + " emulated";
  } else if (const auto d = difference(gpu, emulated); d.count > 0) {
    got = "[" + std::to_string(d.first) + "] is " + bits_text(gpu[d.first]) + " on the GPU and " +
          bits_text(emulated[d.first]) + " emulated (" + std::to_string(d.count) + " of " +
          std::to_string(gpu.size()) + " differ)";
  }
  context.check(c, name + " on both machines", got, same_bits_text);
}

// The distance between the numbers of `format` around a magnitude.
double step_of(float value, reference::Format format) {
  const auto limits = reference::limits_of(format);
  const int exponent = value == 0.0F ? limits.min_exponent : std::max(std::ilogb(value), limits.min_exponent);
  return std::ldexp(1.0, exponent - limits.digits + 1);
}

// How far truth itself lets an f32 element go, beyond the bar, where an inner value underflows.
double slack_of(const reference::TruthTensor& truth, std::size_t i) {
  if (truth.format() != reference::Format::f32 || truth.element_class(i) != reference::ElementClass::number)
    return 0.0;
  const auto allowed = truth.allowed(i, reference::Format::f32);
  return std::max(0.0, (allowed.hi - allowed.lo) - 2.000001 * reference::bar * truth.scale(i));
}

void record_bounded(Context& context, const Case& c, const reference::TruthTensor& truth,
                    const std::string& name, const std::vector<float>& gpu,
                    const std::vector<float>& emulated) {
  const auto& agreement = context.op().machine_agreement;
  const Bar bar(agreement.of_scale, "op traits: " + agreement.reason);
  Numeric numeric;
  numeric.case_text = c.str();
  numeric.tensor = name + " (GPU against emulator)";
  numeric.bar = bar.value();
  numeric.bar_source = bar.source();
  numeric.you = compare_with_truth(
      gpu, static_cast<std::int64_t>(emulated.size()),
      [&](std::int64_t i, float got) {
        const auto at = static_cast<std::size_t>(i);
        const float want = emulated[at];
        if (alike(got, want) || (got == 0.0F && want == 0.0F)) return Expected{want, 0.0, true};
        if (!std::isfinite(got) || !std::isfinite(want)) return Expected{want, HUGE_VAL, false};
        double distance = std::abs(static_cast<double>(got) - want) - slack_of(truth, at);
        if (distance < 0.0) distance = 0.0;
        if (truth.format() != reference::Format::f32) {
          const float larger = std::abs(got) > std::abs(want) ? got : want;
          distance = std::max(0.0, distance - agreement.steps_of_16_bit * step_of(larger, truth.format()));
        }
        return Expected{want, distance == 0.0 ? 0.0 : distance / truth.scale(at), true};
      },
      bar);
  if (numeric.you.worst >= 0) numeric.place = place_of(truth, numeric.you.worst);
  context.record().numeric(numeric);
}

KernelResults results_on(Context& context, Machine machine, const Case& c, const HostCase& host) {
  KernelRun run(context.op(), context.implementation(), machine, c, host);
  return launch_both(run, context.contract());
}

void run(Context& context, const Case& c) {
  if (context.implementation().kernels(Machine::cpu_plain) == nullptr)
    throw CannotRun{"the implementation has no emulated kernels"};
  const auto& contract = context.contract();
  const HostCase host = make_host_case(context.op(), c);
  const KernelResults gpu = results_on(context, Machine::cuda, c, host);
  const KernelResults emulated = results_on(context, Machine::cpu_plain, c, host);
  if (context.op().machine_agreement.same_bits) {
    for (std::size_t i = 0; i < gpu.outputs.size(); ++i)
      check_same_bits(context, c, contract.outputs[i].name, gpu.outputs[i], emulated.outputs[i]);
    for (std::size_t i = 0; i < gpu.saved.size(); ++i)
      check_same_bits(context, c, contract.saved[i].name, gpu.saved[i], emulated.saved[i]);
    for (std::size_t i = 0; i < gpu.gradients.size(); ++i) {
      check_same_bits(context, c, "d" + contract.inputs[i].name, gpu.gradients[i], emulated.gradients[i]);
    }
    return;
  }
  const auto truth = evaluate_truth(context.op(), c, host);
  for (std::size_t i = 0; i < gpu.outputs.size(); ++i) {
    record_bounded(context, c, truth.outputs[i], contract.outputs[i].name, gpu.outputs[i],
                   emulated.outputs[i]);
  }
  for (std::size_t i = 0; i < gpu.gradients.size(); ++i) {
    record_bounded(context, c, truth.gradients[i], "d" + contract.inputs[i].name, gpu.gradients[i],
                   emulated.gradients[i]);
  }
}

const RegisterGate registered({
    .id = "machines_agree",
    .title = "the emulator's results are the GPU's, to the bit or within the op's bound",
    .question = Question::right,
    .rows = {"B26"},
    .backends = {Backend::cuda},
    .backends_reason = "it compares a GPU with the emulator, and needs both",
    .inapplicable = inapplicable,
    .cases = cases,
    .run = run,
    .reach = Reach::source,
    .timeout_s = 400,
});

}  // namespace
}  // namespace seamgate::gates
