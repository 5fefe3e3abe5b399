// Evaluates a scalar definition over all rows: written once, for every op. R is the quad type.
//
// Rows go in chunks whose size depends on M alone; each chunk sums its own columns, and chunks are combined
// in order, so that the result does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "reference/op_definition.hpp"
#include "reference/row_evaluator.hpp"
#include "reference/truth_values.hpp"

namespace seamgate::reference {

template <class Definition, class R = Real>
class ScalarOp final : public OpDefinition {
 public:
  std::string_view name() const override { return Definition::name; }
  const std::vector<TensorSpec>& inputs() const override { return inputs_; }
  const std::vector<TensorSpec>& outputs() const override { return outputs_; }
  const std::vector<VariantSpec>& variants() const override { return variants_; }
  Truth evaluate(const TruthRequest& request) const override;

 private:
  using Evaluator = RowEvaluator<Definition, R>;

  // A tensor in the making: all elements of rows_by_columns, or the total of columns.
  struct Collected {
    std::vector<R> values;
    std::vector<double> scales;
    std::vector<ElementClass> classes;
    std::vector<std::vector<Alternative<R>>> alternatives;  // [chunk]
  };
  // What one chunk of rows adds to a gradient of extent `columns`.
  struct ColumnSums {
    std::vector<R> values;
    std::vector<Magnitude> squares;  // of the rows' contributions with magnitudes
    std::vector<double> specials;    // sum of the NaN and infinite contributions; empty without any
    // Sums of the contributions' least and largest offsets; empty without alternatives.
    std::vector<Magnitude> low, high;
  };
  struct Collection {
    std::vector<Collected> outputs;
    std::vector<Collected> gradients;
    std::vector<std::vector<ColumnSums>> sums;  // [input][chunk]
  };

  void check(const TruthRequest& request, const Setting& setting) const;
  static std::int64_t chunk_rows(std::int64_t rows) { return std::max<std::int64_t>(1, (rows + 63) / 64); }
  Collection prepare(const TruthRequest& request, std::int64_t chunks) const;
  void run_chunk(const TruthRequest& request, std::int64_t chunk, Evaluator& evaluator,
                 Collection& all) const;
  void keep_row(const typename Evaluator::Result& result, bool special, Role role, std::int64_t row,
                Collected& into) const;
  void add_row(const typename Evaluator::Result& result, bool special, ColumnSums& into) const;
  void combine(const std::vector<ColumnSums>& chunks, Collected& into) const;
  static double to_scale(Magnitude magnitude);

  std::vector<TensorSpec> inputs_ = Definition::inputs();
  std::vector<TensorSpec> outputs_ = Definition::outputs();
  std::vector<VariantSpec> variants_ = Definition::variants();
};

template <class Definition, class R>
void ScalarOp<Definition, R>::check(const TruthRequest& request, const Setting& setting) const {
  const std::string op(name());
  const auto refuse = [&op](const std::string& what) { throw std::invalid_argument(op + ": " + what); };
  if (request.rows < 0 || request.columns < 0)
    refuse("shape " + std::to_string(request.rows) + "x" + std::to_string(request.columns) +
           " has a negative extent");
  const bool known = std::any_of(variants_.begin(), variants_.end(),
                                 [&](const VariantSpec& v) { return v.name == request.attributes.variant; });
  if (!known) {
    std::string names;
    for (const VariantSpec& v : variants_) names += (names.empty() ? "" : ", ") + v.name;
    refuse("no variant '" + request.attributes.variant + "'; there are: " + names);
  }
  if (request.inputs.size() != inputs_.size())
    refuse("takes " + std::to_string(inputs_.size()) + " inputs, got " +
           std::to_string(request.inputs.size()));
  Definition::check(setting);
  if (request.wants_gradients && request.upstream.size() != outputs_.size())
    refuse("takes " + std::to_string(outputs_.size()) + " upstream gradients, got " +
           std::to_string(request.upstream.size()));
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const bool empty = request.columns == 0 || (request.rows == 0 && inputs_[i].extent != Extent::columns);
    if (request.inputs[i].data == nullptr && !empty) refuse("input " + inputs_[i].name + " has no data");
    if (inputs_[i].extent == Extent::columns && !empty)
      check_representable(name(), inputs_[i].name, -1,
                          {request.inputs[i].data, static_cast<std::size_t>(request.columns)},
                          request.inputs[i].format);
  }
}

