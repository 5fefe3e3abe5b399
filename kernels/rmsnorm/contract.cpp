// RMSNorm's contract as data.
#include <algorithm>

#include "kernels/rmsnorm/rmsnorm.hpp"

namespace seamgate::kernels {
namespace {

using enum DType;

// x and w to y.
const ServedDtypes all_f32 = {{f32, f32}, f32};
const ServedDtypes all_bf16 = {{bf16, bf16}, bf16};
const ServedDtypes all_f16 = {{f16, f16}, f16};
// With an f32 weight, to x's dtype or to the weight's.
const std::vector<ServedDtypes> to_x = {all_f32, all_bf16, all_f16, {{bf16, f32}, bf16}, {{f16, f32}, f16}};
const std::vector<ServedDtypes> to_w = {all_f32, all_bf16, all_f16, {{bf16, f32}, f32}, {{f16, f32}, f32}};

}  // namespace

const Contract& rmsnorm_contract() {
  static const Contract contract = {
      .op = "rmsnorm",
      .switch_name = "DM_RMSNORM_FUSED",
      .adjoint_switch_name = "DM_RMSNORM_ADJOINT",
      .inputs = {{"x", Extent::rows_by_columns}, {"w", Extent::columns}},
      .outputs = {{"y", Extent::rows_by_columns}},
      .saved = {{"rstd", Extent::rows}},
      .variants = {{"torch", 1e-6F, to_x},
                   {"llama", 1e-6F, to_w},
                   {"t5", 1e-6F, to_w},
                   {"gemma", 1e-6F, to_x},
                   {"burn", 1e-5F, {all_f32, all_bf16, all_f16}},
                   {"seed", 1e-5F, {all_f32}}},
      .max_columns = 16384,
      .serves_strided_rows = true,
      .serves_empty = false,
      .forward_launches = 1,
      .backward_launches = 2,
      .forward_kernel = "rmsnorm::forward_kernel",
      .backward_kernels = {"rmsnorm::adjoint_rows_kernel", "rmsnorm::adjoint_reduce_kernel"},
      .input_grad_repeatability = Repeatability::bit_identical,
  };
  return contract;
}

int rmsnorm_row_blocks(std::int64_t rows, LaunchPlan plan) {
  if (plan.row_blocks > 0) return static_cast<int>(std::min<std::int64_t>(plan.row_blocks, std::max<std::int64_t>(rows, 1)));
  constexpr std::int64_t rows_per_block = 4;
  constexpr std::int64_t most = 264;  // two blocks on each of an H200's 132 multiprocessors
  return static_cast<int>(std::clamp<std::int64_t>((rows + rows_per_block - 1) / rows_per_block, 1, most));
}

}  // namespace seamgate::kernels
