// Fused add + RMSNorm as the gates see it.
#include "gates/ops/op_traits.hpp"
#include "kernels/add_rmsnorm/add_rmsnorm.hpp"

namespace seamgate::gates {
namespace {

using enum DType;

const std::vector<ArmExpectation> arms = {
    // tape       strategy            on     shape        x, residual, w      layout        served by  C
    {"bare", "none", true, {6, 40}, {f32, f32, f32}, "packed", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {40}, {f32, f32, f32}, "packed", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {2, 3, 40}, {bf16, bf16, bf16}, "packed", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {6, 40}, {f16, f16, f32}, "strided", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {6, 40}, {f32, bf16, f32}, "packed", "dtype", "(1,1,0,0)"},
    {"bare", "none", true, {6, 40}, {f32, f32, f32}, "transposed", "layout", "(1,1,0,0)"},
    {"bare", "none", true, {0, 40}, {f32, f32, f32}, "packed", "empty", "(1,1,0,0)"},
    {"bare", "none", true, {1, 16385}, {f32, f32, f32}, "packed", "shape", "(1,1,0,0)"},
    {"bare", "none", false, {6, 40}, {f32, f32, f32}, "packed", "switch", "(1,1,0,0)"},
    {"untracked", "balanced", true, {6, 40}, {f32, f32, f32}, "packed", "node", "(1,0,1,0)"},
    {"tracked", "no_checkpointing", true, {6, 40}, {f32, f32, f32}, "packed", "node", "(1,0,1,0)"},
    {"tracked", "balanced", true, {6, 40}, {bf16, bf16, f32}, "packed", "node", "(1,0,1,0)"},
    {"tracked", "balanced", true, {6, 40}, {f32, f32, f32}, "sliced", "layout", "(1,1,0,0)"},
    {"tracked", "balanced", false, {6, 40}, {f32, f32, f32}, "packed", "switch", "(1,1,0,0)"},
};

const RegisterOp registered({
    .name = "add_rmsnorm",
    .contract = kernels::add_rmsnorm_contract,
    .definition = []() -> const reference::OpDefinition& { return reference::find_definition("add_rmsnorm"); },
    .column_boundaries = {4, 32, 128, 512, 2048, 8192, 16384},
    .row_boundaries = {4, 32, 64, 1024},
    .columns_of_many_rows = 32,
    .arms = arms,
    .tensor_adjoint_launches = 13,
    .trainer_role = TrainerRole::add_norm,
    .machine_agreement = {.same_bits = true, .reason = "products, sums, a division and a square root in one order, all IEEE"},
});

}  // namespace
}  // namespace seamgate::gates
