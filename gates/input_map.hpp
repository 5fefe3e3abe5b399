// The numbers that cases are made of, one at a time, the same on the host and in device code: Philox4x32-10,
// integers and a few exact or singly rounded products, so that no platform's library has a say.
#pragma once

#include <cstdint>

#include "kernels/simt/dtype.hpp"
#include "kernels/simt/scalar_types.hpp"

namespace seamgate::gates {

struct PhiloxBlock {
  std::uint32_t word[4];
};

// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011: ten rounds.
SIMT_HOST_DEVICE PhiloxBlock philox_block(PhiloxBlock counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = 0xD2511F53ULL * counter.word[0];
    const std::uint64_t b = 0xCD9E8D57ULL * counter.word[2];
    counter = {{static_cast<std::uint32_t>(b >> 32) ^ counter.word[1] ^ key0, static_cast<std::uint32_t>(b),
                static_cast<std::uint32_t>(a >> 32) ^ counter.word[3] ^ key1, static_cast<std::uint32_t>(a)}};
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  return counter;
}

// How a distribution shapes the rows of an input; distributions of other maps (exact, points) are the host's
// alone.
enum class RowScales { flat, steps, outlier, zero_rows };

// One tensor of a case. Keyed by row and column, not by position: a row keeps its values when rows are added
// or taken away.
struct InputMap {
  std::uint32_t key0 = 0;
  std::uint32_t key1 = 0;
  std::uint32_t name = 0;  // tells the tensors of a case apart
  RowScales scales = RowScales::flat;
  double scale = 1.0;  // of RowScales::flat
  std::int64_t columns = 0;
  DType dtype = DType::f32;

  SIMT_HOST_DEVICE PhiloxBlock bits(std::int64_t row, std::int64_t column) const {
    return philox_block({{static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row),
                          static_cast<std::uint32_t>(static_cast<std::uint64_t>(row) >> 32), name}},
                        key0, key1);
  }

  // Sum of four 16-bit integers, centred and scaled: bell-shaped, mean 0, standard deviation 1 to three
  // digits, |v| <= 3.47.
  SIMT_HOST_DEVICE static double bell(const PhiloxBlock& bits) {
    std::int64_t sum = 0;
    for (int i = 0; i < 4; ++i) sum += static_cast<std::int64_t>(bits.word[i] & 0xffffU);
    constexpr double inverse_deviation =
        113512.0 / 4294967296.0;  // 1 / (65536 * sqrt(4 / 12)), as a dyadic fraction
    return static_cast<double>(sum - 131070) * inverse_deviation;
  }

  SIMT_HOST_DEVICE double scale_at(std::int64_t row, std::int64_t column) const {
    if (scales == RowScales::outlier) return column == columns / 3 ? 1000.0 : 1.0;
    if (scales == RowScales::zero_rows) return row % 3 == 0 ? 0.0 : 1.0;
    if (scales == RowScales::flat) return scale;
    const int step = static_cast<int>(row % 5);
    return step == 0 ? 1e-4 : step == 1 ? 1e-2 : step == 2 ? 1.0 : step == 3 ? 1e2 : 1e4;
  }

  // Rounded to f32, and from there to the dtype.
  SIMT_HOST_DEVICE float rounded(double value) const {
    const float f = static_cast<float>(value);
    if (dtype == DType::bf16) return simt::to_float(simt::from_float<bf16>(f));
    if (dtype == DType::f16) return simt::to_float(simt::from_float<f16>(f));
    return f;
  }

  SIMT_HOST_DEVICE float at(std::int64_t row, std::int64_t column) const {
    return rounded(bell(bits(row, column)) * scale_at(row, column));
  }
};

}  // namespace seamgate::gates
