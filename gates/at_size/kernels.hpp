// An op's page as kernels, for a GPU and for the emulator. Rows first, a warp each; then the sums over rows,
// a thread for each column of a stretch of rows, and a second pass over the stretches in their order, so that
// every run gives the same bits.
#pragma once

#include "gates/at_size/rows.hpp"
#include "kernels/simt/simt.hpp"

namespace seamgate::gates::at_size {
inline namespace SIMT_BUILD {

inline constexpr unsigned whole_warp = 0xffffffffU;
inline constexpr int warp_size = 32;
inline constexpr unsigned threads_of_block = 256;

struct WarpLanes {
  __device__ std::int64_t first() const { return threadIdx.x % warp_size; }
  __device__ std::int64_t step() const { return warp_size; }
  __device__ bool leads() const { return threadIdx.x % warp_size == 0; }
  __device__ DoubleDouble sum(DoubleDouble value) const {
    for (int offset = warp_size / 2; offset > 0; offset /= 2) {
      const double hi = __shfl_xor_sync(whole_warp, value.hi, offset);
      const double lo = __shfl_xor_sync(whole_warp, value.lo, offset);
      value += DoubleDouble(hi, lo);
    }
    return value;
  }
  __device__ double max(double value) const {
    for (int offset = warp_size / 2; offset > 0; offset /= 2)
      value = ::fmax(value, __shfl_xor_sync(whole_warp, value, offset));
    return value;
  }
  // The first column among equals.
  __device__ void arg_max(double& value, std::int64_t& where) const {
    for (int offset = warp_size / 2; offset > 0; offset /= 2) {
      const double other = __shfl_xor_sync(whole_warp, value, offset);
      const long long there = __shfl_xor_sync(whole_warp, static_cast<long long>(where), offset);
      if (other > value || (other == value && there < where)) {
        value = other;
        where = there;
      }
    }
  }
};

// `kept`: what the elements of each row share, for the sums over rows; null where there are none. worst:
// [warp][judged].
template <class Page, class Storage>
__global__ void __launch_bounds__(threads_of_block)
    judge_rows_kernel(Tensors<Page, Storage> t, Samples samples,
                      typename Page::template Row<DoubleDouble>* kept, Worst* worst) {
  constexpr int judged = Tensors<Page, Storage>::judged;
  const WarpLanes lanes;
  const std::int64_t warp = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  const std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * blockDim.x / warp_size;
  Worst own[judged];
  for (std::int64_t row = warp; row < t.rows; row += warps) {
    const auto shared = shared_of(t, row, lanes);
    if (kept != nullptr && lanes.leads()) kept[row] = shared;
    judge_row(t, row, shared, lanes, samples, own);
  }
  if (!lanes.leads()) return;
  for (int k = 0; k < judged; ++k) worst[warp * judged + k] = own[k];
}

// Rows [stretch * rows_each, ...) of the list, or of all rows where there is none; [stretch][input][column].
template <class Page, class Storage>
__global__ void __launch_bounds__(threads_of_block)
    sum_rows_kernel(Tensors<Page, Storage> t, Samples list,
                    const typename Page::template Row<DoubleDouble>* kept, std::int64_t rows_each,
                    DoubleDouble* totals, double* squares) {
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (column >= t.columns) return;
  const std::int64_t count = list.count > 0 ? list.count : t.rows;
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.y) * rows_each;
  const std::int64_t end = begin + rows_each < count ? begin + rows_each : count;
  ColumnSums<Page> sums{};
  for (std::int64_t k = begin; k < end; ++k) {
    const std::int64_t row = list.count > 0 ? list.rows[k] : k;
    add_row(t, row, column, kept[row], sums);
  }
  for (int i = 0; i < Page::inputs; ++i) {
    const std::int64_t at = (static_cast<std::int64_t>(blockIdx.y) * Page::inputs + i) * t.columns + column;
    totals[at] = sums.total[i];
    squares[at] = sums.squares[i];
  }
}

// Stretches of `values` numbers each, added in order. A template so that every op's object may have it.
template <class Sum>
__global__ void join_kernel(const Sum* totals, const double* squares, std::int64_t stretches,
                            std::int64_t values, Sum* total, double* square) {
  const std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v >= values) return;
  Sum sum;
  double sum_of_squares = 0;
  for (std::int64_t s = 0; s < stretches; ++s) {
    sum += totals[s * values + v];
    sum_of_squares += squares[s * values + v];
  }
  total[v] = sum;
  square[v] = sum_of_squares;
}

}  // namespace SIMT_BUILD
}  // namespace seamgate::gates::at_size
