// What a wrong tensor looks like: from the pattern of its errors, and by comparing it with what known
// mistakes give.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gates/diagnosis/mistake.hpp"
#include "reference/truth.hpp"

namespace seamgate::gates {

// One line, such as "the projection term is left out (D03)" or "only the last column is wrong, and was never
// written"; empty where nothing known fits. A known mistake is named only where `got` is its result within a
// tenth of the distance from the truth at most, or within a few roundings; a pattern only where it holds for
// every element that is wrong. `name`: "y", "dx". `numbers` may be null: then patterns alone are looked for.
std::string looks_like(std::string_view op, const std::string& name, const reference::TruthTensor& truth,
                       std::span<const float> got, double bar, const Numbers* numbers);

}  // namespace seamgate::gates
