// Sweeps: which shapes, distributions and seeds a tier goes over. Tables, each inside the next.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gates/gate.hpp"

namespace seamgate::gates {

// The variants at the dtypes that they serve, as far as sweeps go over them: the first variant in two dtypes at every tier,
// in all of its dtypes at premerge, with every other variant in two; everything at night. (The gate `variants` looks at every variant and dtype at every tier.)
struct Combination {
  std::size_t index = 0;  // among all of the op, the same at every tier
  std::string variant;
  std::vector<DType> dtypes;
};
std::vector<Combination> combinations(const Plan& plan);

// Every variant of the op, on every shape and distribution of the tier; seeds step so that no two cases share numbers.
std::vector<Case> numeric_sweep(const Plan& plan);

// One below, at and above each column boundary of the op with few rows, and each row boundary with few columns.
std::vector<Case> boundary_sweep(const Plan& plan);

// A handful of small cases for gates that look at structure, not at numbers: the first variant, one shape per dtype set.
std::vector<Case> structure_cases(const Plan& plan);

// A line of a suite's own table: a direct launch from this tier on.
struct LaunchRow {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  const char* layout = "packed";
  int row_blocks = 0;  // of the launch plan; 0: the op's default
  Tier tier = Tier::smoke;
};

// Every variant and dtype combination of the op on the table's lines; seeds step from `first_seed`. Lines with more columns
// than the op serves are left out.
std::vector<Case> table_cases(const Plan& plan, std::span<const LaunchRow> table, const std::string& distribution,
                              std::uint64_t first_seed);

// Of `cases`, for gates whose answer hardly depends on dtype or variant: all of the first variant's first two dtype sets, and of
// the others those with the shape of the table's first line.
std::vector<Case> thinned(const Plan& plan, std::vector<Case> cases, const LaunchRow& first);

}  // namespace seamgate::gates
