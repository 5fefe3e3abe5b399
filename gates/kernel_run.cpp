// One case run on a kernel directly, below the seam.
#include "gates/kernel_run.hpp"

#include <cstring>
#include <stdexcept>

#include "gates/inputs.hpp"
#include "kernels/simt/scalar_types.hpp"

namespace seamgate::gates {
namespace {

using simt::from_float;
using simt::to_float;

template <class T>
std::vector<std::byte> encode(const std::vector<float>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T value = from_float<T>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
  return bytes;
}

template <class T>
std::vector<float> decode(const std::vector<std::byte>& bytes) {
  std::vector<float> values(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    values[i] = to_float(value);
  }
  return values;
}

// Of a tensor that does not take the case's layout.
constexpr std::int64_t plain = 0;

const kernels::KernelTable& table_of(const Implementation& implementation, Machine machine) {
  const auto* table = implementation.kernels(machine);
  if (table == nullptr) throw std::invalid_argument(implementation.name() + " has no kernels for " + std::string(to_string(machine)));
  return *table;
}

}  // namespace

std::vector<std::byte> to_bytes(const std::vector<float>& values, DType dtype) {
  if (dtype == DType::bf16) return encode<bf16>(values);
  if (dtype == DType::f16) return encode<f16>(values);
  return encode<float>(values);
}

std::vector<float> to_values(const std::vector<std::byte>& bytes, DType dtype) {
  if (dtype == DType::bf16) return decode<bf16>(bytes);
  if (dtype == DType::f16) return decode<f16>(bytes);
  return decode<float>(bytes);
}

std::string to_hex(const std::vector<float>& values) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : to_bytes(values, DType::f32)) {
    text += digits[std::to_integer<int>(byte) >> 4];
    text += digits[std::to_integer<int>(byte) & 15];
  }
  return text;
}

HostCase make_host_case(const OpTraits& op, const Case& c) {
  HostCase host;
  const auto& contract = op.contract();
  for (std::size_t i = 0; i < contract.inputs.size(); ++i) {
    host.inputs.push_back(make_values(c, contract.inputs[i].name, contract.inputs[i].extent, c.dtypes[i], true));
  }
  for (const auto& output : contract.outputs) {
    host.upstream.push_back(make_values(c, "g" + output.name, output.extent, output_dtype(contract, c), false));
  }
  return host;
}

namespace {

reference::Format format_of(DType dtype) {
  if (dtype == DType::bf16) return reference::Format::bf16;
  return dtype == DType::f16 ? reference::Format::f16 : reference::Format::f32;
}

}  // namespace

reference::Truth evaluate_truth(const OpTraits& op, const Case& c, const HostCase& host) {
  reference::TruthRequest request;
  request.rows = c.rows();
  request.columns = c.columns();
  for (std::size_t i = 0; i < host.inputs.size(); ++i) {
    request.inputs.push_back({host.inputs[i].data(), c.columns(), format_of(c.dtypes[i])});
  }
  for (const auto& values : host.upstream) request.upstream.push_back({values.data(), c.columns()});
  request.attributes = {c.variant, c.eps};
  return op.definition().evaluate(request);
}

KernelRun::KernelRun(const OpTraits& op, const Implementation& implementation, Machine machine, const Case& c)
    : KernelRun(op, implementation, machine, c, make_host_case(op, c)) {}

KernelRun::KernelRun(const OpTraits& op, const Implementation& implementation, Machine machine, const Case& c, HostCase host)
    : KernelRun(op, table_of(implementation, machine), machine, c, std::move(host)) {}

