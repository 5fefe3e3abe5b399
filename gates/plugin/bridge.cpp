// A plug-in's functions as a KernelTable.
#include "gates/plugin/bridge.hpp"

#include <cstring>
#include <stdexcept>
#include <vector>

#include "gates/plugin/process_state.hpp"
#include "gates/plugin/watched.hpp"

namespace seamgate::gates::plugin {
namespace {

struct InForce {
  const seamgate_kernel_info* kernel = nullptr;
  const kernels::Contract* contract = nullptr;
  const Fault* fault = nullptr;
};
InForce in_force;

std::int32_t code_of(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return SEAMGATE_F32;
    case DType::bf16:
      return SEAMGATE_BF16;
    case DType::f16:
      return SEAMGATE_F16;
  }
  return 0;
}

kernels::Status call_forward(const kernels::ForwardCall& call) {
  const auto inputs = tensors_of(call.inputs);
  const auto outputs = tensors_of(call.outputs);
  const auto saved = tensors_of(call.saved);
  const std::string variant(call.attributes.variant);
  seamgate_forward_call given;
  std::memset(&given, 0, sizeof given);  // padding too: it is compared afterwards
  given.inputs = inputs.data();
  given.outputs = outputs.data();
  given.saved = saved.data();
  given.variant = variant.c_str();
  given.eps = call.attributes.eps;
  given.row_blocks = call.plan.row_blocks;
  given.stream = call.stream;
  const std::vector<seamgate_tensor>* arguments[] = {&inputs, &outputs, &saved};
  return status_of(watched("forward", in_force.kernel->forward, given, arguments));
}

kernels::Status call_backward(const kernels::BackwardCall& call) {
  const auto inputs = tensors_of(call.inputs);
  const std::size_t own = in_force.contract->saved.size();
  const auto saved = tensors_of(call.saved.first(own));
  const auto upstream = tensors_of(call.upstream);
  const auto grads = tensors_of(call.grads);
  auto outputs = upstream;  // of the same shapes; null where the backward does not read them
  for (auto& output : outputs) output.data = nullptr;
  for (std::size_t k = 0; k < in_force.contract->outputs_for_adjoint.size(); ++k) {
    outputs[static_cast<std::size_t>(in_force.contract->outputs_for_adjoint[k])] =
        tensor_of(call.saved[own + k]);
  }
  const std::string variant(call.attributes.variant);
  seamgate_backward_call given;
  std::memset(&given, 0, sizeof given);
  given.inputs = inputs.data();
  given.outputs = outputs.data();
  given.saved = saved.data();
  given.upstream = upstream.data();
  given.grads = grads.data();
  given.workspace = call.workspace.data;
  given.workspace_bytes = static_cast<std::uint64_t>(call.workspace.numel()) * size_of(call.workspace.dtype);
  given.variant = variant.c_str();
  given.eps = call.attributes.eps;
  given.row_blocks = call.plan.row_blocks;
  given.stream = call.stream;
  const std::vector<seamgate_tensor>* arguments[] = {&inputs, &outputs, &saved, &upstream, &grads};
  return status_of(watched("backward", in_force.kernel->backward, given, arguments));
}

kernels::Status forward(const kernels::ForwardCall& call) {
  return in_force.fault != nullptr && in_force.fault->forward != nullptr
             ? in_force.fault->forward(call, call_forward)
             : call_forward(call);
}

kernels::Status backward(const kernels::BackwardCall& call) {
  return in_force.fault != nullptr && in_force.fault->backward != nullptr
             ? in_force.fault->backward(call, call_backward)
             : call_backward(call);
}

std::size_t workspace_bytes(std::int64_t rows, std::int64_t columns, kernels::LaunchPlan plan) {
  if (in_force.kernel->workspace_bytes == nullptr) return 0;
  const ProcessState state;
  const std::uint64_t bytes = in_force.kernel->workspace_bytes(rows, columns, plan.row_blocks);
  note_disturbances("workspace_bytes", state.restore());
  constexpr std::uint64_t most = std::uint64_t{1} << 36;
  if (bytes > most) {
    throw std::runtime_error("workspace_bytes(" + std::to_string(rows) + ", " + std::to_string(columns) +
                             ", " + std::to_string(plan.row_blocks) + ") is " + std::to_string(bytes) +
                             "; allowed: up to " + std::to_string(most));
  }
  return (bytes + 3) / 4 * 4;
}

}  // namespace

seamgate_tensor tensor_of(const kernels::View& view) {
  seamgate_tensor tensor;
  std::memset(&tensor, 0, sizeof tensor);
  tensor.dtype = code_of(view.dtype);
  tensor.rank = view.rank;
  tensor.shape = view.shape.data();
  tensor.strides = view.strides.data();
  // What does not begin at a multiple of 16 bytes begins at an offset from one, as a slice of a larger buffer
  // does in DLPack.
  const auto address = reinterpret_cast<std::uintptr_t>(view.data);
  tensor.byte_offset = address % 16;
  tensor.data = reinterpret_cast<void*>(address - tensor.byte_offset);
  return tensor;
}

std::vector<seamgate_tensor> tensors_of(std::span<const kernels::View> views) {
  std::vector<seamgate_tensor> tensors;
  for (const auto& view : views) tensors.push_back(tensor_of(view));
  return tensors;
}

std::string printable(const char* message, std::size_t most) {
  std::string line;
  for (std::size_t i = 0; i < most && message[i] != '\0'; ++i) {
    const auto byte = static_cast<unsigned char>(message[i]);
    line += byte >= 0x20 && byte < 0x7f ? message[i] : '?';
  }
  return line;
}

kernels::Status status_of(const Said& said) {
  switch (said.code) {
    case SEAMGATE_OK:
      return kernels::Status::success();
    case SEAMGATE_INVALID:
      return kernels::Status::invalid(said.message);
    case SEAMGATE_UNSUPPORTED:
      return kernels::Status::unsupported(said.message);
    case SEAMGATE_DECLINED:
      return kernels::Status::unsupported("declined: " + said.message);
    case SEAMGATE_LAUNCH_FAILED:
      return kernels::Status::launch_failed(said.message);
    default:
      return kernels::Status::launch_failed("it returned " + std::to_string(said.code) +
                                            ", which is no SEAMGATE_... code");
  }
}

void set_kernel(const seamgate_kernel_info& kernel, const kernels::Contract& contract, const Fault* fault) {
  in_force = {&kernel, &contract, fault};
}

const kernels::KernelTable& table() {
  static const kernels::KernelTable kernels = {&forward, &backward, &workspace_bytes};
  return kernels;
}

}  // namespace seamgate::gates::plugin
