// SwiGLU's contract as data.
#include "kernels/swiglu/swiglu.hpp"

namespace seamgate::kernels {
namespace {

using enum DType;

const std::vector<ServedDtypes> served = {{{f32, f32}, f32}, {{bf16, bf16}, bf16}, {{f16, f16}, f16}};

}  // namespace

const Contract& swiglu_contract() {
  static const Contract contract = {
      .op = "swiglu",
      .switch_name = "DM_SWIGLU_FUSED",
      .adjoint_switch_name = "DM_SWIGLU_ADJOINT",
      .inputs = {{"a", Extent::rows_by_columns}, {"b", Extent::rows_by_columns}},
      .outputs = {{"y", Extent::rows_by_columns}},
      .saved = {},
      .variants = {{"default", 0.0F, served}, {"hf", 0.0F, served}},
      .max_columns = 65536,
      .serves_strided_rows = true,
      .serves_empty = false,
      .has_eps = false,
      .forward_launches = 1,
      .backward_launches = 1,
      .forward_kernel = "swiglu::forward_kernel",
      .backward_kernels = {"swiglu::adjoint_kernel"},
      .input_grad_repeatability = Repeatability::bit_identical,
  };
  return contract;
}

}  // namespace seamgate::kernels
