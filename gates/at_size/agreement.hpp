// An op's page held against float128: the values of sampled rows, in units of S.
#pragma once

#include <string>

#include "gates/at_size/problem.hpp"
#include "reference/truth.hpp"

namespace seamgate::gates {

// What a page may be off: far below anything that is judged by it, and above the roundings of a double-double
// sum.
inline constexpr double page_bar = 0x1p-95;
// S is made of a few operations in double.
inline constexpr double page_scale_bar = 1e-12;

struct Agreement {
  double error = 0;         // the largest |page - truth| / S; infinity where S = 0 and they differ
  double scale_error = 0;   // the largest relative difference of S
  std::int64_t worst = -1;  // index in the sampled tensor
  std::int64_t compared = 0;

  bool holds() const { return compared > 0 && error <= page_bar && scale_error <= page_scale_bar; }
  std::string str() const;
};

// Throws std::invalid_argument where the sizes differ or a row is special.
Agreement agreement_of(const reference::TruthTensor& truth, const SampledAtSize& page);

}  // namespace seamgate::gates
