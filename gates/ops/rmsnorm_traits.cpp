// RMSNorm as the gates see it.
#include "gates/ops/op_traits.hpp"
#include "kernels/rmsnorm/rmsnorm.hpp"

namespace seamgate::gates {
namespace {

const RegisterOp registered({
    .name = "rmsnorm",
    .contract = kernels::rmsnorm_contract,
    .definition = []() -> const reference::OpDefinition& { return reference::find_definition("rmsnorm"); },
    // A quad, a warp's quads, and the columns at which another warp joins the row.
    .column_boundaries = {4, 32, 128, 512, 1024, 2048, 4096, 8192, 16384},
    // Blocks of one-warp rows, rows a block of the adjoint, and the levels of dw's sum.
    .row_boundaries = {4, 32, 64, 1024, 1056},
    .columns_of_many_rows = 32,
    .tensor_adjoint_launches = 0,
});

}  // namespace
}  // namespace seamgate::gates
