// A node of the graph as a report shows it: data only, for tests and gates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensor/autodiff/strategy.hpp"

namespace seamgate::autodiff {

struct ParentInfo {
  std::uint64_t id = 0;
  std::string op;
  bool tracked = false;
};

struct NodeInfo {
  std::uint64_t id = 0;
  std::string op;  // "leaf" for a leaf
  std::vector<ParentInfo>
      parents;  // in the operation's order, untracked ones too; none for an untracked node
  bool is_leaf = true;
  bool is_tracked = false;
  bool is_recomputed = false;  // the output is dropped and comes back by its retro-forward
  TapeTags tags;
};

}  // namespace seamgate::autodiff
