// An op small enough to be its own proof, for tests of the seam: y = x * s, x of rows by columns and s one
// per column. Its kernels are loops that can be told to fail.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "kernels/common/rows.hpp"
#include "seam/ask.hpp"
#include "tensor/autodiff/primitives.hpp"
#include "tensor/primitives.hpp"

namespace seamgate::seam::testing {

inline const kernels::Contract& scale_contract() {
  static const kernels::Contract contract = {
      .op = "scale",
      .switch_name = "SEAMGATE_TEST_SCALE_FUSED",
      .adjoint_switch_name = "SEAMGATE_TEST_SCALE_ADJOINT",
      .inputs = {{"x", kernels::Extent::rows_by_columns}, {"s", kernels::Extent::columns}},
      .outputs = {{"y", kernels::Extent::rows_by_columns}},
      .saved = {},
      .variants = {{"plain", 1e-6F, {{{DType::f32, DType::f32}, DType::f32}}}},
      .max_columns = 8,
      .serves_strided_rows = false,
      .serves_empty = false,
      .forward_launches = 1,
      .backward_launches = 1,
      .forward_kernel = "scale::forward",
      .backward_kernels = {"scale::backward"},
  };
  return contract;
}

struct Scale {
  static const kernels::Contract& contract() { return scale_contract(); }

  template <class B>
  static std::vector<Tensor<B>> tensor_path(const std::vector<Tensor<B>>& inputs,
                                            const kernels::Attributes&) {
    return {cast(mul(inputs[0], inputs[1]), inputs[0].dtype())};
  }

  template <class B>
  static std::vector<std::optional<Tensor<B>>> tensor_adjoint(const std::vector<Tensor<B>>& inputs,
                                                              const std::vector<Tensor<B>>&,
                                                              const std::vector<Tensor<B>>& upstream,
                                                              const std::vector<bool>& wants,
                                                              const kernels::Attributes&) {
    std::vector<std::optional<Tensor<B>>> grads(2);
    if (wants[0]) grads[0] = mul(upstream[0], inputs[1]);
    if (wants[1]) grads[1] = sum_to(mul(upstream[0], inputs[0]), inputs[1].shape());
    return grads;
  }
};

// What the kernels did; one test at a time.
struct ScaleKernels {
  inline static std::atomic<int> forwards = 0;
  inline static std::atomic<int> backwards = 0;
  inline static bool fails = false;

  static float at(const kernels::View& view, std::int64_t row, std::int64_t column) {
    const auto rows = kernels::as_rows(view);
    return static_cast<const float*>(view.data)[row * rows->stride + column];
  }

  static kernels::Status forward(const kernels::ForwardCall& call) {
    if (fails) return kernels::Status::launch_failed("told to fail");
    ++forwards;
    const auto& x = call.inputs[0];
    auto* y = static_cast<float*>(call.outputs[0].data);
    for (std::int64_t r = 0; r < x.rows(); ++r) {
      for (std::int64_t c = 0; c < x.columns(); ++c)
        y[r * x.columns() + c] = at(x, r, c) * at(call.inputs[1], 0, c);
    }
    return kernels::Status::success();
  }

  static kernels::Status backward(const kernels::BackwardCall& call) {
    if (fails) return kernels::Status::launch_failed("told to fail");
    ++backwards;
    const auto& x = call.inputs[0];
    auto* dx = static_cast<float*>(call.grads[0].data);
    auto* ds = static_cast<float*>(call.grads[1].data);
    for (std::int64_t c = 0; c < x.columns(); ++c) {
      float sum = 0.0F;
      for (std::int64_t r = 0; r < x.rows(); ++r) {
        const float gy = at(call.upstream[0], r, c);
        if (dx != nullptr) dx[r * x.columns() + c] = gy * at(call.inputs[1], 0, c);
        sum += gy * at(x, r, c);
      }
      if (ds != nullptr) ds[c] = sum;
    }
    return kernels::Status::success();
  }

  static std::size_t workspace_bytes(std::int64_t, std::int64_t, kernels::LaunchPlan) { return 4; }

  static Machines machines() {
    static const kernels::KernelTable table = {forward, backward, workspace_bytes};
    return {&table, nullptr};
  }
};

using ScaleSeam = shipped::Seam<Scale>;

}  // namespace seamgate::seam::testing
