// Cases of truth at size that fit the host.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "gates/at_size/large_run.hpp"
#include "gates/implementation.hpp"

namespace seamgate::gates {

inline constexpr double bar = 1e-6;

inline Case case_of(const OpTraits& op, std::int64_t rows, std::int64_t columns, DType dtype,
                    std::uint64_t seed = 3) {
  const PageAtSize& page = *find_page_at_size(op.name);
  Case c = make_case(op.contract(), page.variant, {rows, columns}, page.distribution, seed);
  c.dtypes.assign(op.contract().inputs.size(), dtype);
  return c;
}

inline std::vector<std::int64_t> all_rows(const Case& c) {
  std::vector<std::int64_t> rows;
  for (std::int64_t row = 0; row < c.rows(); ++row) rows.push_back(row);
  return rows;
}

inline const kernels::KernelTable& emulated(const OpTraits& op) {
  return *find_implementation(op.name, shipped_name).kernels(Machine::cpu_plain);
}

// A large run on the host, launched.
inline std::unique_ptr<LargeRun> launched(const OpTraits& op, const Case& c) {
  auto run = std::make_unique<LargeRun>(op, emulated(op), Backend::cpu, c);
  EXPECT_TRUE(run->forward().ok());
  EXPECT_TRUE(run->backward().ok());
  return run;
}

template <class Visit>
void for_ops(Visit visit) {
  int visited = 0;
  for (const OpTraits* op : all_ops()) {
    if (find_page_at_size(op->name) == nullptr) continue;
    for (const DType dtype : {DType::f32, DType::bf16}) {
      SCOPED_TRACE(op->name + " " + std::string(to_string(dtype)));
      visit(*op, dtype);
      ++visited;
    }
  }
  EXPECT_GT(visited, 0);
}

}  // namespace seamgate::gates
