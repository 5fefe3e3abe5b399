// The one page that tells the gates about an op: its contract, its truth, and the shapes at which it changes its ways.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/common/contract.hpp"
#include "kernels/simt/dtype.hpp"
#include "reference/op_definition.hpp"

namespace seamgate::gates {

// One line of the table of arms: what is asked, and what must serve it. The table is data so that a changed expectation
// shows in review.
struct ArmExpectation {
  const char* tape;      // bare, untracked, tracked
  const char* strategy;  // none, no_checkpointing, balanced
  bool switched_on;
  std::vector<std::int64_t> shape{};
  std::vector<DType> dtypes{};
  const char* layout;
  const char* arm;       // node, bare, or the decline's reason
  const char* counters;  // (asked, skipped, node_ran, bare_ran)
};

// Variants that are one function at these dtypes, given one eps. Every other pair must be told apart.
struct EqualVariants {
  std::vector<DType> dtypes{};
  std::vector<std::string> variants{};
};

// An op's place in the model of the small trainer (gates/trainer).
enum class TrainerRole {
  none,
  norm,      // inputs x [M, N] and w [N]
  gate_unit, // inputs a and b, both [M, N]
  add_norm   // inputs x and residual [M, N] and w [N], outputs the norm of the sum and the sum
};

// What an implementation serves and promises beyond what a seam has to know. Ours promise all of it; a library says which.
struct Promises {
  int least_rank = 1;
  int most_rank = kernels::max_rank;
  std::int64_t max_elements = 0;    // 0: no limit
  int alignment_bytes = 0;          // of first elements and rows; 0: as the element type
  bool sums_repeat = true;          // sums over rows have the same bits from run to run, for one launch plan
  bool layouts_keep_bits = true;    // no stride, offset or alignment changes a bit
  bool variants_share_bits = true;  // variants that are one function have the same bits
  bool refuses_empty = true;        // a direct launch of an empty shape that is not served is refused
  bool refuses_bad_eps = true;      // a direct launch with an eps that is none is refused
  bool in_place = false;            // the first output may be the first input's memory
  double bar = 0.0;                 // the largest error that passes, where the author promises less than we do; 0: ours
};

// How far apart the emulator's results and the GPU's may be: |a - b| <= of_scale * S + steps_of_16_bit units in the last place of
// a 16-bit result, S as truth has it, and by truth's own slack more where an inner value underflows. Ops of IEEE operations alone have the same bits (a NaN's sign apart, which differs
// between machines).
struct MachineAgreement {
  bool same_bits = false;
  double of_scale = 0.0;
  int steps_of_16_bit = 0;
  std::string reason{};  // of the bound, or of there being none
};

struct OpTraits {
  std::string name;
  const kernels::Contract& (*contract)() = nullptr;
  const reference::OpDefinition& (*definition)() = nullptr;
  // Column and row counts at which a vector, a warp, a block or a dispatch ends; sweeps take one below, at and above each.
  std::vector<std::int64_t> column_boundaries{};
  std::vector<std::int64_t> row_boundaries{};
  std::int64_t columns_of_many_rows = 32;  // columns where a sweep goes over very many rows
  // Input values at which the op changes its ways, for the distribution `points`; may be empty.
  std::vector<float> points{};
  std::vector<ArmExpectation> arms{};
  std::vector<EqualVariants> equal_variants{};
  // How many launches the tensor path's backward makes, by the witness (A20).
  int tensor_adjoint_launches = 0;
  TrainerRole trainer_role = TrainerRole::none;
  Promises promises{};
  // Without a reason the op makes no claim, and the gate `machines_agree` does not apply.
  MachineAgreement machine_agreement{};
};

// Throws std::invalid_argument that lists the ops there are.
const OpTraits& find_op(std::string_view name);
const std::vector<const OpTraits*>& all_ops();

// One static object in an op's own file adds the op.
struct RegisterOp {
  explicit RegisterOp(OpTraits traits);
};

// Layouts of row tensors that cases may ask for.
//   packed       rows follow each other
//   strided      padding between rows
//   halves       an op's row inputs are slices of one buffer, side by side in each row; other tensors are packed
//   offsetK      the first element is K elements after an aligned address
//   oddK         of a direct launch, tensor number K alone begins one element after an aligned address; inputs with their
//                gradients come first, then outputs with their upstream gradients
//   transposed, sliced   no kernel of rows can address them
const std::vector<std::string>& layouts();
bool is_layout(std::string_view word);

}  // namespace seamgate::gates
