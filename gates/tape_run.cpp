// One case run through the seam on a tape or bare, or by the tensor path.
#include "gates/tape_run.hpp"

#include <stdexcept>

#include "gates/comparator.hpp"
#include "gates/cotangent.hpp"
#include "tensor/autodiff/primitives.hpp"
#include "tensor/primitives.hpp"

namespace seamgate::gates {
namespace {

std::vector<AnyTensor> call(const Implementation& implementation, const std::vector<AnyTensor>& inputs, const Case& c,
               const TapeOptions& options) {
  if (options.route == Route::tensor_path) return implementation.tensor_path(inputs, request_of(c));
  return implementation.ask(inputs, request_of(c), options.machines);
}

// Slices of one buffer, side by side in each row; where dtypes differ, each in a buffer of its own.
template <class B>
void lay_side_by_side(std::vector<Tensor<B>>& rows) {
  if (rows.empty()) return;
  const int last = rows[0].rank() - 1;
  const std::int64_t columns = rows[0].shape()[last];
  Shape wide = rows[0].shape();
  wide[last] *= static_cast<std::int64_t>(rows.size());
  std::optional<Tensor<B>> buffer;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!buffer || buffer->dtype() != rows[i].dtype()) {
      buffer = Tensor<B>::full(__builtin_nanf(""), wide, rows[i].dtype());
    }
    const auto first = static_cast<std::int64_t>(i) * columns;
    const Tensor<B> part = buffer->slice(last, first, first + columns);
    part.copy_from(rows[i]);
    rows[i] = part;
  }
}

// Throws std::runtime_error where a result has another dtype or shape than the contract gives it.
template <class B>
void require_form(const std::string& name, const Tensor<B>& got, DType dtype, const Case& c, kernels::Extent extent) {
  const auto& shape = got.shape();
  Form form{got.dtype(), {}};
  for (int d = 0; d < shape.rank(); ++d) form.shape.push_back(shape[d]);
  const Form want{dtype, extent == kernels::Extent::columns ? std::vector{c.columns()} : c.shape};
  if (const auto why = differing_form(form, want); !why.empty()) throw std::runtime_error(name + ": " + why);
}

template <class B, class S>
void run_tracked(const OpTraits& op, const Implementation& implementation, const Case& c, const HostCase& host,
                 const TapeOptions& options, TapeResult& result) {
  using Tracked = Tensor<Autodiff<B, S>>;
  std::vector<Tracked> leaves;
  std::vector<AnyTensor> inputs;
  bool any_tracked = false;
  for (auto& bare : bare_inputs<B>(op.contract(), c, host)) {
    const std::size_t i = leaves.size();
    const bool tracked = options.tracked.empty() || options.tracked[i];
    any_tracked = any_tracked || tracked;
    // One operation away is a negation: exact, and undone exactly.
    Tracked leaf = Tracked::from_inner(options.one_operation_away ? cast(neg(bare), bare.dtype()) : bare);
    if (tracked) leaf = leaf.require_grad();
    leaves.push_back(leaf);
    inputs.push_back(options.one_operation_away ? cast(neg(leaf), bare.dtype()) : leaf);
  }
  std::vector<Tracked> outputs;
  for (const AnyTensor& any : call(implementation, inputs, c, options)) {
    const Tracked* output = any.as<Tracked>();
    if (output == nullptr) throw std::runtime_error("a module's output is " + any.describe() + "; expected a tensor on the tape of its inputs");
    const auto& spec = op.contract().outputs.at(outputs.size());
    require_form(spec.name, output->inner(), output_dtype(op.contract(), c), c, spec.extent);
    result.outputs.push_back(output->inner().to_floats());
    outputs.push_back(*output);
  }
  result.output_tracked = outputs[0].is_tracked();
  result.node = outputs[0].node();
  result.gradients.resize(leaves.size());
  if (!options.backward || !any_tracked || !result.output_tracked) return;
  std::vector<Tensor<B>> seeds;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    seeds.push_back(tensor_of<B>(c, op.contract().outputs[i].extent, outputs[i].dtype(), host.upstream[i]));
  }
  const Tracked loss = outputs.size() == 1 ? outputs[0] : cotangent_loss(outputs, seeds);
  const auto before = autodiff::nodes_created();
  const auto gradients = outputs.size() == 1 ? loss.backward(seeds[0]) : loss.backward();
  result.nodes_added_by_backward = autodiff::nodes_created() - before;
  result.checkpoints = gradients.checkpoint_report();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto gradient = leaves[i].grad(gradients);
    if (!gradient) continue;
    const auto& spec = op.contract().inputs[i];
    require_form("d" + spec.name, *gradient, c.dtypes[i], c, spec.extent);
    auto values = gradient->to_floats();
    if (options.one_operation_away) {
      for (auto& value : values) value = -value;
    }
    result.gradients[i] = std::move(values);
  }
}

