// Distances of truth at size against the formats' cells, and the map of inputs that host and device share.
#include "gates/at_size/distance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gates/inputs.hpp"
#include "gates/tests/at_size_case.hpp"
#include "reference/format.hpp"

namespace seamgate::gates {
namespace {

// Every pattern of a 16-bit type against its cell: in the middle, at both ends and beyond.
template <class T>
void expect_cells(reference::Format format) {
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    const T got{static_cast<std::uint16_t>(bits)};
    const float value = simt::to_float(got);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isinf(distance_of(reference::DoubleDouble(1.0), got)));
      continue;
    }
    const auto cell = reference::cell_of(value, format);
    for (const double end : {cell.lo, cell.hi}) {
      if (std::isinf(end)) continue;
      const double rest = std::ldexp(std::abs(end), -70);
      EXPECT_EQ(distance_of(reference::DoubleDouble(end), got), 0.0) << bits;
      EXPECT_EQ(distance_of({end, end == cell.lo ? rest : -rest}, got), 0.0) << bits;
      EXPECT_EQ(distance_of({end, end == cell.lo ? -rest : rest}, got), rest) << bits;
      const double away = end == cell.lo ? end - 0.25 * std::abs(end) : end + 0.25 * std::abs(end);
      EXPECT_DOUBLE_EQ(distance_of(reference::DoubleDouble(away), got), std::abs(away - end)) << bits;
    }
  }
}

TEST(Distance, Of16BitNumbersIsToTheirCells) {
  expect_cells<bf16>(reference::Format::bf16);
  expect_cells<f16>(reference::Format::f16);
}

// RN(t - d) <= got <= RN(t + d), the design's words, says the same as a distance of at most d.
TEST(Distance, IsTheIntervalRuleOfTheDesign) {
  const auto limits = reference::limits_of(reference::Format::bf16);
  const auto rounded = [&](reference::DoubleDouble v) {
    return reference::round_to(v, limits.digits, limits.min_exponent, limits.max_exponent);
  };
  int near_an_end = 0;
  for (int i = 1; i < 8200; ++i) {
    const reference::DoubleDouble t(1.0 + std::ldexp(i, -20), std::ldexp(i % 7 - 3, -75));
    const double d = 1e-6 * t.hi;
    const double lo = rounded(t - reference::DoubleDouble(d));
    const double hi = rounded(t + reference::DoubleDouble(d));
    near_an_end += lo < hi ? 1 : 0;
    for (int step = -2; step <= 2; ++step) {
      const bf16 got{
          static_cast<std::uint16_t>(simt::from_float<bf16>(static_cast<float>(t.hi)).bits + step)};
      const double value = simt::to_float(got);
      EXPECT_EQ(distance_of(t, got) <= d, lo <= value && value <= hi) << i << " " << step;
    }
  }
  EXPECT_GT(near_an_end, 0);
}

TEST(InputMap, IsWhatCasesAreMadeOf) {
  const OpTraits& op = find_op("rmsnorm");
  for (const auto& distribution : distributions_of(op)) {
    if (distribution == "exact" || distribution == "points") continue;
    for (const DType dtype : {DType::f32, DType::bf16, DType::f16}) {
      Case c = case_of(op, 8, 31, DType::f32, (std::uint64_t{5} << 40) + 9);
      c.distribution = distribution;
      const auto values = make_values(c, "x", kernels::Extent::rows_by_columns, dtype, true);
      const auto map = input_map(c, "x", kernels::Extent::rows_by_columns, dtype, true);
      for (std::int64_t row = 0; row < 8; ++row) {
        for (std::int64_t column = 0; column < 31; ++column) {
          EXPECT_EQ(map.at(row, column), values[static_cast<std::size_t>(row * 31 + column)]) << distribution;
        }
      }
    }
  }
}

// A row past 2^32 of a tensor is not a row before it.
TEST(InputMap, TellsRowsApartThatA32BitIndexWouldNot) {
  const OpTraits& op = find_op("rmsnorm");
  const auto map =
      input_map(case_of(op, 8, 4, DType::f32), "x", kernels::Extent::rows_by_columns, DType::f32, true);
  const std::int64_t far =
      (std::int64_t{1} << 32) * 5;  // a multiple of the steps of `mixed`, so that scales agree
  EXPECT_NE(map.at(2, 1), map.at(2 + far, 1));
}

}  // namespace
}  // namespace seamgate::gates