KernelRun::KernelRun(const OpTraits& op, const kernels::KernelTable& table, Machine machine, const Case& c, HostCase host)
    : op_(op), table_(table), backend_(machine == Machine::cuda ? Backend::cuda : Backend::cpu),
      case_(c), host_(std::move(host)) {
  const auto& contract = op.contract();
  // Another stride for each tensor, so that none can stand in for another's; all of one remainder by the width of a vector,
  // so that they are aligned together.
  auto next_padding = [padding = std::int64_t{1}]() mutable { return padding += 4; };
  for (std::size_t i = 0; i < contract.inputs.size(); ++i) {
    const auto& spec = contract.inputs[i];
    inputs_.push_back(make_buffer(spec.name, spec.extent, c.dtypes[i], next_padding()));
    grads_.push_back(make_buffer("d" + spec.name, spec.extent, c.dtypes[i], next_padding(), simt::Contents::unwritten));
  }
  for (const auto& spec : contract.outputs) {
    outputs_.push_back(make_buffer(spec.name, spec.extent, output_dtype(contract, c), next_padding(), simt::Contents::unwritten));
    upstream_.push_back(make_buffer("g" + spec.name, spec.extent, output_dtype(contract, c), next_padding()));
  }
  for (const auto& spec : contract.saved) saved_.push_back(make_buffer(spec.name, spec.extent, DType::f32, plain, simt::Contents::unwritten));
  const auto bytes = static_cast<std::int64_t>(table_.workspace_bytes(c.rows(), c.columns(), c.plan));
  Buffer workspace;
  workspace.memory = std::make_unique<DeviceMemory>(backend_, Footprint{1, bytes, bytes, 0}, "workspace", simt::Contents::unwritten);
  workspace.view = {workspace.memory->data(), DType::f32, 1, {bytes / 4}, {1}};
  workspace_ = std::move(workspace);
  upload();
}

KernelRun::Buffer KernelRun::make_buffer(const std::string& name, kernels::Extent extent, DType dtype, std::int64_t padding,
                                         simt::Contents contents) {
  const auto size = static_cast<std::int64_t>(size_of(dtype));
  const bool by_columns = extent == kernels::Extent::rows_by_columns;
  std::int64_t stride = case_.columns();
  std::int64_t offset = 0;
  const int number = made_++;
  if (case_.layout.starts_with("odd")) {
    offset = case_.layout.back() - '0' == number ? 1 : 0;
  } else if (padding != plain && case_.layout == "strided") {
    stride += by_columns ? padding : 0;
  } else if (padding != plain && case_.layout.starts_with("offset")) {
    offset = case_.layout.back() - '0';
  } else if (case_.layout != "packed" && case_.layout != "strided" && !case_.layout.starts_with("offset")) {
    throw std::invalid_argument("layout is '" + case_.layout + "'; allowed for a direct launch: packed, strided, offset1 to offset7, odd0 to odd9");
  }
  Buffer buffer;
  buffer.view.dtype = dtype;
  Footprint footprint;
  if (by_columns) {
    footprint = {case_.rows(), case_.columns() * size, stride * size, offset * size};
    buffer.view.rank = static_cast<int>(case_.shape.size());
    std::int64_t step = stride;
    for (int d = buffer.view.rank - 1; d >= 0; --d) {
      const auto extent_here = case_.shape[static_cast<std::size_t>(d)];
      const bool last = d == buffer.view.rank - 1;
      buffer.view.shape[static_cast<std::size_t>(d)] = extent_here;
      buffer.view.strides[static_cast<std::size_t>(d)] = last ? 1 : step;
      if (!last) step *= extent_here;
    }
  } else {
    const auto count = extent == kernels::Extent::rows ? case_.rows() : case_.columns();
    footprint = {1, count * size, count * size, offset * size};
    buffer.view.rank = 1;
    buffer.view.shape[0] = count;
    buffer.view.strides[0] = 1;
  }
  buffer.memory = std::make_unique<DeviceMemory>(backend_, footprint, name, contents);
  buffer.view.data = buffer.memory->data();
  return buffer;
}

void KernelRun::upload() {
  for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i].memory->write(to_bytes(host_.inputs[i], inputs_[i].view.dtype));
  for (std::size_t i = 0; i < upstream_.size(); ++i) upstream_[i].memory->write(to_bytes(host_.upstream[i], upstream_[i].view.dtype));
}

void KernelRun::set_host(HostCase host) {
  host_ = std::move(host);
  upload();
}

