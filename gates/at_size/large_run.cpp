// One case run on a kernel directly, in tensors that the host never holds.
#include "gates/at_size/large_run.hpp"

#include <stdexcept>

#include "gates/device_memory.hpp"
#include "gates/inputs.hpp"
#include "gates/kernel_run.hpp"

namespace seamgate::gates {
namespace {

constexpr std::int64_t guard_bytes = 4096;
constexpr std::byte untouched{0xff};

std::int64_t rows_of(kernels::Extent extent, const Case& c) {
  return extent == kernels::Extent::columns ? 1 : c.rows();
}

std::int64_t bytes_of(kernels::Extent extent, DType dtype, const Case& c) {
  const auto width = extent == kernels::Extent::rows ? 1 : c.columns();
  return rows_of(extent, c) * width * static_cast<std::int64_t>(size_of(dtype));
}

template <class Buffers>
std::vector<kernels::View> views_of(const Buffers& buffers) {
  std::vector<kernels::View> views;
  for (const auto& buffer : buffers) views.push_back(buffer.view);
  return views;
}

}  // namespace

LargeMemory::LargeMemory(Backend backend, std::int64_t bytes, std::string name)
    : backend_(backend),
      bytes_(bytes),
      name_(std::move(name)),
      base_(device::allocate(backend, static_cast<std::size_t>(bytes + 2 * guard_bytes))) {
  device::fill(backend, base_, untouched, static_cast<std::size_t>(bytes + 2 * guard_bytes));
}

LargeMemory::~LargeMemory() {
  device::release(backend_, base_);
}

std::byte* LargeMemory::data() const {
  return base_ + guard_bytes;
}

std::string LargeMemory::broken_guard() const {
  std::vector<std::byte> zone(guard_bytes);
  for (const bool before : {true, false}) {
    device::download(backend_, zone.data(), before ? base_ : data() + bytes_, zone.size());
    for (std::size_t i = 0; i < zone.size(); ++i) {
      if (zone[i] == untouched) continue;
      return name_ + ": written " +
             (before ? std::to_string(zone.size() - i) + " bytes before its first element"
                     : std::to_string(i) + " bytes after its end");
    }
  }
  return {};
}

std::int64_t LargeRun::bytes_needed(const OpTraits& op, const kernels::KernelTable& table, const Case& c) {
  const auto& contract = op.contract();
  auto bytes = static_cast<std::int64_t>(table.workspace_bytes(c.rows(), c.columns(), c.plan));
  for (const auto& spec : contract.inputs) bytes += 2 * bytes_of(spec.extent, c.dtypes[0], c);
  for (const auto& spec : contract.outputs) bytes += 2 * bytes_of(spec.extent, c.dtypes[0], c);
  for (const auto& spec : contract.saved) bytes += bytes_of(spec.extent, DType::f32, c);
  return bytes;
}

LargeRun::LargeRun(const OpTraits& op, const kernels::KernelTable& table, Backend backend, const Case& c)
    : op_(op), table_(table), backend_(backend), case_(c) {
  const auto& contract = op.contract();
  for (const DType dtype : c.dtypes) {
    if (dtype != c.dtypes[0])
      throw std::invalid_argument("a large run of " + c.str() + "; allowed: one dtype for all inputs");
  }
  const DType dtype = c.dtypes[0];
  if (output_dtype(contract, c) != dtype)
    throw std::invalid_argument("a large run of " + c.str() + "; allowed: outputs of the inputs' dtype");
  for (const auto& spec : contract.inputs) {
    inputs_.push_back(make_buffer(spec.name, spec.extent, dtype));
    make_values_in(inputs_.back(), spec.name, true);
    grads_.push_back(make_buffer("d" + spec.name, spec.extent, dtype));
  }
  for (const auto& spec : contract.outputs) {
    outputs_.push_back(make_buffer(spec.name, spec.extent, dtype));
    upstream_.push_back(make_buffer("g" + spec.name, spec.extent, dtype));
    make_values_in(upstream_.back(), "g" + spec.name, false);
  }
  for (const auto& spec : contract.saved) saved_.push_back(make_buffer(spec.name, spec.extent, DType::f32));
  const auto bytes = static_cast<std::int64_t>(table.workspace_bytes(c.rows(), c.columns(), c.plan));
  workspace_.memory = std::make_unique<LargeMemory>(backend, bytes, "workspace");
  workspace_.view = {workspace_.memory->data(), DType::f32, 1, {bytes / 4}, {1}};
}

LargeRun::Buffer LargeRun::make_buffer(const std::string& name, kernels::Extent extent, DType dtype) const {
  Buffer buffer;
  buffer.extent = extent;
  buffer.memory = std::make_unique<LargeMemory>(backend_, bytes_of(extent, dtype, case_), name);
  if (extent == kernels::Extent::rows_by_columns) {
    buffer.view = {buffer.memory->data(), dtype, 2, {case_.rows(), case_.columns()}, {case_.columns(), 1}};
  } else {
    buffer.view = {buffer.memory->data(),
                   dtype,
                   1,
                   {extent == kernels::Extent::rows ? case_.rows() : case_.columns()},
                   {1}};
  }
  return buffer;
}

void LargeRun::make_values_in(Buffer& buffer, const std::string& stream, bool shaped) const {
  buffer.map = input_map(case_, stream, buffer.extent, buffer.view.dtype, shaped);
  make_inputs(backend_, buffer.map, buffer.memory->data(), rows_of(buffer.extent, case_));
}

kernels::Status LargeRun::forward() {
  const auto in = views_of(inputs_);
  const auto out = views_of(outputs_);
  const auto saved = views_of(saved_);
  const auto status = table_.forward({.inputs = in,
                                      .outputs = out,
                                      .saved = saved,
                                      .attributes = {case_.variant, case_.eps},
                                      .plan = case_.plan});
  if (status.ok()) device::synchronise(backend_);
  return status;
}

kernels::Status LargeRun::backward() {
  const auto in = views_of(inputs_);
  auto saved = views_of(saved_);
  for (const int j : op_.contract().outputs_for_adjoint)
    saved.push_back(outputs_[static_cast<std::size_t>(j)].view);
  const auto upstream = views_of(upstream_);
  const auto grads = views_of(grads_);
  const auto status = table_.backward({.inputs = in,
                                       .saved = saved,
                                       .upstream = upstream,
                                       .grads = grads,
                                       .workspace = workspace_.view,
                                       .attributes = {case_.variant, case_.eps},
                                       .plan = case_.plan});
  if (status.ok()) device::synchronise(backend_);
  return status;
}

std::string LargeRun::damage() const {
  for (const auto* buffers : {&inputs_, &outputs_, &saved_, &upstream_, &grads_}) {
    for (const auto& buffer : *buffers) {
      if (auto broken = buffer.memory->broken_guard(); !broken.empty()) return broken;
    }
  }
  if (auto broken = workspace_.memory->broken_guard(); !broken.empty()) return broken;
  for (const auto* buffers : {&inputs_, &upstream_}) {
    for (const auto& buffer : *buffers) {
      const auto changed =
          changed_inputs(backend_, buffer.map, buffer.memory->data(), rows_of(buffer.extent, case_));
      if (changed.count == 0) continue;
      return buffer.memory->name() + ": " + std::to_string(changed.count) +
             " elements were changed, the first at row " + std::to_string(changed.first / case_.columns()) +
             ", column " + std::to_string(changed.first % case_.columns());
    }
  }
  return {};
}

ProblemAtSize LargeRun::problem(double bar, std::vector<std::int64_t> sampled) const {
  ProblemAtSize problem;
  problem.rows = case_.rows();
  problem.columns = case_.columns();
  problem.eps = case_.eps;
  problem.dtype = case_.dtypes[0];
  for (const auto& buffer : inputs_) problem.inputs.push_back(buffer.memory->data());
  for (const auto& buffer : upstream_) problem.upstream.push_back(buffer.memory->data());
  for (const auto& buffer : outputs_) problem.outputs.push_back(buffer.memory->data());
  for (const auto& buffer : grads_) problem.gradients.push_back(buffer.memory->data());
  problem.bar = bar;
  problem.sampled = std::move(sampled);
  return problem;
}

std::byte* LargeRun::address(const Buffer& buffer, std::int64_t row, std::int64_t column) const {
  const std::int64_t index =
      buffer.extent == kernels::Extent::columns ? column : row * case_.columns() + column;
  return buffer.memory->data() + index * static_cast<std::int64_t>(size_of(buffer.view.dtype));
}

float LargeRun::element(const Buffer& buffer, std::int64_t row, std::int64_t column) const {
  std::vector<std::byte> bytes(size_of(buffer.view.dtype));
  device::download(backend_, bytes.data(), address(buffer, row, column), bytes.size());
  return to_values(bytes, buffer.view.dtype)[0];
}

void LargeRun::set(const Buffer& buffer, std::int64_t row, std::int64_t column, float value) const {
  const auto bytes = to_bytes({value}, buffer.view.dtype);
  device::upload(backend_, address(buffer, row, column), bytes.data(), bytes.size());
}

std::vector<float> LargeRun::input_rows(std::size_t i, const std::vector<std::int64_t>& rows) const {
  const Buffer& buffer = inputs_[i];
  const auto width = static_cast<std::size_t>(case_.columns());
  std::vector<float> values;
  std::vector<std::byte> bytes(width * size_of(buffer.view.dtype));
  const bool shared = buffer.extent == kernels::Extent::columns;
  for (std::size_t k = 0; k < (shared ? 1 : rows.size()); ++k) {
    device::download(backend_, bytes.data(), address(buffer, shared ? 0 : rows[k], 0), bytes.size());
    const auto row = to_values(bytes, buffer.view.dtype);
    values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

std::vector<float> LargeRun::mapped_rows(const InputMap& map, kernels::Extent extent,
                                         const std::vector<std::int64_t>& rows) const {
  const bool shared = extent == kernels::Extent::columns;
  std::vector<float> values;
  for (std::size_t k = 0; k < (shared ? 1 : rows.size()); ++k) {
    for (std::int64_t column = 0; column < case_.columns(); ++column)
      values.push_back(map.at(shared ? 0 : rows[k], column));
  }
  return values;
}

std::vector<InputMap> LargeRun::maps_of(const std::vector<Buffer>& buffers) {
  std::vector<InputMap> maps;
  for (const auto& buffer : buffers) maps.push_back(buffer.map);
  return maps;
}

}  // namespace seamgate::gates
