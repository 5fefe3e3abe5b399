// One case run through the seam on a tape or bare, or by the tensor path: what came out, what was counted, what the witness saw.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gates/gate.hpp"
#include "gates/kernel_run.hpp"
#include "seam/counters.hpp"
#include "tensor/autodiff/checkpoint.hpp"
#include "tensor/autodiff/node_info.hpp"
#include "tensor/autodiff/strategy.hpp"

namespace seamgate::gates {

enum class Route { seam, tensor_path };

struct TapeOptions {
  Route route = Route::seam;
  StrategyTag strategy = StrategyTag::balanced;  // none: bare tensors
  std::vector<bool> tracked;                     // one per input; empty: all
  bool one_operation_away = false;               // inputs are results of an operation on leaves, not leaves
  bool backward = true;                          // where something is tracked
  const seam::Machines* machines = nullptr;      // in place of the implementation's kernels
};

struct TapeResult {
  std::vector<std::vector<float>> outputs;
  std::vector<std::optional<std::vector<float>>> gradients;  // of the inputs; nothing where none arrived
  seam::CounterSnapshot counters;
  std::optional<KernelsSeen> seen;    // from the first upload to the last read; nothing where no witness is in hand
  bool output_tracked = false;
  autodiff::NodeInfo node;            // of the output, on a tape
  std::uint64_t nodes_added_by_backward = 0;
  autodiff::CheckpointReport checkpoints;
};

// Holds the SeamLock from reset to read. The upstream gradient is the case's, so the loss is a random cotangent.
TapeResult run_on_tape(const OpTraits& op, const Implementation& implementation, Backend backend, const Case& c,
                       const HostCase& host, const TapeOptions& options);

// Calls `body.template operator()<B>()` with Cpu or Cuda; throws std::logic_error where the build lacks the backend.
template <class Body>
decltype(auto) with_backend(Backend backend, Body&& body) {
  if (backend == Backend::cpu) return body.template operator()<Cpu>();
#ifdef SEAMGATE_HAS_CUDA
  return body.template operator()<Cuda>();
#else
  throw std::logic_error("this build has no CUDA part; allowed backend: cpu");
#endif
}

// A tensor of the case's dtype and layout over values in logical order. Row tensors take the layout; others are packed.
// Alone it is packed where the layout is `halves`.
template <class B>
Tensor<B> tensor_of(const Case& c, kernels::Extent extent, DType dtype, const std::vector<float>& values);

// The case's inputs in its layout.
template <class B>
std::vector<Tensor<B>> bare_inputs(const kernels::Contract& contract, const Case& c, const HostCase& host);

seam::Request request_of(const Case& c);

}  // namespace seamgate::gates
