// Gate `leaf`: a result wrapped back as a leaf trains nothing. Every tracked leaf gets a gradient that is
// finite, not zero, and right, in three topologies: plain, through a residual (where a partial gradient hides
// the fault), and with only the shared inputs tracked; on the arm that the layout takes, under both
// strategies.
#include <algorithm>
#include <cmath>

#include "gates/composite_truth.hpp"
#include "gates/numeric.hpp"
#include "gates/sweep.hpp"
#include "gates/tape_graph.hpp"

namespace seamgate::gates {
namespace {

enum class Topology { plain, residual, shared_only };

constexpr const char* name_of(Topology topology) {
  switch (topology) {
    case Topology::plain:
      return "plain";
    case Topology::residual:
      return "through a residual";
    case Topology::shared_only:
      return "only shared inputs tracked";
  }
  return "?";
}

// The input that a residual adds the output to: the first of the output's extent.
std::size_t residual_input(const kernels::Contract& contract) {
  for (std::size_t i = 0; i < contract.inputs.size(); ++i) {
    if (contract.inputs[i].extent == contract.outputs[0].extent) return i;
  }
  throw std::logic_error("op " + contract.op + " has no input of its output's extent to make a residual of");
}

// Per-column inputs, shared by all rows; the last input where the op has none.
std::vector<bool> shared_inputs(const kernels::Contract& contract) {
  std::vector<bool> shared;
  for (const auto& input : contract.inputs) shared.push_back(input.extent == kernels::Extent::columns);
  if (std::find(shared.begin(), shared.end(), true) == shared.end()) shared.back() = true;
  return shared;
}

auto row_inputs(const kernels::Contract& contract) {
  return std::count_if(contract.inputs.begin(), contract.inputs.end(), [](const auto& input) {
    return input.extent == kernels::Extent::rows_by_columns;
  });
}

bool takes_node(const kernels::Contract& contract, const Case& c) {
  return c.layout == "packed" || ((c.layout == "strided" || c.layout == "halves") && contract.serves_strided_rows);
}

std::string magnitude_of(const std::vector<float>& gradient) {
  double largest = 0.0;
  for (const float value : gradient) {
    if (!std::isfinite(value)) return "not finite: " + std::to_string(value);
    largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  return largest > 0.0 ? "finite, not zero" : "zero in all " + std::to_string(gradient.size()) + " elements";
}

// A gradient that came partly past the op. In 16 bits it was rounded once more on its way than the truth:
// there it must be the bits of the op's own gradient and the residual's added.
template <class B>
void check_residual(Context& context, const Case& c, const std::string& where, std::size_t input,
                    const std::vector<float>& got, const std::optional<std::vector<float>>& own,
                    const std::vector<float>& past, const reference::TruthTensor& truth) {
  const std::string name = "d" + context.contract().inputs[input].name;
  const DType dtype = c.dtypes[input];
  context.check(c, where + ": " + name + " is more than what the residual hands on", got != past);
  // The tape adds in f32 and rounds once where no node stands between; a node's gradient arrives rounded.
  if (dtype == DType::f32 || !takes_node(context.contract(), c)) {
    return record_tensor(context, c, name, sum_of(truth, past), got, nullptr, where);
  }
  if (!own) return;  // already recorded as missing
  const auto tensor = [](const std::vector<float>& values) {
    return Tensor<B>::from_floats(values, {static_cast<std::int64_t>(values.size())});
  };
  check_bits(context, c, where + ": " + name + " is the op's own and the residual's", got,
             cast(add(tensor(*own), tensor(past)), dtype).to_floats());
}

// `plain`: the gradients of the plain topology, for the others.
template <class T>
HostGradients look(Context& context, const Case& c, Topology topology, const HostCase& host,
                   const reference::Truth& truth, const HostGradients& plain) {
  const auto& contract = context.contract();
  const std::string where = strategy_name<T>() + ", " + name_of(topology);
  const std::size_t skip = residual_input(contract);
  const auto tracked = topology == Topology::shared_only ? shared_inputs(contract)
                                                         : std::vector<bool>(contract.inputs.size(), true);
  const auto leaves = leaves_of<T>(context, c, host, tracked);

  Watch watch(context);
  const T y = ask_module(context, c, leaves);
  context.check(c, where + ": C (asked,skipped,node_ran,bare_ran)", watch.arms(),
                takes_node(contract, c) ? "(1,0,1,0)" : "(1,1,0,0)");
  context.check(c, where + ": the output is tracked", y.is_tracked());
  const T loss = topology == Topology::residual ? add(leaves[skip], y) : y;
  HostGradients gradients(leaves.size());
  if (loss.is_tracked()) gradients = gradients_of(leaves, loss.backward(seed_for(context, c, host, loss)));
  watch.check(context, c, where);

  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (!tracked[i]) continue;
    const std::string name = "d" + contract.inputs[i].name;
    context.check(c, where + ": " + name + " arrives", gradients[i].has_value());
    if (!gradients[i]) continue;
    const auto& got = *gradients[i];
    context.check(c, where + ": " + name, magnitude_of(got), "finite, not zero");
    if (topology == Topology::residual && i == skip) {
      check_residual<typename T::Backend>(context, c, where, i, got, plain[i], host.upstream[0],
                                          truth.gradients[i]);
    } else {
      record_tensor(context, c, name, truth.gradients[i], got, nullptr, where);
    }
  }
  return gradients;
}

void run(Context& context, const Case& c) {
  const HostCase host = host_for_first_output(context.op(), c);
  const auto truth = evaluate_truth(context.op(), c, host);
  for (const StrategyTag strategy : all_strategies) {
    with_tape(context.backend(), strategy, [&]<class T>() {
      const HostGradients plain = look<T>(context, c, Topology::plain, host, truth, {});
      look<T>(context, c, Topology::residual, host, truth, plain);
      look<T>(context, c, Topology::shared_only, host, truth, plain);
    });
  }
}

std::vector<Case> cases(const Plan& plan) {
  const auto& contract = plan.contract();
  std::vector<std::vector<std::int64_t>> shapes = {{6, 40}};
  if (plan.at_least(Tier::smoke)) shapes.insert(shapes.end(), {{2, 3, 33}, {17, 300}});
  if (plan.at_least(Tier::premerge)) shapes.insert(shapes.end(), {{130, 64}, {9, 2050}});
  std::vector<Case> all;
  for (const auto& combination : combinations(plan)) {
    for (const auto& shape : shapes) {
      // Packed takes the node arm, transposed is declined; strided and halves are one or the other, as the contract says.
      for (const char* layout : {"packed", "strided", "halves", "transposed"}) {
        if (std::string_view(layout) == "halves" && row_inputs(contract) < 2) continue;
        Case c = make_case(contract, combination.variant, shape, "normal", 9);
        c.dtypes = combination.dtypes;
        c.layout = layout;
        all.push_back(c);
      }
    }
  }
  return all;
}

const RegisterGate registered({
    .id = "leaf",
    .title = "every tracked leaf gets a gradient that is finite, not zero, and right",
    .question = Question::trains,
    .rows = {"A5", "A12"},
    .cases = cases,
    .run = run,
    .reach = Reach::node,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
