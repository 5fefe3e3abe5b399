// An op's page over a problem, by kernels. `Machine` says where: how memory is had there and read back, how
// many blocks fill it, and how time is taken.
//
//   struct Machine {
//     static void* allocate(std::size_t bytes);  static void release(void*);
//     static void read(void* to, const void* from, std::size_t bytes);  after all work
//     template <auto Kernel> static unsigned blocks();
//     static constexpr std::int64_t sum_threads;                        that sums over rows are spread over
//     class Stopwatch { double seconds(); };     of the work since it was made
//   };
#pragma once

#include <stdexcept>
#include <vector>

#include "gates/at_size/bind.hpp"
#include "gates/at_size/kernels.hpp"

namespace seamgate::gates::at_size {
inline namespace SIMT_BUILD {

template <class T, class Machine>
class Array {
 public:
  explicit Array(std::size_t count)
      : count_(count), data_(count == 0 ? nullptr : static_cast<T*>(Machine::allocate(count * sizeof(T)))) {}
  ~Array() {
    if (data_ != nullptr) Machine::release(data_);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* data() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    if (count_ > 0) Machine::read(values.data(), data_, count_ * sizeof(T));
    return values;
  }

 private:
  std::size_t count_;
  T* data_;
};

inline void must_launch(const kernels::Status& status) {
  if (!status.ok()) throw std::runtime_error("truth at size: " + status.message);
}

inline unsigned blocks_for(std::int64_t threads) {
  return static_cast<unsigned>((threads + threads_of_block - 1) / threads_of_block);
}

// Enough stretches that the sums over rows have so many threads, no more than a grid has.
inline std::int64_t stretches_of(std::int64_t rows, std::int64_t columns, std::int64_t threads) {
  return std::min<std::int64_t>({std::max<std::int64_t>(threads / columns, 1), rows, 32768});
}

template <class Machine, class Page, class Storage>
void sum_rows(const Tensors<Page, Storage>& t, const Samples& list,
              const typename Page::template Row<DoubleDouble>* kept, std::vector<DoubleDouble>& totals,
              std::vector<double>& squares) {
  const std::int64_t count = list.count > 0 ? list.count : t.rows;
  const std::int64_t stretches = stretches_of(count, t.columns, Machine::sum_threads);
  const std::int64_t rows_each = (count + stretches - 1) / stretches;
  const std::int64_t values = Page::inputs * t.columns;
  const Array<DoubleDouble, Machine> parts(static_cast<std::size_t>(stretches * values));
  const Array<double, Machine> square_parts(static_cast<std::size_t>(stretches * values));
  const Array<DoubleDouble, Machine> total(static_cast<std::size_t>(values));
  const Array<double, Machine> square(static_cast<std::size_t>(values));
  must_launch(simt::launch<sum_rows_kernel<Page, Storage>>(
      simt::Config{.grid = {blocks_for(t.columns), static_cast<unsigned>(stretches), 1},
                   .block = {threads_of_block, 1, 1}},
      t, list, kept, rows_each, parts.data(), square_parts.data()));
  must_launch(simt::launch<join_kernel<DoubleDouble>>(
      simt::Config{.grid = {blocks_for(values), 1, 1}, .block = {threads_of_block, 1, 1}},
      static_cast<const DoubleDouble*>(parts.data()), static_cast<const double*>(square_parts.data()),
      stretches, values, total.data(), square.data()));
  totals = total.read();
  squares = square.read();
}

template <class Machine, class Page, class Storage>
EvaluationAtSize by_kernels_as(const ProblemAtSize& problem) {
  using Row = typename Page::template Row<DoubleDouble>;
  static_assert(sizeof(Row) <= bytes_of_row && Page::inputs <= most_column_inputs,
                "workspace_at_size counts on it");
  constexpr bool sums = has_column_gradients<Page>();
  constexpr std::size_t judged = Tensors<Page, Storage>::judged;
  const auto t = bind<Page, Storage>(problem);
  const unsigned blocks = Machine::template blocks<judge_rows_kernel<Page, Storage>>();
  const std::size_t sampled = problem.sampled.size();
  const Array<Row, Machine> kept(sums ? static_cast<std::size_t>(t.rows) : 0);
  const Array<Worst, Machine> worst(static_cast<std::size_t>(blocks) * (threads_of_block / warp_size) *
                                    judged);
  const Array<DoubleDouble, Machine> values(judged * sampled * static_cast<std::size_t>(t.columns));
  const Array<double, Machine> scales(judged * sampled);
  Samples samples = sampled_rows(problem);
  samples.values = values.data();
  samples.scales = scales.data();

  Answers<Page> answers;
  typename Machine::Stopwatch watch;
  must_launch(simt::launch<judge_rows_kernel<Page, Storage>>(
      simt::Config{.grid = {blocks, 1, 1}, .block = {threads_of_block, 1, 1}}, t, samples, kept.data(),
      worst.data()));
  if constexpr (sums) sum_rows<Machine>(t, Samples{}, kept.data(), answers.totals, answers.squares);
  const double seconds = watch.seconds();

  std::vector<std::vector<Storage>> column_gradients(Page::inputs);
  if constexpr (sums) {
    if (sampled > 0)
      sum_rows<Machine>(t, samples, kept.data(), answers.sample_totals, answers.sample_squares);
    for (int i = 0; i < Page::inputs; ++i) {
      if (!Page::per_column(i)) continue;
      auto& gradient = column_gradients[static_cast<std::size_t>(i)];
      gradient.resize(static_cast<std::size_t>(t.columns));
      Machine::read(gradient.data(), t.gradients[i], gradient.size() * sizeof(Storage));
    }
  }
  answers.worst = worst.read();
  answers.samples = values.read();
  answers.sample_scales = scales.read();
  auto result = assembled<Page, Storage>(problem, answers, column_gradients);
  result.seconds = seconds;
  return result;
}

template <class Machine, class Page>
EvaluationAtSize by_kernels(const ProblemAtSize& problem) {
  return with_storage(problem.dtype,
                      [&]<class Storage>() { return by_kernels_as<Machine, Page, Storage>(problem); });
}

}  // namespace SIMT_BUILD
}  // namespace seamgate::gates::at_size
