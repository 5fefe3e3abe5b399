// What a direct launch left behind, as one value, and comparisons of two such bit for bit.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gates/kernel_run.hpp"
#include "kernels/common/contract.hpp"

namespace seamgate::gates {

// Values in logical order, in the order of the op's contract.
struct KernelResults {
  std::vector<std::vector<float>> outputs;
  std::vector<std::vector<float>> saved;
  std::vector<std::vector<float>> gradients;  // of the inputs
};

KernelResults read_results(const KernelRun& kernel, const kernels::Contract& contract);

// Forward and backward with all gradients. Throws std::runtime_error with the launch's own words when one
// does not launch.
KernelResults launch_both(KernelRun& kernel, const kernels::Contract& contract);

// What "same_bits" says when nothing differs: the `want` of a check.
inline constexpr const char* same_bits_text = "the same bits";

// Which tensors a comparison looks at.
struct Compared {
  bool column_gradients = true;  // gradients that have one value per column, sums over rows
  bool row_gradients = true;
};

// What the implementation promises to repeat from run to run, for one launch plan.
Compared repeatable(const OpTraits& op);

// same_bits_text, or the first tensor that differs: "dx[17] is 1.5 and was 1.25 (3 of 40 differ)". NaN
// payloads count.
std::string same_bits(const kernels::Contract& contract, const KernelResults& now,
                      const KernelResults& before, const Compared& compared = {});

// The same for rows alone: rows of `now` against rows of `before`, one pair after the other. Tensors with one
// value per column have no say. `columns` of a row.
using RowPairs = std::vector<std::pair<std::int64_t, std::int64_t>>;
std::string same_rows(const kernels::Contract& contract, std::int64_t columns, const KernelResults& now,
                      const KernelResults& before, const RowPairs& rows);

// The first element that is NaN: "dx[17] is NaN (3 of 40 are)"; empty when there is none.
std::string first_nan(const kernels::Contract& contract, const KernelResults& results);

}  // namespace seamgate::gates
