// Patterns of errors in one tensor, whatever the op.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gates/diagnosis/mistake.hpp"
#include "reference/truth.hpp"

namespace seamgate::gates {

// Which elements are over the bar.
struct Wrong {
  std::vector<bool> at{};
  std::size_t count = 0;
  std::int64_t rows = 1;
  std::int64_t columns = 0;
};
Wrong find_wrong(const reference::TruthTensor& truth, std::span<const float> got, double bar);

// All NaN, all zero, or the truth times one number.
std::string value_pattern(const reference::TruthTensor& truth, std::span<const float> got,
                          const Wrong& wrong);
// An input or an upstream gradient as it is.
std::string copy_pattern(std::span<const float> got, const Numbers& numbers);
// A sum over rows with the precision of 16 bits.
std::string sum_pattern(const reference::TruthTensor& truth, std::span<const float> got, const Wrong& wrong,
                        double bar);
// Certain rows, columns or single elements alone.
std::string place_pattern(std::span<const float> got, const Wrong& wrong);

}  // namespace seamgate::gates
