// RMSNorm as the gates see it.
#include "gates/ops/op_traits.hpp"
#include "kernels/rmsnorm/rmsnorm.hpp"

namespace seamgate::gates {
namespace {

using enum DType;

const std::vector<ArmExpectation> arms = {
    // tape       strategy            on     shape        x, w         layout        served by  C
    {"bare", "none", true, {6, 40}, {f32, f32}, "packed", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {40}, {f32, f32}, "packed", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {2, 3, 4, 5}, {f32, f32}, "packed", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {6, 40}, {f32, f32}, "strided", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {6, 40}, {f32, f32}, "offset3", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {6, 40}, {f32, f32}, "transposed", "layout", "(1,1,0,0)"},
    {"bare", "none", true, {6, 40}, {f32, f32}, "sliced", "layout", "(1,1,0,0)"},
    {"bare", "none", true, {0, 40}, {f32, f32}, "packed", "empty", "(1,1,0,0)"},
    {"bare", "none", true, {6, 0}, {f32, f32}, "packed", "empty", "(1,1,0,0)"},
    {"bare", "none", true, {1, 16384}, {f32, f32}, "packed", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {1, 16385}, {f32, f32}, "packed", "shape", "(1,1,0,0)"},
    {"bare", "none", true, {6, 40}, {bf16, bf16}, "packed", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {6, 40}, {f16, f16}, "offset1", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {6, 40}, {f16, f32}, "packed", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {6, 40}, {bf16, f32}, "strided", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {6, 40}, {bf16, f16}, "packed", "dtype", "(1,1,0,0)"},
    {"bare", "none", true, {6, 40}, {f32, bf16}, "packed", "dtype", "(1,1,0,0)"},
    {"bare", "none", false, {6, 40}, {f32, f32}, "packed", "switch", "(1,1,0,0)"},
    {"untracked", "no_checkpointing", true, {6, 40}, {f32, f32}, "packed", "node", "(1,0,1,0)"},
    {"untracked", "balanced", true, {6, 40}, {f32, f32}, "packed", "node", "(1,0,1,0)"},
    {"untracked", "balanced", false, {6, 40}, {f32, f32}, "packed", "switch", "(1,1,0,0)"},
    {"tracked", "no_checkpointing", true, {6, 40}, {f32, f32}, "packed", "node", "(1,0,1,0)"},
    {"tracked", "balanced", true, {6, 40}, {f32, f32}, "packed", "node", "(1,0,1,0)"},
    {"tracked", "balanced", true, {2, 3, 40}, {f32, f32}, "packed", "node", "(1,0,1,0)"},
    {"tracked", "balanced", true, {6, 40}, {f32, f32}, "strided", "node", "(1,0,1,0)"},
    {"tracked", "balanced", true, {6, 40}, {f32, f32}, "transposed", "layout", "(1,1,0,0)"},
    {"tracked", "balanced", true, {6, 40}, {bf16, bf16}, "packed", "node", "(1,0,1,0)"},
    {"tracked", "no_checkpointing", true, {6, 40}, {f16, f32}, "packed", "node", "(1,0,1,0)"},
    {"tracked", "balanced", true, {6, 40}, {f32, f16}, "packed", "dtype", "(1,1,0,0)"},
    {"tracked", "balanced", true, {0, 40}, {f32, f32}, "packed", "empty", "(1,1,0,0)"},
    {"tracked", "balanced", true, {2, 16385}, {f32, f32}, "packed", "shape", "(1,1,0,0)"},
    {"tracked", "no_checkpointing", false, {6, 40}, {f32, f32}, "packed", "switch", "(1,1,0,0)"},
};

const RegisterOp registered({
    .name = "rmsnorm",
    .contract = kernels::rmsnorm_contract,
    .definition = []() -> const reference::OpDefinition& { return reference::find_definition("rmsnorm"); },
    // A quad, a warp's quads, and the columns at which another warp joins the row.
    .column_boundaries = {4, 32, 128, 512, 1024, 2048, 4096, 8192, 16384},
    // Blocks of one-warp rows, rows a block of the adjoint, and the levels of dw's sum.
    .row_boundaries = {4, 32, 64, 1024, 1056},
    .columns_of_many_rows = 32,
    .arms = arms,
    // In f32 a cast does nothing; with a 16-bit weight of x's dtype llama's and t5's inner casts are the same.
    .equal_variants = {{{f32, f32}, {"torch", "llama", "t5", "burn", "seed"}},
                       {{bf16, bf16}, {"llama", "t5"}},
                       {{f16, f16}, {"llama", "t5"}}},
    .tensor_adjoint_launches = 11,
    .trainer_role = TrainerRole::norm,
    .machine_agreement = {.same_bits = true, .reason = "products, sums, a division and a square root in one order, all IEEE"},
});

}  // namespace
}  // namespace seamgate::gates
