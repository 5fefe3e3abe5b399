// The rows that must hold.
#include "gates/requirements.hpp"

#include <algorithm>

namespace seamgate::gates {

const std::vector<Requirement>& all_requirements() {
  static const std::vector<Requirement> rows = {
      {"A1", "the node has exactly its parents and an analytic backward"},
      {"A2", "lift, strip to bare, launch, register: one forward kernel a call"},
      {"A3", "backward runs on the bare backend and adds no nodes"},
      {"A4", "a raw launch takes bare tensors only"},
      {"A5", "a result wrapped back as a leaf trains nothing, and is caught"},
      {"A6", "the launch is separate from the asking"},
      {"A7", "the kill switch declines, and what it leaves is bit-identical to the tensor path"},
      {"A8", "counters are conserved"},
      {"A9", "one ask a module forward; node first, bare second, tensor path last"},
      {"A10", "every decline has a reason and counts once"},
      {"A11", "node against tensor path under balanced checkpointing"},
      {"A12", "gradients are finite and not zero"},
      {"A13", "the bare arm is taken and right"},
      {"A14", "on a tape, tracked or not, the node arm serves; upstream fixtures agree"},
      {"A15", "counters are read under the seam lock"},
      {"A16", "compiled is not passed"},
      {"A17", "a GPU in use by somebody else is left alone"},
      {"A18", "the build matrix links, and what is left out is listed"},
      {"A19", "documents, comments and gate titles name things that exist"},
      {"A20", "backward launches are counted"},
      {"A21", "step-time A/B decides the adjoint"},
      {"A22", "the eval line of a small trainer shows asked, skipped, node_ran"},
      {"A23", "quoted figures are held against the last records"},
      {"B1", "x only, w only, both, neither tracked"},
      {"B2", "tracked parents that are not leaves take the node"},
      {"B3", "both checkpointing strategies give the same bits; a disagreeing tag declines"},
      {"B4", "checkpoint balance"},
      {"B5", "recomputation happens once, and asks are not counted twice"},
      {"B6", "an untracked parent under balanced checkpointing"},
      {"B7", "fan-out and accumulation add gradients"},
      {"B8", "intermediate gradients go, leaf gradients stay"},
      {"B9", "a second backward through one graph is an error"},
      {"B10", "require_grad on a non-leaf is an error"},
      {"B11", "detach and no_grad give untracked outputs"},
      {"B12", "outputs and workspaces are fully written, and nothing else is"},
      {"B13", "tiny and empty shapes"},
      {"B14", "tails and thresholds"},
      {"B15", "ranks, base offsets and strides"},
      {"B16", "eps is live"},
      {"B17", "zero, NaN, Inf and overflowing rows"},
      {"B18", "variants and dtypes"},
      {"B19", "comparators can fail"},
      {"B20", "repeatability"},
      {"B21", "streams and graphs"},
      {"B22", "a crash is contained"},
      {"B23", "rows are independent"},
      {"B24", "the same list of gates on both backends"},
      {"B25", "large indices"},
      {"B26", "the emulator is the GPU"},
      {"B27", "the right device"},
  };
  return rows;
}

std::vector<const Gate*> gates_of(const std::string& row) {
  std::vector<const Gate*> answering;
  for (const Gate* gate : all_gates()) {
    if (std::find(gate->rows.begin(), gate->rows.end(), row) != gate->rows.end()) answering.push_back(gate);
  }
  return answering;
}

}  // namespace seamgate::gates
