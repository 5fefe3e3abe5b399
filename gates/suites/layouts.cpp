// Gate `layouts`: inputs of every rank, offset and stride, and upstream gradients of any layout. Right, or a counted decline for
// inputs; an upstream gradient arrives after the ask and is honoured or materialised, and counted.
#include <algorithm>

#include "gates/numeric.hpp"
#include "gates/sweep.hpp"
#include "gates/tape_graph.hpp"
#include "kernels/common/rows.hpp"

namespace seamgate::gates {
namespace {

using seam::Counter;

const std::vector<std::string> upstream_layouts = {"packed", "strided", "offset3", "transposed", "sliced", "expanded rows", "expanded"};

std::vector<Case> cases(const Plan& plan) {
  const auto& contract = plan.contract();
  std::vector<std::vector<std::int64_t>> shapes = {{6, 40}, {3, 130}};
  if (plan.at_least(Tier::smoke)) shapes.insert(shapes.end(), {{40}, {2, 3, 40}, {2, 3, 2, 33}, {7, 1}});
  std::vector<std::string> input_layouts = {"packed", "strided"};
  if (plan.at_least(Tier::smoke)) {
    input_layouts = {"packed", "strided", "offset1", "offset2", "offset3", "offset4", "offset5", "offset6", "offset7", "transposed", "sliced"};
  }
  // Slices of one buffer are something new only where there are two.
  const auto by_rows = std::count_if(contract.inputs.begin(), contract.inputs.end(),
                                     [](const auto& spec) { return spec.extent == kernels::Extent::rows_by_columns; });
  if (by_rows >= 2) input_layouts.push_back("halves");
  std::vector<Case> all;
  for (const auto& combination : combinations({plan.op, plan.backend, plan.at_least(Tier::premerge) ? plan.tier : Tier::control})) {
    for (const auto& shape : shapes) {
      for (const auto& layout : input_layouts) {
        if (layout == "transposed" && shape.size() < 2) continue;
        Case c = make_case(contract, combination.variant, shape, "normal", 71);
        c.dtypes = combination.dtypes;
        c.layout = layout;
        all.push_back(c);
      }
    }
  }
  return all;
}

// The case's upstream gradients as a layout would repeat them: an expanded one has one row, or one value.
HostCase repeated(HostCase host, const std::string& layout, std::int64_t columns) {
  for (auto& values : host.upstream) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (layout == "expanded rows") values[i] = values[i % static_cast<std::size_t>(columns)];
      if (layout == "expanded") values[i] = values[0];
    }
  }
  return host;
}

template <class B>
Tensor<B> upstream_of(const Case& c, DType dtype, const std::vector<float>& values, const std::string& layout) {
  const Shape shape{std::span<const std::int64_t>(c.shape)};
  if (layout == "expanded") return Tensor<B>::full(values[0], Shape::filled(shape.rank(), 1), dtype).expand(shape);
  if (layout == "expanded rows") {
    Shape one = Shape::filled(shape.rank(), 1);
    one[shape.rank() - 1] = c.columns();
    return Tensor<B>::from_floats(std::span(values).first(static_cast<std::size_t>(c.columns())), one, dtype).expand(shape);
  }
  Case other = c;
  other.layout = layout == "transposed" && shape.rank() < 2 ? "packed" : layout;
  return tensor_of<B>(other, kernels::Extent::rows_by_columns, dtype, values);
}

template <class T>
void look(Context& context, const Case& c, const std::string& layout) {
  const auto& contract = context.contract();
  const HostCase host = repeated(host_for_first_output(context.op(), c), layout, c.columns());
  const auto leaves = leaves_of<T>(context, c, host);
  bool served = true;
  for (const auto& leaf : leaves) {
    const auto rows = kernels::as_rows(leaf.inner().view());
    served = served && rows.has_value() && (contract.serves_strided_rows || kernels::is_packed(leaf.inner().view()));
  }
  Watch watch(context);
  const T y = ask_module(context, c, leaves);
  const std::string where = "gy " + layout;
  context.check(c, where + ": C (asked,skipped,node_ran,bare_ran)", watch.arms(), served ? "(1,0,1,0)" : "(1,1,0,0)");
  const auto gy = upstream_of<typename T::Backend>(c, y.dtype(), host.upstream[0], layout);
  const bool honoured = kernels::as_rows(gy.view()).has_value();
  const auto gradients = gradients_of(leaves, y.backward(gy));
  const auto counters = watch.counters();
  context.check(c, where + ": upstream gradients materialised", std::to_string(counters[Counter::gy_materialised]),
                // Outputs that nothing used have zeros for a gradient, packed.
                served && !honoured ? "1" : "0");
  const auto truth = evaluate_truth(context.op(), c, host);
  record_tensor(context, c, contract.outputs[0].name, truth.outputs[0], y.inner().to_floats(), nullptr, where);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::string name = "d" + contract.inputs[i].name;
    context.check(c, where + ": " + name + " arrives", gradients[i].has_value());
    if (gradients[i]) record_tensor(context, c, name, truth.gradients[i], *gradients[i], nullptr, where);
  }
}

void run(Context& context, const Case& c) {
  for (const auto& layout : upstream_layouts) {
    // A seam that serves a kernel which wants alignment would have to look at it; ours knows rows and strides.
    if (context.op().promises.alignment_bytes > static_cast<int>(size_of(c.dtypes[0])) && layout != "packed" && layout != "expanded") continue;
    with_tape(context.backend(), StrategyTag::balanced, [&]<class T>() { look<T>(context, c, layout); });
  }
}

const RegisterGate registered({
    .id = "layouts",
    .title = "ranks, offsets and strides of inputs, and any layout of the upstream gradient",
    .question = Question::right,
    .rows = {"B15"},
    .cases = cases,
    .run = run,
    .reach = Reach::node,
    .timeout_s = 300,
    .sanitized = true,
});

}  // namespace
}  // namespace seamgate::gates
