// An op's page over a problem in host memory: what the GPU's evaluation is tested by.
#pragma once

#include <chrono>
#include <vector>

#include "gates/at_size/bind.hpp"

namespace seamgate::gates::at_size {

struct OneLane {
  static std::int64_t first() { return 0; }
  static std::int64_t step() { return 1; }
  static bool leads() { return true; }
  static DoubleDouble sum(DoubleDouble value) { return value; }
  static double max(double value) { return value; }
  static void arg_max(double&, std::int64_t&) {}
};

template <class Page, class Storage>
EvaluationAtSize on_host_as(const ProblemAtSize& problem) {
  const auto started = std::chrono::steady_clock::now();
  const auto t = bind<Page, Storage>(problem);
  const auto columns = static_cast<std::size_t>(t.columns);
  Answers<Page> answers;
  answers.worst.resize(Answers<Page>::judged);
  answers.samples.resize(Answers<Page>::judged * problem.sampled.size() * columns);
  answers.sample_scales.resize(Answers<Page>::judged * problem.sampled.size());
  Samples samples = sampled_rows(problem);
  samples.values = answers.samples.data();
  samples.scales = answers.sample_scales.data();
  std::vector<ColumnSums<Page>> all(has_column_gradients<Page>() ? columns : 0, ColumnSums<Page>{});
  std::vector<ColumnSums<Page>> some(all);
  for (std::int64_t row = 0; row < t.rows; ++row) {
    const auto shared = shared_of(t, row, OneLane{});
    judge_row(t, row, shared, OneLane{}, samples, answers.worst.data());
    for (std::size_t c = 0; c < all.size(); ++c)
      add_row(t, row, static_cast<std::int64_t>(c), shared, all[c]);
    if (samples.index_of(row) < 0) continue;
    for (std::size_t c = 0; c < some.size(); ++c)
      add_row(t, row, static_cast<std::int64_t>(c), shared, some[c]);
  }
  std::vector<std::vector<Storage>> column_gradients(Page::inputs);
  for (int i = 0; i < Page::inputs; ++i) {
    for (std::size_t c = 0; c < all.size(); ++c) {
      answers.totals.push_back(all[c].total[i]);
      answers.squares.push_back(all[c].squares[i]);
      answers.sample_totals.push_back(some[c].total[i]);
      answers.sample_squares.push_back(some[c].squares[i]);
    }
    if (Page::per_column(i))
      column_gradients[static_cast<std::size_t>(i)].assign(t.gradients[i], t.gradients[i] + t.columns);
  }
  auto result = assembled<Page, Storage>(problem, answers, column_gradients);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

template <class Page>
EvaluationAtSize on_host(const ProblemAtSize& problem) {
  return with_storage(problem.dtype, [&]<class Storage>() { return on_host_as<Page, Storage>(problem); });
}

}  // namespace seamgate::gates::at_size
