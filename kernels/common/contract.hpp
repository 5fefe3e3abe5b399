// An op's contract as data: what its kernel serves, declines and promises. The seam decides by it, the gates judge by it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/common/kernel_api.hpp"

namespace seamgate::kernels {

// Whether a tensor has one value per row and column, or one per column shared by all rows, or one per row.
enum class Extent { rows_by_columns, columns, rows };

struct TensorSpec {
  std::string name;
  Extent extent = Extent::rows_by_columns;
};

enum class Repeatability { bit_identical, bit_identical_for_a_plan };

// One combination of dtypes that a kernel serves: one for each input, and the output's.
struct ServedDtypes {
  std::vector<DType> inputs{};
  DType output = DType::f32;
};

struct VariantSpec {
  std::string name;
  float default_eps = 0.0F;
  std::vector<ServedDtypes> dtypes{};
};

struct Contract {
  std::string op;                     // as in commands and records: "rmsnorm"
  std::string switch_name;            // the kill switch: "DM_RMSNORM_FUSED"
  std::string adjoint_switch_name;    // "DM_RMSNORM_ADJOINT"
  std::vector<TensorSpec> inputs{};     // the node's parents, in order
  std::vector<TensorSpec> outputs{};
  std::vector<TensorSpec> saved{};      // f32
  std::vector<int> outputs_for_adjoint{};  // outputs that the adjoint reads; a backward call has them after `saved`
  std::vector<VariantSpec> variants{};
  std::int64_t max_columns = 0;
  bool serves_strided_rows = false;   // unit column stride, one row stride for all rows
  bool serves_empty = false;          // rows or columns 0
  bool has_eps = true;                // the attribute eps has a say; else it is ignored
  int forward_launches = 1;           // per served call, counted by the witness
  int backward_launches = 2;
  std::string forward_kernel;         // what the witness calls them: a substring of the kernel's name
  std::vector<std::string> backward_kernels{};
  Repeatability input_grad_repeatability = Repeatability::bit_identical;
};

// Null when the contract has no such variant.
const VariantSpec* find_variant(const Contract& contract, std::string_view name);

// The served combination with these inputs; null when the variant does not serve it.
const ServedDtypes* find_dtypes(const VariantSpec& variant, std::span<const DType> inputs);

}  // namespace seamgate::kernels
