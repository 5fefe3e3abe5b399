// The one page that tells the gates about an op: its contract, its truth, and the shapes at which it changes its ways.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/common/contract.hpp"
#include "reference/op_definition.hpp"

namespace seamgate::gates {

struct OpTraits {
  std::string name;
  const kernels::Contract& (*contract)() = nullptr;
  const reference::OpDefinition& (*definition)() = nullptr;
  // Column and row counts at which a vector, a warp, a block or a dispatch ends; sweeps take one below, at and above each.
  std::vector<std::int64_t> column_boundaries;
  std::vector<std::int64_t> row_boundaries;
  std::int64_t columns_of_many_rows = 32;  // columns where a sweep goes over very many rows
  // How many launches the tensor path's backward makes, by the witness (A20).
  int tensor_adjoint_launches = 0;
};

// Throws std::invalid_argument that lists the ops there are.
const OpTraits& find_op(std::string_view name);
const std::vector<const OpTraits*>& all_ops();

// One static object in an op's own file adds the op.
struct RegisterOp {
  explicit RegisterOp(OpTraits traits);
};

// Layouts of row tensors that cases may ask for.
const std::vector<std::string>& layouts();
bool is_layout(std::string_view word);

}  // namespace seamgate::gates
