// Gate `declines`: for every reason one ask that has it. It counts once under that reason, launches nothing fused, and the
// tensor path's own bits come out.
#include <functional>
#include <optional>

#include "gates/counted.hpp"
#include "gates/scoped_variable.hpp"
#include "gates/sweep.hpp"
#include "gates/tape_run.hpp"

namespace seamgate::gates {
namespace {

using seam::Decline;

// An ask that has the reason; nothing where the op's contract leaves no such ask.
struct Ask {
  Case c;
  std::optional<std::string> switch_value;
  TapeTags tags{};  // none: the type's own
  bool no_kernels = false;
};

std::optional<std::vector<DType>> unserved_dtypes(const kernels::Contract& contract, std::string_view variant) {
  const std::vector<DType> all = {DType::f32, DType::bf16, DType::f16};
  std::vector<DType> combination(contract.inputs.size(), DType::f32);
  std::size_t count = 1;
  for (std::size_t i = 0; i < combination.size(); ++i) count *= all.size();
  for (std::size_t n = 0; n < count; ++n) {
    std::size_t rest = n;
    for (auto& dtype : combination) {
      dtype = all[rest % all.size()];
      rest /= all.size();
    }
    if (kernels::find_dtypes(*kernels::find_variant(contract, variant), combination) == nullptr) return combination;
  }
  return std::nullopt;
}

std::optional<Ask> ask_for(Decline reason, const kernels::Contract& contract, const Case& base, Device device) {
  Ask ask{base, {}, {}, false};
  switch (reason) {
    case Decline::switched_off:
      ask.switch_value = "0";
      return ask;
    case Decline::device:
      ask.tags = {device.kind == DeviceKind::cpu ? Device::cuda(0) : Device::cpu(), StrategyTag::balanced};
      return ask;
    case Decline::strategy:
      ask.tags = {device, StrategyTag::no_checkpointing};
      return ask;
    case Decline::dtype: {
      const auto dtypes = unserved_dtypes(contract, base.variant);
      if (!dtypes) return std::nullopt;
      ask.c.dtypes = *dtypes;
      return ask;
    }
    case Decline::empty:
      if (contract.serves_empty) return std::nullopt;
      ask.c.shape = {0, base.columns()};
      return ask;
    case Decline::shape:
      ask.c.shape = {1, contract.max_columns + 1};
      return ask;
    case Decline::layout:
      ask.c.layout = "transposed";
      return ask;
  }
  return std::nullopt;
}

struct Outcome {
  seam::CounterSnapshot counters;
  KernelsSeen seen;
  std::vector<std::vector<float>> got;  // by output
  std::vector<std::vector<float>> want;
};

template <class B>
Outcome carry_out(Context& context, const Ask& ask) {
  using Tracked = Tensor<Autodiff<B, BalancedCheckpointing>>;
  const auto& implementation = context.implementation();
  const HostCase host = make_host_case(context.op(), ask.c);
  std::vector<AnyTensor> inputs;
  for (std::size_t i = 0; i < host.inputs.size(); ++i) {
    const auto bare = tensor_of<B>(ask.c, context.contract().inputs[i].extent, ask.c.dtypes[i], host.inputs[i]);
    const TapeTags own{bare.device(), StrategyTag::balanced};
    inputs.push_back(Tracked::from_inner(bare, ask.tags.strategy == StrategyTag::none ? own : ask.tags).require_grad());
  }
  const ScopedVariable variable(context.contract().switch_name, ask.switch_value);
  const seam::Machines none{};
  Outcome outcome;
  const seam::SeamLock lock;
  implementation.counters().reset(lock);
  const auto mark = context.witness()->mark();
  const auto outputs = implementation.ask(inputs, request_of(ask.c), ask.no_kernels ? &none : nullptr);
  outcome.seen = context.witness()->since(mark);
  outcome.counters = implementation.counters().read(lock);
  const auto wanted = implementation.tensor_path(inputs, request_of(ask.c));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outcome.got.push_back(outputs[i].template as<Tracked>()->inner().to_floats());
    outcome.want.push_back(wanted[i].template as<Tracked>()->inner().to_floats());
  }
  return outcome;
}

void check(Context& context, const Case& c, const std::string& name, Decline reason, const Ask& ask) {
  const Outcome outcome = with_backend(context.backend(), [&]<class B>() { return carry_out<B>(context, ask); });
  context.check(c, name + ": C (asked,skipped,node_ran,bare_ran)", outcome.counters.arms(), "(1,1,0,0)");
  std::string counted;
  for (const auto candidate : seam::all_declines) {
    if (outcome.counters[candidate] != 0) counted += std::string(to_string(candidate)) + "=" + std::to_string(outcome.counters[candidate]) + " ";
  }
  context.check(c, name + ": counted under", counted, std::string(to_string(reason)) + "=1 ");
  check_against_witness(context, c, name, outcome.counters, outcome.seen);
  for (std::size_t i = 0; i < outcome.want.size(); ++i) {
    const std::string output = name + ": " + context.contract().outputs[i].name;
    if (outcome.want[i].empty()) {
      context.check(c, output + ": nothing comes out", std::to_string(outcome.got[i].size()), "0");
      continue;
    }
    const Comparison same = compare_bits(outcome.got[i], outcome.want[i]);
    context.check(c, output + " has the tensor path's own bits", same.passed ? "same" : same.message, "same");
  }
}

void run(Context& context, const Case& c) {
  const Device device = context.backend() == Backend::cpu ? Device::cpu() : Device::cuda(0);
  for (const Decline reason : seam::all_declines) {
    const auto ask = ask_for(reason, context.contract(), c, device);
    if (!ask) {
      context.record().note("no ask can have the reason '" + std::string(to_string(reason)) + "': the contract serves all");
      continue;
    }
    check(context, c, std::string(to_string(reason)), reason, *ask);
  }
  Ask no_kernels{c, {}, {}, true};
  check(context, c, "device without kernels", Decline::device, no_kernels);
}

const RegisterGate registered({
    .id = "declines",
    .title = "every decline has a reason, counts once, and launches nothing fused",
    .question = Question::ran,
    .rows = {"A10"},
    .cases = structure_cases,
    .run = run,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