template <class B>
void run_bare(const OpTraits& op, const Implementation& implementation, const Case& c, const HostCase& host,
              const TapeOptions& options, TapeResult& result) {
  std::vector<AnyTensor> inputs;
  for (auto& bare : bare_inputs<B>(op.contract(), c, host)) inputs.push_back(bare);
  for (const AnyTensor& any : call(implementation, inputs, c, options)) {
    const auto* output = any.as<Tensor<B>>();
    if (output == nullptr) throw std::runtime_error("a module's output is " + any.describe() + "; expected a bare tensor");
    const auto& spec = op.contract().outputs.at(result.outputs.size());
    require_form(spec.name, *output, output_dtype(op.contract(), c), c, spec.extent);
    result.outputs.push_back(output->to_floats());
  }
  result.gradients.resize(inputs.size());
}

}  // namespace

seam::Request request_of(const Case& c) { return {c.variant, c.eps, c.plan}; }

template <class B>
std::vector<Tensor<B>> bare_inputs(const kernels::Contract& contract, const Case& c, const HostCase& host) {
  std::vector<Tensor<B>> inputs;
  std::vector<std::size_t> row_inputs;
  std::vector<Tensor<B>> rows;
  for (std::size_t i = 0; i < host.inputs.size(); ++i) {
    const auto extent = contract.inputs[i].extent;
    inputs.push_back(tensor_of<B>(c, extent, c.dtypes[i], host.inputs[i]));
    if (c.layout != "halves" || extent != kernels::Extent::rows_by_columns) continue;
    row_inputs.push_back(i);
    rows.push_back(inputs.back());
  }
  lay_side_by_side(rows);
  for (std::size_t r = 0; r < rows.size(); ++r) inputs[row_inputs[r]] = rows[r];
  return inputs;
}

template <class B>
Tensor<B> tensor_of(const Case& c, kernels::Extent extent, DType dtype, const std::vector<float>& values) {
  const Shape shape = extent == kernels::Extent::columns ? Shape{c.columns()} : Shape(std::span<const std::int64_t>(c.shape));
  const int last = shape.rank() - 1;
  Shape wide = shape;
  const Tensor<B> packed = Tensor<B>::from_floats(values, shape, dtype);
  if (c.layout == "packed" || c.layout == "halves" || extent != kernels::Extent::rows_by_columns) return packed;
  if (c.layout == "transposed" && shape.rank() >= 2) return packed.transpose(last - 1, last).contiguous().transpose(last - 1, last);
  Tensor<B> view = packed;
  if (c.layout == "strided") {
    wide[last] += 5;
    view = Tensor<B>::full(__builtin_nanf(""), wide, dtype).slice(last, 0, shape[last]);
  } else if (c.layout == "sliced") {
    wide[last] *= 2;
    view = Tensor<B>::full(__builtin_nanf(""), wide, dtype).slice(last, 0, wide[last], 2);
  } else if (c.layout.starts_with("offset")) {
    const std::int64_t offset = c.layout.back() - '0';
    view = Tensor<B>::full(__builtin_nanf(""), {numel(shape) + offset}, dtype).slice(0, offset, numel(shape) + offset).reshape(shape);
  } else {
    throw std::invalid_argument("layout is '" + c.layout + "'; a tensor of shape " + to_string(shape) + " cannot have it");
  }
  view.copy_from(packed);
  return view;
}

template Tensor<Cpu> tensor_of<Cpu>(const Case&, kernels::Extent, DType, const std::vector<float>&);
template std::vector<Tensor<Cpu>> bare_inputs<Cpu>(const kernels::Contract&, const Case&, const HostCase&);
#ifdef SEAMGATE_HAS_CUDA
template Tensor<Cuda> tensor_of<Cuda>(const Case&, kernels::Extent, DType, const std::vector<float>&);
template std::vector<Tensor<Cuda>> bare_inputs<Cuda>(const kernels::Contract&, const Case&, const HostCase&);
#endif

TapeResult run_on_tape(const OpTraits& op, const Implementation& implementation, Backend backend, const Case& c,
                       const HostCase& host, const TapeOptions& options) {
  TapeResult result;
  const seam::SeamLock lock;
  implementation.counters().reset(lock);
  Witness* witness = witness_in_hand(backend);
  const std::uint64_t mark = witness == nullptr ? 0 : witness->mark();
  with_backend(backend, [&]<class B>() {
    switch (options.strategy) {
      case StrategyTag::none:
        return run_bare<B>(op, implementation, c, host, options, result);
      case StrategyTag::no_checkpointing:
        return run_tracked<B, NoCheckpointing>(op, implementation, c, host, options, result);
      case StrategyTag::balanced:
        return run_tracked<B, BalancedCheckpointing>(op, implementation, c, host, options, result);
    }
  });
  result.counters = implementation.counters().read(lock);
  if (witness != nullptr) result.seen = witness->since(mark);
  return result;
}

}  // namespace seamgate::gates
