// Sweeps: which shapes, distributions and seeds a tier goes over. Tables, each inside the next.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gates/gate.hpp"

namespace seamgate::gates {

// Every variant of the op, on every shape and distribution of the tier; seeds step so that no two cases share numbers.
std::vector<Case> numeric_sweep(const Plan& plan);

// One below, at and above each column boundary of the op with few rows, and each row boundary with few columns.
std::vector<Case> boundary_sweep(const Plan& plan);

// A handful of small cases for gates that look at structure, not at numbers: the first variant, one shape per dtype set.
std::vector<Case> structure_cases(const Plan& plan);

}  // namespace seamgate::gates
