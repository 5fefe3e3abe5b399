// From a problem as it is asked to the tensors that an op's page works on.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

#include "gates/at_size/problem.hpp"
#include "gates/at_size/rows.hpp"

namespace seamgate::gates::at_size {

template <class Page, class Storage>
Tensors<Page, Storage> bind(const ProblemAtSize& problem) {
  const auto same = [](std::size_t have, int want) { return have == static_cast<std::size_t>(want); };
  if (!same(problem.inputs.size(), Page::inputs) || !same(problem.gradients.size(), Page::inputs) ||
      !same(problem.upstream.size(), Page::outputs) || !same(problem.outputs.size(), Page::outputs)) {
    throw std::invalid_argument("truth at size: got " + std::to_string(problem.inputs.size()) +
                                " inputs and " + std::to_string(problem.outputs.size()) +
                                " outputs; allowed: " + std::to_string(Page::inputs) + " and " +
                                std::to_string(Page::outputs));
  }
  if (problem.rows < 1 || problem.columns < 1)
    throw std::invalid_argument("truth at size: an empty problem; allowed: at least one row and column");
  if (problem.sampled.size() > static_cast<std::size_t>(most_sampled)) {
    throw std::invalid_argument("truth at size: " + std::to_string(problem.sampled.size()) +
                                " sampled rows; allowed: at most " + std::to_string(most_sampled));
  }
  Tensors<Page, Storage> t{};
  const auto typed = [](const void* data) { return static_cast<const Storage*>(data); };
  std::transform(problem.inputs.begin(), problem.inputs.end(), t.inputs, typed);
  std::transform(problem.upstream.begin(), problem.upstream.end(), t.upstream, typed);
  std::transform(problem.outputs.begin(), problem.outputs.end(), t.outputs, typed);
  std::transform(problem.gradients.begin(), problem.gradients.end(), t.gradients, typed);
  t.rows = problem.rows;
  t.columns = problem.columns;
  t.eps = problem.eps;
  t.bar = problem.bar;
  return t;
}

// Calls `evaluate.template operator()<Storage>()`.
template <class Evaluate>
EvaluationAtSize with_storage(DType dtype, Evaluate&& evaluate) {
  if (dtype == DType::f32) return evaluate.template operator()<float>();
  if (dtype == DType::bf16) return evaluate.template operator()<bf16>();
  throw std::invalid_argument("truth at size: dtype is '" + std::string(to_string(dtype)) +
                              "'; allowed: f32, bf16");
}

inline Samples sampled_rows(const ProblemAtSize& problem) {
  Samples samples;
  samples.count = static_cast<int>(problem.sampled.size());
  std::copy(problem.sampled.begin(), problem.sampled.end(), samples.rows);
  return samples;
}

// Worsts of workers, joined: the largest error, the first row and column among equals.
inline WorstAtSize joined(const Worst* worst, std::size_t count, std::size_t stride, std::int64_t slices) {
  WorstAtSize all;
  for (std::size_t i = 0; i < count; ++i) {
    const Worst& one = worst[i * stride];
    all.slices_over += one.over;
    if (one.row < 0) continue;
    const bool earlier = one.row < all.row;
    if (all.row >= 0 && !(one.error > all.error) && !(one.error == all.error && earlier)) continue;
    all.error = one.error;
    all.row = one.row;
    all.column = one.column;
  }
  all.slices = slices;
  return all;
}

// What the workers left behind, on the host, put in the order of the contract.
template <class Page>
struct Answers {
  static constexpr int judged = Page::outputs + Page::inputs;
  std::vector<Worst> worst;           // [worker][judged]
  std::vector<DoubleDouble> samples;  // as Samples::values
  std::vector<double> sample_scales;  // as Samples::scales
  std::vector<DoubleDouble> totals;   // [inputs][columns], all rows
  std::vector<double> squares;
  std::vector<DoubleDouble> sample_totals;  // [inputs][columns], the sampled rows
  std::vector<double> sample_squares;
};

template <class Page>
SampledAtSize sampled_tensor(const Answers<Page>& answers, std::size_t k, std::size_t count,
                             std::size_t columns) {
  const auto values = answers.samples.begin() + static_cast<std::ptrdiff_t>(k * count * columns);
  const auto scales = answers.sample_scales.begin() + static_cast<std::ptrdiff_t>(k * count);
  return {{values, values + static_cast<std::ptrdiff_t>(count * columns)},
          {scales, scales + static_cast<std::ptrdiff_t>(count)}};
}

// `column_gradients[i]`: what is judged of input i where that has one value per column, brought to the host.
template <class Page, class Storage>
EvaluationAtSize assembled(const ProblemAtSize& problem, const Answers<Page>& answers,
                           const std::vector<std::vector<Storage>>& column_gradients) {
  constexpr std::size_t judged = Answers<Page>::judged;
  const auto columns = static_cast<std::size_t>(problem.columns);
  const std::size_t count = problem.sampled.size();
  EvaluationAtSize result;
  for (std::size_t k = 0; k < judged; ++k) {
    const bool output = k < Page::outputs;
    const std::size_t i = output ? 0 : k - Page::outputs;
    if (!output && Page::per_column(static_cast<int>(i))) {
      WorstAtSize worst;
      SampledAtSize sampled;
      const auto first = static_cast<std::ptrdiff_t>(i * columns);
      result.sums.emplace_back(answers.totals.begin() + first,
                               answers.totals.begin() + first + problem.columns);
      result.sum_scales.emplace_back();
      for (std::size_t c = 0; c < columns; ++c) {
        const DoubleDouble total = answers.totals[i * columns + c];
        const double scale = scale_of_sum(total, answers.squares[i * columns + c]);
        const double error = error_of(distance_of(total, column_gradients[i][c]), scale);
        result.sum_scales.back().push_back(scale);
        if (!(error <= problem.bar)) ++worst.slices_over;
        if (worst.column >= 0 && error <= worst.error) continue;
        worst.error = error;
        worst.column = static_cast<std::int64_t>(c);
      }
      worst.slices = problem.columns;
      for (std::size_t c = 0; count > 0 && c < columns; ++c) {
        const DoubleDouble total = answers.sample_totals[i * columns + c];
        sampled.values.push_back(total);
        sampled.scales.push_back(scale_of_sum(total, answers.sample_squares[i * columns + c]));
      }
      result.gradients.push_back(worst);
      result.sampled_gradients.push_back(sampled);
      continue;
    }
    const std::size_t workers = answers.worst.size() / judged;
    (output ? result.outputs : result.gradients)
        .push_back(joined(answers.worst.data() + k, workers, judged, problem.rows));
    (output ? result.sampled_outputs : result.sampled_gradients)
        .push_back(sampled_tensor(answers, k, count, columns));
    if (output) continue;
    result.sums.emplace_back();
    result.sum_scales.emplace_back();
  }
  return result;
}

}  // namespace seamgate::gates::at_size
