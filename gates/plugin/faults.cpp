// Faults planted around somebody else's kernel from outside.
#include "gates/plugin/faults.hpp"

#include <cfloat>
#include <map>
#include <stdexcept>

#include "gates/device_memory.hpp"
#include "gates/kernel_run.hpp"
#include "kernels/common/rows.hpp"

namespace seamgate::gates::plugin {
namespace {

using kernels::BackwardCall;
using kernels::ForwardCall;
using kernels::Status;
using kernels::View;

Backend backend = Backend::cpu;
std::size_t dropped = 0;  // of the fault in force: which input's gradient

// The elements of a tensor in logical order; the tensors of a call have rows.
std::vector<float> read(const View& view) {
  device::synchronise(backend);
  const auto rows = *kernels::as_rows(view);
  std::vector<std::byte> bytes(static_cast<std::size_t>(rows.count * rows.columns) * size_of(view.dtype));
  const auto row_bytes = static_cast<std::size_t>(rows.columns) * size_of(view.dtype);
  for (std::int64_t row = 0; row < rows.count; ++row) {
    const auto* from = static_cast<const std::byte*>(view.data) +
                       static_cast<std::size_t>(row * rows.stride) * size_of(view.dtype);
    device::download(backend, bytes.data() + static_cast<std::size_t>(row) * row_bytes, from, row_bytes);
  }
  return to_values(bytes, view.dtype);
}

void write(const View& view, const std::vector<float>& values) {
  const auto rows = *kernels::as_rows(view);
  const auto bytes = to_bytes(values, view.dtype);
  const auto row_bytes = static_cast<std::size_t>(rows.columns) * size_of(view.dtype);
  for (std::int64_t row = 0; row < rows.count; ++row) {
    auto* to = static_cast<std::byte*>(view.data) +
               static_cast<std::size_t>(row * rows.stride) * size_of(view.dtype);
    device::upload(backend, to, bytes.data() + static_cast<std::size_t>(row) * row_bytes, row_bytes);
  }
}

template <class Edit>
Status edited(Status status, const View& view, Edit edit) {
  if (!status.ok() || view.data == nullptr || view.numel() == 0) return status;
  auto values = read(view);
  edit(values);
  write(view, values);
  return status;
}

// A step that the dtype can hold: 1e-4 where it is more than two units in the last place.
float scale_of(DType dtype) {
  return dtype == DType::f32 ? 1e-4F : dtype == DType::f16 ? 0.002F : 0.016F;
}

Status scaled_output(const ForwardCall& call, Forward next) {
  const View& y = call.outputs[0];
  return edited(next(call), y, [&](auto& values) {
    for (auto& value : values) value *= 1.0F + scale_of(y.dtype);
  });
}

Status zero_output(const ForwardCall& call, Forward next) {
  return edited(next(call), call.outputs[0],
                [](auto& values) { std::fill(values.begin(), values.end(), 0.0F); });
}

Status last_column_unwritten(const ForwardCall& call, Forward next) {
  const View& y = call.outputs[0];
  if (y.data == nullptr || y.numel() == 0) return next(call);
  const auto before = read(y);
  const auto columns = static_cast<std::size_t>(y.columns());
  return edited(next(call), y, [&](auto& values) {
    for (std::size_t i = columns - 1; i < values.size(); i += columns) values[i] = before[i];
  });
}

Status one_wrong_element(const ForwardCall& call, Forward next) {
  return edited(next(call), call.outputs[0], [](auto& values) { values[values.size() / 2] += 0.5F; });
}

// By shape and dtype, as a cache might have it.
Status previous_output(const ForwardCall& call, Forward next) {
  static std::map<std::string, std::vector<float>> kept;
  const View& y = call.outputs[0];
  return edited(next(call), y, [&](auto& values) {
    auto& last =
        kept[std::to_string(y.rows()) + "x" + std::to_string(y.columns()) + std::string(to_string(y.dtype))];
    if (!last.empty())
      std::swap(last, values);
    else
      last = values;
  });
}

Status input_changed(const ForwardCall& call, Forward next) {
  return edited(next(call), call.inputs[0], [](auto& values) { values[0] = -values[0]; });
}

// The smallest normal number: an eps that nobody refuses and that has no say.
Status eps_swallowed(const ForwardCall& call, Forward next) {
  ForwardCall other = call;
  if (other.attributes.eps > 0.0F) other.attributes.eps = FLT_MIN;
  return next(other);
}

Status eps_swallowed(const BackwardCall& call, Backward next) {
  BackwardCall other = call;
  if (other.attributes.eps > 0.0F) other.attributes.eps = FLT_MIN;
  return next(other);
}

Status gradient_dropped(const BackwardCall& call, Backward next) {
  return edited(next(call), call.grads[dropped],
                [](auto& values) { std::fill(values.begin(), values.end(), 0.0F); });
}

// The next number of the dtype, at every second call.
Status last_bit_of_every_second_call(const ForwardCall& call, Forward next) {
  static int calls = 0;
  const View& y = call.outputs[0];
  Status status = next(call);
  if (++calls % 2 == 0) return status;
  return edited(status, y, [&](auto& values) {
    for (auto& value : values) {
      auto bytes = to_bytes({value}, y.dtype);
      bytes[0] ^= std::byte{1};
      value = to_values(bytes, y.dtype)[0];
    }
  });
}

Status upstream_read_as_packed(const BackwardCall& call, Backward next) {
  std::vector<View> upstream(call.upstream.begin(), call.upstream.end());
  for (auto& view : upstream) {
    std::int64_t step = 1;
    for (int d = view.rank - 1; d >= 0; --d) {
      view.strides[static_cast<std::size_t>(d)] = step;
      step *= view.shape[static_cast<std::size_t>(d)];
    }
  }
  BackwardCall other = call;
  other.upstream = upstream;
  return next(other);
}

template <std::size_t input>
Status gradient_of(const BackwardCall& call, Backward next) {
  dropped = input;
  return gradient_dropped(call, next);
}

constexpr Status (*dropping[])(const BackwardCall&, Backward) = {gradient_of<0>, gradient_of<1>,
                                                                 gradient_of<2>, gradient_of<3>};

}  // namespace

void set_fault_backend(bool cuda) {
  backend = cuda ? Backend::cuda : Backend::cpu;
}

std::vector<Fault> faults_of(const OpTraits& op) {
  const auto& contract = op.contract();
  const std::string y = contract.outputs[0].name;
  std::vector<Fault> faults = {
      {"scaled_output", y + " scaled by 1 + 1e-4", "false passes: tolerance loose", "truth", scaled_output},
      {"zero_output", y + " all zeros", "KernelBench#165", "truth", zero_output},
      {"last_column_unwritten", "the last column of " + y + " not written", "D70", "truth",
       last_column_unwritten},
      {"one_wrong_element", "one wrong element of " + y, "D102", "truth", one_wrong_element},
      {"previous_output", y + " of the call before", "reference-kernels#102", "truth", previous_output},
      {"input_changed", "the forward changes " + contract.inputs[0].name, "D12, D15", "bounds",
       input_changed},
      {"unsteady_output", "another last bit of " + y + " at times", "behaviours B20", "repeat",
       last_bit_of_every_second_call},
  };
  if (contract.has_eps) {
    faults.push_back({"eps_swallowed", "eps swallowed: it is next to nothing", "behaviours B16", "eps",
                      eps_swallowed, eps_swallowed});
  }
  for (std::size_t i = 0; i < contract.inputs.size() && i < std::size(dropping); ++i) {
    const std::string name = "d" + contract.inputs[i].name;
    faults.push_back(
        {name + "_dropped", name + " dropped: zeros", "D07, D10", "truth", nullptr, dropping[i]});
  }
  if (contract.serves_strided_rows) {
    faults.push_back({"upstream_read_as_packed", "strided upstream read as packed", "D76, D77", "bounds",
                      nullptr, upstream_read_as_packed});
  }
  return faults;
}

const Fault& find_fault(const OpTraits& op, const std::string& id) {
  static std::vector<Fault> faults;
  faults = faults_of(op);
  std::string known;
  for (const auto& fault : faults) {
    if (fault.id == id) return fault;
    known += (known.empty() ? "" : ", ") + fault.id;
  }
  throw std::invalid_argument("planted fault is '" + id + "'; allowed: " + known);
}

}  // namespace seamgate::gates::plugin
