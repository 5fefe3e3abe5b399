// One row of a scalar definition: its outputs, its gradients and the magnitudes that make S. One per thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/real.hpp"
#include "reference/scalar_definition.hpp"
#include "reference/truth_values.hpp"

namespace seamgate::reference {

// Throws std::invalid_argument that names the first element that `format` does not have. row < 0: the row
// that all rows share.
inline void check_representable(std::string_view op, const std::string& input, std::int64_t row,
                                std::span<const float> values, Format format) {
  if (format == Format::f32) return;
  for (std::size_t n = 0; n < values.size(); ++n) {
    if (is_representable(values[n], format)) continue;
    const std::string where = row < 0 ? "" : "row " + std::to_string(row) + ", ";
    throw std::invalid_argument(std::string(op) + ": input " + input + ", " + where + "column " +
                                std::to_string(n) + " is " + std::to_string(values[n]) + ", which " +
                                std::string(to_string(format)) + " does not have");
  }
}

// Buffers of one tensor's row, and where the definition and the classifier find them.
template <class Definition, class R>
class RowEvaluator {
 public:
  // Whoever keeps the results of a row reads them here. For a gradient of extent `columns` they are what this
  // row contributes. The value of an element that is no number is 0, a NaN or an infinity.
  struct Result {
    std::vector<R> values;
    std::vector<Magnitude> magnitudes;         // of gradients: the adjoint with magnitudes
    std::vector<ElementClass> classes;         // meaningful when special()
    std::vector<Interval> slack;               // as classes
    std::vector<Alternative<R>> alternatives;  // of numbers; `index` is the column
  };

  RowEvaluator(const TruthRequest& request, const Setting& setting)
      : request_(request),
        setting_(setting),
        input_specs_(Definition::inputs()),
        columns_(static_cast<std::size_t>(request.columns)),
        outputs_(Definition::outputs().size()),
        gradients_(request.wants_gradients ? input_specs_.size() : 0),
        plain_in_(input_specs_.size()),
        var_in_(input_specs_.size()),
        var_out_(outputs_.size()),
        choice_in_(input_specs_.size()),
        choice_out_(outputs_.size()) {
    for (auto* results : {&outputs_, &gradients_}) {
      for (Result& result : *results) {
        result.values.resize(columns_);
        result.magnitudes.resize(columns_);
        result.classes.resize(columns_);
        result.slack.resize(columns_);
      }
    }
    for (std::size_t i = 0; i < input_specs_.size(); ++i) {
      plain_in_[i].resize(columns_);
      var_in_[i].resize(columns_);
      if (input_specs_[i].extent == Extent::columns) to_real(request.inputs[i].data, plain_in_[i]);
    }
    for (auto& row : var_out_) row.resize(columns_);
  }

  void run(std::int64_t row) {
    gather(row);
    special_ = classify();
    has_alternatives_ = false;
    for (auto* results : {&outputs_, &gradients_}) {
      for (Result& result : *results) result.alternatives.clear();
    }
    if (gradients_.empty()) {
      forward();
    } else {
      forward_and_backward();
    }
    if (has_alternatives_) forward_with_alternatives();
    if (special_) {
      for (Result& result : outputs_) apply_classes(result, row);
      for (Result& result : gradients_) apply_classes(result, row);
    }
  }

  bool special() const { return special_; }
  const Result& output(std::size_t j) const { return outputs_[j]; }
  const Result& gradient(std::size_t i) const { return gradients_[i]; }
  std::size_t arena_bytes() const { return tape_.arena_bytes(); }

 private:
  static void to_real(const float* data, std::vector<R>& out) {
    for (std::size_t n = 0; n < out.size(); ++n) out[n] = R(data[n]);
  }

  void gather(std::int64_t row) {
    float_in_.clear();
    float_upstream_.clear();
    for (std::size_t i = 0; i < input_specs_.size(); ++i) {
      const TruthInput& input = request_.inputs[i];
      const bool shared = input_specs_[i].extent == Extent::columns;
      const float* data = shared ? input.data : input.data + row * input.row_stride;
      float_in_.emplace_back(data, columns_);
      if (shared) continue;
      check_representable(Definition::name, input_specs_[i].name, row, float_in_.back(), setting_.formats[i]);
      to_real(data, plain_in_[i]);
    }
    if (gradients_.empty()) return;
    for (const TruthInput& upstream : request_.upstream) {
      if (upstream.data == nullptr) {
        float_upstream_.emplace_back();
      } else {
        float_upstream_.emplace_back(upstream.data + row * upstream.row_stride, columns_);
      }
    }
  }

  bool classify() {
    class_outputs_.clear();
    class_gradients_.clear();
    slack_outputs_.clear();
    slack_gradients_.clear();
    for (Result& result : outputs_) {
      class_outputs_.emplace_back(result.classes);
      slack_outputs_.emplace_back(result.slack);
    }
    for (Result& result : gradients_) {
      class_gradients_.emplace_back(result.classes);
      slack_gradients_.emplace_back(result.slack);
    }
    RowClasses classes{class_outputs_, class_gradients_, slack_outputs_, slack_gradients_};
    return Definition::classify(RowOfFloats{float_in_, float_upstream_}, setting_, classes);
  }

