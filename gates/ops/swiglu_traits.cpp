// SwiGLU as the gates see it.
#include "gates/ops/op_traits.hpp"
#include "kernels/swiglu/swiglu.hpp"

namespace seamgate::gates {
namespace {

using enum DType;

const std::vector<ArmExpectation> arms = {
    // tape       strategy            on     shape        a, b         layout        served by  C
    {"bare", "none", true, {6, 40}, {f32, f32}, "packed", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {40}, {f32, f32}, "packed", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {2, 3, 4, 5}, {f32, f32}, "packed", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {6, 40}, {f32, f32}, "strided", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {6, 40}, {f32, f32}, "halves", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {2, 3, 7}, {f32, f32}, "halves", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {6, 40}, {f32, f32}, "offset3", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {6, 40}, {f32, f32}, "transposed", "layout", "(1,1,0,0)"},
    {"bare", "none", true, {6, 40}, {f32, f32}, "sliced", "layout", "(1,1,0,0)"},
    {"bare", "none", true, {0, 40}, {f32, f32}, "packed", "empty", "(1,1,0,0)"},
    {"bare", "none", true, {6, 0}, {f32, f32}, "packed", "empty", "(1,1,0,0)"},
    {"bare", "none", true, {1, 65536}, {f32, f32}, "packed", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {1, 65537}, {f32, f32}, "packed", "shape", "(1,1,0,0)"},
    {"bare", "none", true, {6, 40}, {bf16, bf16}, "packed", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {6, 40}, {f16, f16}, "halves", "bare", "(1,0,0,1)"},
    {"bare", "none", true, {6, 40}, {f16, f32}, "packed", "dtype", "(1,1,0,0)"},
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
    {"tracked", "balanced", true, {6, 40}, {f32, f32}, "halves", "node", "(1,0,1,0)"},
    {"tracked", "balanced", true, {6, 40}, {f32, f32}, "transposed", "layout", "(1,1,0,0)"},
    {"tracked", "balanced", true, {6, 40}, {bf16, bf16}, "packed", "node", "(1,0,1,0)"},
    {"tracked", "no_checkpointing", true, {6, 40}, {f16, f16}, "strided", "node", "(1,0,1,0)"},
    {"tracked", "balanced", true, {6, 40}, {f32, f16}, "halves", "dtype", "(1,1,0,0)"},
    {"tracked", "balanced", true, {0, 40}, {f32, f32}, "packed", "empty", "(1,1,0,0)"},
    {"tracked", "balanced", true, {2, 65537}, {f32, f32}, "packed", "shape", "(1,1,0,0)"},
    {"tracked", "no_checkpointing", false, {6, 40}, {f32, f32}, "packed", "switch", "(1,1,0,0)"},
};

const RegisterOp registered({
    .name = "swiglu",
    .contract = kernels::swiglu_contract,
    .definition = []() -> const reference::OpDefinition& { return reference::find_definition("swiglu"); },
    // A quad, the columns at which a block covers fewer rows, and the stretches of columns that a block covers.
    .column_boundaries = {4, 8, 32, 128, 512, 1024, 2048, 65536},
    // Rows of a block: 32 at 32 columns; 256 at one quad would be no other code.
    .row_boundaries = {32, 64, 256},
    .columns_of_many_rows = 32,
    // Where silu' is 0, where 1 - s leaves f32, where exp(-a) leaves f32, and beyond.
    .points = {0.0F, -1.2784645F, 1.0F, 9.0F, 16.6F, -17.3F, 88.7F, -88.7F, 100.0F, -100.0F},
    .arms = arms,
    .equal_variants = {{{f32, f32}, {"default", "hf"}}},  // in f32 a cast does nothing
    .tensor_adjoint_launches = 10,
    .trainer_role = TrainerRole::gate_unit,
    // expf is within 2 units of f32 on a GPU (CUDA's table) and within 1 on the host, so that exp(-|a|) differs by 3 at most; the
    // three or four roundings after it may each fall the other way, by 1: 7 units of 2^-23 or less where nothing cancels, and
    // S bounds what does. In 16 bit each rounding may fall the other way: of silu(a) in `hf`, and at the end.
    .machine_agreement = {.of_scale = 8.4e-7, .steps_of_16_bit = 2, .reason = "expf, at most 3 units of f32 apart, and the roundings after it"},
});

}  // namespace
}  // namespace seamgate::gates