void KernelRun::spoil_inputs() {
  for (auto* buffers : {&inputs_, &upstream_}) {
    for (auto& buffer : *buffers) buffer.memory->fill(std::byte{0xff});
  }
}

void KernelRun::copy_inputs_from(const KernelRun& other, kernels::Stream stream) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i].memory->copy_rows_from(*other.inputs_[i].memory, stream);
  for (std::size_t i = 0; i < upstream_.size(); ++i) upstream_[i].memory->copy_rows_from(*other.upstream_[i].memory, stream);
}

void KernelRun::refill(std::byte value) {
  for (auto* buffers : {&outputs_, &saved_, &grads_}) {
    for (auto& buffer : *buffers) buffer.memory->fill(value);
  }
  workspace_->memory->fill(value);
}

namespace {

template <class Buffers>
std::vector<kernels::View> views_of(const Buffers& buffers) {
  std::vector<kernels::View> views;
  for (const auto& buffer : buffers) views.push_back(buffer.view);
  return views;
}

}  // namespace

kernels::Status KernelRun::forward() {
  const auto status = enqueue_forward(nullptr);
  if (status.ok()) device::synchronise(backend_);
  return status;
}

kernels::Status KernelRun::forward_in_place() {
  auto out = views_of(outputs_);
  out[0] = inputs_[0].view;
  const auto status = enqueue_into(out, nullptr);
  if (status.ok()) device::synchronise(backend_);
  return status;
}

kernels::Status KernelRun::enqueue_forward(kernels::Stream stream) { return enqueue_into(views_of(outputs_), stream); }

kernels::Status KernelRun::enqueue_into(const std::vector<kernels::View>& out, kernels::Stream stream) {
  const auto in = views_of(inputs_);
  const auto saved = views_of(saved_);
  return table_.forward({.inputs = in,
                         .outputs = out,
                         .saved = saved,
                         .attributes = {case_.variant, case_.eps},
                         .plan = case_.plan,
                         .stream = stream});
}

kernels::Status KernelRun::backward() { return backward(std::vector<bool>(inputs_.size(), true)); }

kernels::Status KernelRun::backward(const std::vector<bool>& wanted) {
  const auto status = enqueue_backward(wanted, nullptr);
  if (status.ok()) device::synchronise(backend_);
  return status;
}

kernels::Status KernelRun::enqueue_backward(const std::vector<bool>& wanted, kernels::Stream stream) {
  const auto in = views_of(inputs_);
  auto saved = views_of(saved_);
  for (const int i : op_.contract().outputs_for_adjoint) saved.push_back(outputs_[static_cast<std::size_t>(i)].view);
  const auto upstream = views_of(upstream_);
  auto grads = views_of(grads_);
  for (std::size_t i = 0; i < grads.size(); ++i) {
    if (!wanted[i]) grads[i].data = nullptr;
  }
  return table_.backward({.inputs = in,
                          .saved = saved,
                          .upstream = upstream,
                          .grads = grads,
                          .workspace = workspace_->view,
                          .attributes = {case_.variant, case_.eps},
                          .plan = case_.plan,
                          .stream = stream});
}

std::vector<float> KernelRun::read(const Buffer& buffer) const { return to_values(buffer.memory->read(), buffer.view.dtype); }

std::string KernelRun::damage() const {
  for (const auto* buffers : {&inputs_, &outputs_, &saved_, &upstream_, &grads_}) {
    for (const auto& buffer : *buffers) {
      if (auto broken = buffer.memory->broken_guard(); !broken.empty()) return broken;
    }
  }
  if (auto broken = workspace_->memory->broken_guard(); !broken.empty()) return broken;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].memory->read() != to_bytes(host_.inputs[i], inputs_[i].view.dtype)) return inputs_[i].memory->name() + ": an input was changed";
  }
  for (std::size_t i = 0; i < upstream_.size(); ++i) {
    if (upstream_[i].memory->read() != to_bytes(host_.upstream[i], upstream_[i].view.dtype)) {
      return upstream_[i].memory->name() + ": an upstream gradient was changed";
    }
  }
  return {};
}

}  // namespace seamgate::gates
