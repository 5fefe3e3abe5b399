// An op's page applied to the rows and columns of a problem: the code that host and device share. A row is
// the work of `Lanes` (one on the host, a warp on a GPU), a column that of one thread.
#pragma once

#include <cstdint>
#include <type_traits>

#include "gates/at_size/distance.hpp"
#include "reference/at_size.hpp"

namespace seamgate::gates::at_size {

using reference::DoubleDouble;

inline constexpr int most_sampled = 16;

template <class Storage>
inline constexpr reference::Format format_of =
    std::is_same_v<Storage, float> ? reference::Format::f32 : reference::Format::bf16;

// The tensors of a problem, packed. K tensors are judged: outputs first, then gradients.
template <class Page, class Storage>
struct Tensors {
  static constexpr int judged = Page::outputs + Page::inputs;

  const Storage* inputs[Page::inputs];
  const Storage* upstream[Page::outputs];
  const Storage* outputs[Page::outputs];
  const Storage* gradients[Page::inputs];
  std::int64_t rows;
  std::int64_t columns;
  double eps;
  double bar;

  SEAMGATE_HOST_DEVICE void load(std::int64_t row, std::int64_t column, double* in, double* up) const {
    const std::int64_t at = row * columns + column;
    for (int i = 0; i < Page::inputs; ++i)
      in[i] = simt::to_float(inputs[i][Page::per_column(i) ? column : at]);
    for (int j = 0; j < Page::outputs; ++j) up[j] = simt::to_float(upstream[j][at]);
  }
};

// One element's truth.
template <class Page>
struct Element {
  DoubleDouble out[Page::outputs];
  DoubleDouble gradients[Page::inputs];
  double sizes[Page::inputs];
};

template <class Page, class Storage>
SEAMGATE_HOST_DEVICE inline Element<Page> element_at(
    const Tensors<Page, Storage>& t, std::int64_t row, std::int64_t column,
    const typename Page::template Row<DoubleDouble>& shared) {
  double in[Page::inputs];
  double up[Page::outputs];
  t.load(row, column, in, up);
  Element<Page> element;
  Page::element(in, up, shared, reference::StoredAs<format_of<Storage>>{}, element.out, element.gradients,
                element.sizes);
  return element;
}

template <class Page, class Storage, class Lanes>
SEAMGATE_HOST_DEVICE inline auto shared_of(const Tensors<Page, Storage>& t, std::int64_t row,
                                           const Lanes& lanes) {
  typename Page::template Row<DoubleDouble> shared;
  for (int pass = 0; pass < Page::passes; ++pass) {
    DoubleDouble totals[Page::sums];
    for (std::int64_t c = lanes.first(); c < t.columns; c += lanes.step()) {
      double in[Page::inputs];
      double up[Page::outputs];
      t.load(row, c, in, up);
      Page::add_terms(pass, in, up, shared, reference::StoredAs<format_of<Storage>>{}, totals);
    }
    for (int k = 0; k < Page::sums; ++k) totals[k] = lanes.sum(totals[k]);
    Page::finish(pass, totals, static_cast<double>(t.columns), t.eps, shared);
  }
  return shared;
}

// The largest error of a tensor over the rows that one worker saw.
struct Worst {
  double error = 0;
  std::int64_t row = -1;
  std::int64_t column = -1;
  std::int64_t over = 0;

  SEAMGATE_HOST_DEVICE void add(double new_error, std::int64_t new_row, std::int64_t new_column, double bar) {
    if (!(new_error <= bar)) ++over;
    if (row >= 0 && new_error <= error) return;
    error = new_error;
    row = new_row;
    column = new_column;
  }
};

// Where the values of sampled rows go; null where they do not.
struct Samples {
  DoubleDouble* values = nullptr;  // [judged][sampled][columns]
  double* scales = nullptr;        // [judged][sampled]
  std::int64_t rows[most_sampled] = {};
  int count = 0;

