// Numeric comparisons as gates record them: every tensor of a case, three ways.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gates/gate.hpp"
#include "gates/tape_run.hpp"

namespace seamgate::gates {

// The bars of seamgate, in one place. Scale-relative; for f32 both against truth and for parity.
inline const Bar& f32_bar() {
  static const Bar bar(1e-6, "design: f32 against float128, 1e-6 of S");
  return bar;
}
// That of what is judged: ours, or what a library's contract states.
Bar bar_of(const OpTraits& op);

inline const Bar& parity_bar() {
  static const Bar bar(1e-6, "design: parity, 1e-6 of max|truth|");
  return bar;
}

// Of one loss, with the same loss of a trainer on the tensor path.
inline const Bar& loss_bar() {
  static const Bar bar(1e-5, "behaviours A22: each step's loss, 1e-5 of the tensor path's");
  return bar;
}

// Every element of `got` against the truth tensor, by slices.
Comparison compare_tensor(const reference::TruthTensor& truth, const std::vector<float>& got, const Bar& bar);

// "row 3, column 127", for an index into a tensor of the truth's shape.
std::string place_of(const reference::TruthTensor& truth, std::int64_t index);

// Records one tensor against truth, with the tensor path's error beside it where its values are given. `where` stands before
// the place of a failure, for a gate that runs a case in several ways.
// `host`: the case's numbers, where known mistakes may be looked for.
void record_tensor(Context& context, const Case& c, const std::string& name, const reference::TruthTensor& truth,
                   const std::vector<float>& you, const std::vector<float>* tensor_path = nullptr,
                   const std::string& where = {}, const HostCase* host = nullptr);

// A check that two tensors are the same bit for bit.
void check_bits(Context& context, const Case& c, const std::string& name, const std::vector<float>& got,
                const std::vector<float>& want);

// Records outputs and gradients of `you` against truth, with the tensor path's error beside each. `where` stands before the
// place of a failure, for a gate that runs a case in several ways.
void record_against_truth(Context& context, const Case& c, const reference::Truth& truth,
                          const std::vector<std::vector<float>>& outputs, const std::vector<std::vector<float>>& gradients,
                          const TapeResult* tensor_path, const std::string& where = {}, const HostCase* host = nullptr);

}  // namespace seamgate::gates
