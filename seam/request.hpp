// What a module asks for, and the checks and declines that the contract decides before any launch.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/common/contract.hpp"
#include "kernels/common/kernel_api.hpp"
#include "seam/decline.hpp"
#include "tensor/any_tensor.hpp"
#include "tensor/tensor.hpp"

namespace seamgate::seam {

struct Request {
  std::string variant;
  float eps = 0.0F;
  kernels::LaunchPlan plan;
};

// The fused kernels that are at hand; null where none was built for a device.
struct Machines {
  const kernels::KernelTable* cpu = nullptr;
  const kernels::KernelTable* cuda = nullptr;

  const kernels::KernelTable* on(const Device& device) const { return device.kind == DeviceKind::cpu ? cpu : cuda; }
};

// A fused launch that did not start or was refused. There is no fallback: the ask has failed.
struct LaunchFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws std::invalid_argument: the wrong number of inputs, inputs of different kinds or devices, shapes that do not fit each
// other, an eps that is not positive and finite, an unknown variant.
void check_inputs(const kernels::Contract& contract, const std::vector<AnyTensor>& inputs, const Request& request);

// Why the fused kernel does not serve these inputs; nothing when it does.
std::optional<Decline> why_declined(const kernels::Contract& contract, const Machines& machines,
                                    const std::vector<AnyTensor>& inputs, const Request& request, bool switch_allows);


// The shape of a tensor of that extent, for a first input of shape `x`.
Shape shape_of(kernels::Extent extent, const Shape& x);

template <class T>
std::vector<T> unpack(const std::vector<AnyTensor>& inputs) {
  std::vector<T> typed;
  for (const auto& input : inputs) typed.push_back(*input.as<T>());
  return typed;
}

template <class T>
std::vector<AnyTensor> pack(const std::vector<T>& tensors) {
  return std::vector<AnyTensor>(tensors.begin(), tensors.end());
}

template <class B>
std::vector<kernels::View> views(const std::vector<Tensor<B>>& tensors) {
  std::vector<kernels::View> result;
  for (const auto& tensor : tensors) result.push_back(raw_view(tensor));
  return result;
}

}  // namespace seamgate::seam