template <class Definition, class R>
double ScalarOp<Definition, R>::to_scale(Magnitude magnitude) {
  if (!std::isfinite(magnitude))
    throw std::domain_error(std::string(Definition::name) + ": an error scale is not finite");
  const double scale = static_cast<double>(magnitude);
  // S = 0 demands an exact zero, which no underflow may do.
  return magnitude > 0 && scale == 0 ? std::numeric_limits<double>::denorm_min() : scale;
}

template <class Definition, class R>
typename ScalarOp<Definition, R>::Collection ScalarOp<Definition, R>::prepare(const TruthRequest& request,
                                                                              std::int64_t chunks) const {
  const auto rows = static_cast<std::size_t>(request.rows);
  const auto columns = static_cast<std::size_t>(request.columns);
  Collection all;
  const auto whole = [&] {
    return Collected{std::vector<R>(rows * columns), std::vector<double>(rows),
                     std::vector<ElementClass>(rows * columns, ElementClass::number),
                     std::vector<std::vector<Alternative<R>>>(static_cast<std::size_t>(chunks))};
  };
  for (std::size_t j = 0; j < outputs_.size(); ++j) all.outputs.push_back(whole());
  if (!request.wants_gradients) return all;
  all.sums.resize(inputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].extent == Extent::columns) {
      all.gradients.push_back({std::vector<R>(columns, R(0)), std::vector<double>(columns),
                               std::vector<ElementClass>(columns, ElementClass::number),
                               std::vector<std::vector<Alternative<R>>>(1)});
      all.sums[i].resize(static_cast<std::size_t>(chunks));
    } else {
      all.gradients.push_back(whole());
    }
  }
  return all;
}

template <class Definition, class R>
void ScalarOp<Definition, R>::keep_row(const typename Evaluator::Result& result, bool special, Role role,
                                       std::int64_t row, Collected& into) const {
  using std::abs;
  const std::size_t columns = result.values.size();
  const std::size_t first = static_cast<std::size_t>(row) * columns;
  std::copy(result.values.begin(), result.values.end(),
            into.values.begin() + static_cast<std::ptrdiff_t>(first));
  if (special) {
    std::copy(result.classes.begin(), result.classes.end(),
              into.classes.begin() + static_cast<std::ptrdiff_t>(first));
  }
  auto& alternatives = into.alternatives[static_cast<std::size_t>(
      row / chunk_rows(static_cast<std::int64_t>(into.scales.size())))];
  for (const Alternative<R>& a : result.alternatives) alternatives.push_back({first + a.index, a.lo, a.hi});
  Magnitude largest = 0;
  for (std::size_t n = 0; n < columns; ++n) {
    if (special && result.classes[n] != ElementClass::number) continue;
    const Magnitude m = role == Role::output ? magnitude_of(result.values[n]) : result.magnitudes[n];
    if (!(m <= largest)) largest = m;
  }
  into.scales[static_cast<std::size_t>(row)] = to_scale(largest);
}

template <class Definition, class R>
void ScalarOp<Definition, R>::add_row(const typename Evaluator::Result& result, bool special,
                                      ColumnSums& into) const {
  const std::size_t columns = result.values.size();
  if (into.values.empty()) {
    into.values.assign(columns, R(0));
    into.squares.assign(columns, 0);
  }
  if (special && into.specials.empty()) into.specials.assign(columns, 0);
  for (std::size_t n = 0; n < columns; ++n) {
    if (special && result.classes[n] != ElementClass::number) {
      into.specials[n] += static_cast<double>(result.values[n]);
      continue;
    }
    into.values[n] += result.values[n];
    into.squares[n] += result.magnitudes[n] * result.magnitudes[n];
  }
  if (result.alternatives.empty()) return;
  into.low.resize(columns, 0);
  into.high.resize(columns, 0);
  for (const Alternative<R>& a : result.alternatives) {
    into.low[a.index] += static_cast<Magnitude>(R(a.lo - result.values[a.index]));
    into.high[a.index] += static_cast<Magnitude>(R(a.hi - result.values[a.index]));
  }
}

