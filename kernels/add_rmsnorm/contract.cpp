// Fused add + RMSNorm's contract as data.
#include "kernels/add_rmsnorm/add_rmsnorm.hpp"

namespace seamgate::kernels {
namespace {

using enum DType;

// x, residual and w to both outputs.
const std::vector<ServedDtypes> served = {
    {{f32, f32, f32}, f32}, {{bf16, bf16, bf16}, bf16}, {{f16, f16, f16}, f16}, {{bf16, bf16, f32}, bf16}, {{f16, f16, f32}, f16}};

}  // namespace

const Contract& add_rmsnorm_contract() {
  static const Contract contract = {
      .op = "add_rmsnorm",
      .switch_name = "DM_ADD_RMSNORM_FUSED",
      .adjoint_switch_name = "DM_ADD_RMSNORM_ADJOINT",
      .inputs = {{"x", Extent::rows_by_columns}, {"residual", Extent::rows_by_columns}, {"w", Extent::columns}},
      .outputs = {{"y", Extent::rows_by_columns}, {"sum", Extent::rows_by_columns}},
      .saved = {{"rstd", Extent::rows}},
      .outputs_for_adjoint = {1},
      .variants = {{"torch", 1e-6F, served}},
      .max_columns = 16384,
      .serves_strided_rows = true,
      .serves_empty = false,
      .forward_launches = 1,
      .backward_launches = 2,
      .forward_kernel = "SummedInput",
      .backward_kernels = {"SummedGradient", "rmsnorm::adjoint_reduce_kernel"},
      .input_grad_repeatability = Repeatability::bit_identical,
  };
  return contract;
}

}  // namespace seamgate::kernels
