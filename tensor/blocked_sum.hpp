// A sum whose error does not grow with its length, for one running total on either machine.
#pragma once

#include "tensor/elementwise.hpp"

namespace seamgate {

// Adds `sum_block` terms one after another, then `sum_block` such sums, and so on: the tree that
// Cpu::sum_blocks and Cuda::sum_blocks build level by level, so its bits are theirs. Holds for up to 32^8
// terms.
class BlockedSum {
 public:
  SEAMGATE_HOST_DEVICE void add(float term) {
    for (int level = 0; level < levels; ++level) {
      partial_[level] = filled_[level] == 0 ? term : partial_[level] + term;
      if (++filled_[level] < sum_block) return;
      term = partial_[level];
      filled_[level] = 0;
    }
  }

  // The sum of all terms so far; +0 without any.
  SEAMGATE_HOST_DEVICE float total() const {
    float carried = 0.0F;
    bool carrying = false;
    for (int level = 0; level < levels; ++level) {
      if (filled_[level] == 0) continue;
      carried = carrying ? partial_[level] + carried : partial_[level];
      carrying = true;
    }
    return carried;
  }

 private:
  static constexpr int levels = 8;
  float partial_[levels] = {};
  unsigned char filled_[levels] = {};
};

}  // namespace seamgate