template <class Definition, class R>
void ScalarOp<Definition, R>::run_chunk(const TruthRequest& request, std::int64_t chunk, Evaluator& evaluator,
                                        Collection& all) const {
  const std::int64_t per_chunk = chunk_rows(request.rows);
  const std::int64_t end = std::min(request.rows, (chunk + 1) * per_chunk);
  for (std::int64_t row = chunk * per_chunk; row < end; ++row) {
    evaluator.run(row);
    for (std::size_t j = 0; j < outputs_.size(); ++j)
      keep_row(evaluator.output(j), evaluator.special(), Role::output, row, all.outputs[j]);
    for (std::size_t i = 0; i < all.gradients.size(); ++i) {
      if (inputs_[i].extent == Extent::columns) {
        add_row(evaluator.gradient(i), evaluator.special(), all.sums[i][static_cast<std::size_t>(chunk)]);
      } else {
        keep_row(evaluator.gradient(i), evaluator.special(), Role::gradient, row, all.gradients[i]);
      }
    }
  }
}

template <class Definition, class R>
void ScalarOp<Definition, R>::combine(const std::vector<ColumnSums>& chunks, Collected& into) const {
  const std::size_t columns = into.values.size();
  for (std::size_t n = 0; n < columns; ++n) {
    Magnitude squares = 0;
    double special = 0;
    Magnitude low = 0;
    Magnitude high = 0;
    for (const ColumnSums& chunk : chunks) {
      if (chunk.values.empty()) continue;
      into.values[n] += chunk.values[n];
      squares += chunk.squares[n];
      if (!chunk.specials.empty()) special += chunk.specials[n];
      if (chunk.low.empty()) continue;
      low += chunk.low[n];
      high += chunk.high[n];
    }
    const Magnitude total = magnitude_of(into.values[n]);
    into.scales[n] = to_scale(std::max(total, std::sqrt(squares)));
    if (class_of(special) != ElementClass::zero) {
      into.values[n] = R(special);
      into.classes[n] = class_of(special);
      into.scales[n] = 0;
    } else if (low < 0 || high > 0) {
      into.alternatives[0].push_back({n, R(into.values[n] + R(low)), R(into.values[n] + R(high))});
    }
  }
}

template <class Definition, class R>
Truth ScalarOp<Definition, R>::evaluate(const TruthRequest& request) const {
  Setting setting{request.attributes, {}};
  for (const TruthInput& input : request.inputs) setting.formats.push_back(input.format);
  check(request, setting);
  const std::int64_t per_chunk = chunk_rows(request.rows);
  const std::int64_t chunks = request.columns == 0 ? 0 : (request.rows + per_chunk - 1) / per_chunk;
  Collection all = prepare(request, chunks);

  std::atomic<std::int64_t> next{0};
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(chunks));
  const auto work = [&] {
    Evaluator evaluator(request, setting);
    for (std::int64_t chunk = next++; chunk < chunks; chunk = next++) {
      try {
        run_chunk(request, chunk, evaluator, all);
      } catch (...) {
        failures[static_cast<std::size_t>(chunk)] = std::current_exception();
      }
    }
  };
  const auto available = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  const std::int64_t wanted = std::min(request.threads > 0 ? request.threads : available, chunks);
  {
    std::vector<std::jthread> helpers;
    for (std::int64_t t = 1; t < wanted; ++t) helpers.emplace_back(work);
    if (chunks > 0) work();
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }

  Truth truth;
  const auto finish = [&](const TensorSpec& spec, Collected& from, Role role, Format format) {
    std::vector<Alternative<R>> alternatives;
    for (const auto& chunk : from.alternatives)
      alternatives.insert(alternatives.end(), chunk.begin(), chunk.end());
    return TruthTensor(
        spec, request.rows, request.columns,
        std::make_shared<const TruthValuesOf<R>>(std::move(from.values), std::move(alternatives)),
        std::move(from.scales), std::move(from.classes), role, format);
  };
  const std::vector<Format> output_formats = Definition::output_formats(setting);
  for (std::size_t j = 0; j < outputs_.size(); ++j)
    truth.outputs.push_back(finish(outputs_[j], all.outputs[j], Role::output, output_formats[j]));
  for (std::size_t i = 0; i < all.gradients.size(); ++i) {
    if (inputs_[i].extent == Extent::columns) combine(all.sums[i], all.gradients[i]);
    truth.gradients.push_back(finish(inputs_[i], all.gradients[i], Role::gradient, setting.formats[i]));
  }
  return truth;
}

}  // namespace seamgate::reference