  void forward() {
    std::vector<std::span<const R>> in(plain_in_.begin(), plain_in_.end());
    std::vector<std::span<R>> out;
    for (Result& result : outputs_) out.emplace_back(result.values);
    Definition::template row<R>(in, setting_, PlainRounding<R>{has_alternatives_}, out);
  }

  // The outputs once more, with all that inner roundings leave open.
  void forward_with_alternatives() {
    for (std::size_t i = 0; i < choice_in_.size(); ++i)
      choice_in_[i].assign(plain_in_[i].begin(), plain_in_[i].end());
    for (auto& row : choice_out_) row.resize(columns_);
    const std::vector<std::span<const Choices<R>>> in(choice_in_.begin(), choice_in_.end());
    const std::vector<std::span<Choices<R>>> out(choice_out_.begin(), choice_out_.end());
    Definition::template row<Choices<R>>(in, setting_, ChoiceRounding<R>{}, out);
    for (std::size_t j = 0; j < outputs_.size(); ++j) {
      for (std::size_t n = 0; n < columns_; ++n) {
        outputs_[j].values[n] = choice_out_[j][n].first;
        for (const R& other : choice_out_[j][n].others) outputs_[j].alternatives.push_back({n, other, other});
      }
    }
  }

  void forward_and_backward() {
    tape_.clear();
    for (std::size_t i = 0; i < var_in_.size(); ++i) {
      for (std::size_t n = 0; n < columns_; ++n) var_in_[i][n] = tape_.leaf(plain_in_[i][n]);
    }
    const std::vector<std::span<const Var<R>>> in(var_in_.begin(), var_in_.end());
    const std::vector<std::span<Var<R>>> out(var_out_.begin(), var_out_.end());
    Definition::template row<Var<R>>(in, setting_, TapeRounding<R>{has_alternatives_}, out);
    for (std::size_t j = 0; j < outputs_.size(); ++j) {
      for (std::size_t n = 0; n < columns_; ++n) {
        outputs_[j].values[n] = tape_.value(var_out_[j][n]);
        if (!float_upstream_[j].empty()) tape_.seed(var_out_[j][n], R(float_upstream_[j][n]));
      }
    }
    tape_.propagate();
    tape_.propagate_magnitudes(magnitudes_);
    for (std::size_t i = 0; i < gradients_.size(); ++i) {
      for (std::size_t n = 0; n < columns_; ++n) {
        gradients_[i].values[n] = tape_.adjoint(var_in_[i][n]);
        gradients_[i].magnitudes[n] = magnitudes_[var_in_[i][n].index];
      }
    }
    tape_.collect_slack(slack_);
    for (const auto& slack : slack_) {
      // The inputs are the first leaves, one row after another.
      const std::size_t i = slack.index / columns_;
      const std::size_t n = slack.index % columns_;
      if (i >= gradients_.size()) continue;
      const R& value = gradients_[i].values[n];
      gradients_[i].alternatives.push_back({n, R(value + slack.lo), R(value + slack.hi)});
    }
  }

  void apply_classes(Result& result, std::int64_t row) {
    using Limits = std::numeric_limits<R>;
    for (std::size_t n = 0; n < columns_; ++n) {
      if (result.classes[n] == ElementClass::number) {
        using std::isfinite;
        if (!isfinite(result.values[n]))
          throw std::domain_error(std::string(Definition::name) + ": row " + std::to_string(row) +
                                  ", column " + std::to_string(n) +
                                  " is declared a number, but the definition gives none");
        if (const Interval slack = result.slack[n]; slack.lo < slack.hi) {
          const R& value = result.values[n];
          result.alternatives.push_back({n, R(value + R(slack.lo)), R(value + R(slack.hi))});
        }
        continue;
      }
      result.magnitudes[n] = 0;
      switch (result.classes[n]) {
        case ElementClass::plus_infinity:
          result.values[n] = Limits::infinity();
          break;
        case ElementClass::minus_infinity:
          result.values[n] = -Limits::infinity();
          break;
        case ElementClass::nan:
          result.values[n] = Limits::quiet_NaN();
          break;
        default:
          result.values[n] = R(0);
      }
    }
    std::erase_if(result.alternatives, [&](const Alternative<R>& alternative) {
      return result.classes[alternative.index] != ElementClass::number;
    });
    std::ranges::stable_sort(result.alternatives, {}, &Alternative<R>::index);
  }

  const TruthRequest& request_;
  const Setting& setting_;
  std::vector<TensorSpec> input_specs_;
  std::size_t columns_;
  std::vector<Result> outputs_;
  std::vector<Result> gradients_;
  std::vector<std::vector<R>> plain_in_;
  std::vector<std::vector<Var<R>>> var_in_;
  std::vector<std::vector<Var<R>>> var_out_;
  std::vector<std::vector<Choices<R>>> choice_in_;
  std::vector<std::vector<Choices<R>>> choice_out_;
  std::vector<std::span<const float>> float_in_;
  std::vector<std::span<const float>> float_upstream_;
  std::vector<std::span<ElementClass>> class_outputs_;
  std::vector<std::span<ElementClass>> class_gradients_;
  std::vector<std::span<Interval>> slack_outputs_;
  std::vector<std::span<Interval>> slack_gradients_;
  ReverseTape<R> tape_;
  std::vector<Magnitude> magnitudes_;
  std::vector<typename ReverseTape<R>::Slack> slack_;
  bool special_ = false;
  bool has_alternatives_ = false;
};

}  // namespace seamgate::reference