  SEAMGATE_HOST_DEVICE int index_of(std::int64_t row) const {
    for (int k = 0; k < count; ++k) {
      if (rows[k] == row) return k;
    }
    return -1;
  }
};

// Judges one row. In f32 a row's errors have one S, and the largest distance is the largest error; in 16 bit
// so are a gradient's, and an output's error is by its own magnitude.
template <class Page, class Storage, class Lanes>
SEAMGATE_HOST_DEVICE inline void judge_row(const Tensors<Page, Storage>& t, std::int64_t row,
                                           const typename Page::template Row<DoubleDouble>& shared,
                                           const Lanes& lanes, const Samples& samples, Worst* worst) {
  constexpr int judged = Tensors<Page, Storage>::judged;
  constexpr bool by_magnitude = !std::is_same_v<Storage, float>;
  double farthest[judged];
  double scale[judged];
  std::int64_t where[judged];
  for (int k = 0; k < judged; ++k) {
    farthest[k] = -1.0;
    scale[k] = 0.0;
    where[k] = 0;
  }
  const int sample = samples.index_of(row);
  for (std::int64_t c = lanes.first(); c < t.columns; c += lanes.step()) {
    const Element<Page> element = element_at(t, row, c, shared);
    const std::int64_t at = row * t.columns + c;
    for (int k = 0; k < judged; ++k) {
      const bool output = k < Page::outputs;
      if (!output && Page::per_column(k - Page::outputs)) continue;
      const DoubleDouble truth = output ? element.out[k] : element.gradients[k - Page::outputs];
      const double size = output ? ::fabs(truth.hi) : element.sizes[k - Page::outputs];
      double distance = distance_of(truth, output ? t.outputs[k][at] : t.gradients[k - Page::outputs][at]);
      if (by_magnitude && output) distance = error_of(distance, size);
      if (!(size <= scale[k])) scale[k] = size;
      if (!(distance <= farthest[k])) {
        farthest[k] = distance;
        where[k] = c;
      }
      if (sample >= 0)
        samples.values[(static_cast<std::int64_t>(k) * samples.count + sample) * t.columns + c] = truth;
    }
  }
  for (int k = 0; k < judged; ++k) {
    const bool output = k < Page::outputs;
    if (!output && Page::per_column(k - Page::outputs)) continue;
    lanes.arg_max(farthest[k], where[k]);
    scale[k] = lanes.max(scale[k]);
    const double error = by_magnitude && output ? farthest[k] : error_of(farthest[k], scale[k]);
    worst[k].add(error, row, where[k], t.bar);
    if (sample >= 0 && lanes.leads()) samples.scales[k * samples.count + sample] = scale[k];
  }
}

// One column's sums over some rows, of the gradients per column.
template <class Page>
struct ColumnSums {
  DoubleDouble total[Page::inputs];
  double squares[Page::inputs];
};

template <class Page, class Storage>
SEAMGATE_HOST_DEVICE inline void add_row(const Tensors<Page, Storage>& t, std::int64_t row,
                                         std::int64_t column,
                                         const typename Page::template Row<DoubleDouble>& shared,
                                         ColumnSums<Page>& sums) {
  const Element<Page> element = element_at(t, row, column, shared);
  for (int i = 0; i < Page::inputs; ++i) {
    if (!Page::per_column(i)) continue;
    sums.total[i] += element.gradients[i];
    sums.squares[i] += element.sizes[i] * element.sizes[i];
  }
}

// S of a sum over rows.
SEAMGATE_HOST_DEVICE inline double scale_of_sum(DoubleDouble total, double squares) {
  const double root = ::sqrt(squares);
  return ::fabs(total.hi) > root ? ::fabs(total.hi) : root;
}

template <class Page>
constexpr bool has_column_gradients() {
  for (int i = 0; i < Page::inputs; ++i) {
    if (Page::per_column(i)) return true;
  }
  return false;
}

}  // namespace seamgate::gates::at_size
