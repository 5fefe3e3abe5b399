// Patterns of errors in one tensor.
#include "gates/diagnosis/patterns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

namespace seamgate::gates {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

bool is_nan(float value) {
  return std::isnan(value);
}

// "column 3", "columns 3 to 7"; `of` is how many there are.
std::string range(const char* what, std::int64_t first, std::int64_t last, std::int64_t of) {
  const std::string count = " (of " + std::to_string(of) + ")";
  if (first == last)
    return "only " + std::string(what) + " " + std::to_string(first) + (last == of - 1 ? ", the last," : "") +
           count;
  return "only " + std::string(what) + "s " + std::to_string(first) + " to " + std::to_string(last) +
         (last == of - 1 ? ", the last ones," : "") + count;
}

// Whether exactly the members first..last of one direction are wrong, and all of their elements are, but for
// a few.
struct Stretch {
  std::int64_t first = -1, last = -1;
  bool closed = false;
};

template <class AnyWrong>
Stretch stretch_of(std::int64_t count, AnyWrong any_wrong) {
  Stretch stretch;
  std::int64_t members = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (!any_wrong(i)) continue;
    if (stretch.first < 0) stretch.first = i;
    stretch.last = i;
    ++members;
  }
  stretch.closed = members == stretch.last - stretch.first + 1;
  return stretch;
}

}  // namespace

Wrong find_wrong(const reference::TruthTensor& truth, std::span<const float> got, double bar) {
  Wrong wrong;
  wrong.columns = truth.columns();
  wrong.rows = truth.extent() == reference::Extent::columns ? 1 : truth.rows();
  for (std::size_t i = 0; i < got.size(); ++i) {
    wrong.at.push_back(!(truth.error(i, got[i]) <= bar));
    if (wrong.at.back()) ++wrong.count;
  }
  return wrong;
}

std::string value_pattern(const reference::TruthTensor& truth, std::span<const float> got,
                          const Wrong& wrong) {
  if (got.size() < 2) return {};
  if (std::all_of(got.begin(), got.end(), is_nan))
    return "every element is NaN: nothing was written, or NaN was";
  if (std::all_of(got.begin(), got.end(), [&](float value) { return value == got[0]; }))
    return "every element is " + number(got[0]);
  if (wrong.count * 2 < got.size()) return {};
  // One factor for all: the ratio at the largest element, tried on every other.
  std::size_t largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::abs(truth.value(i)) > std::abs(truth.value(largest))) largest = i;
  }
  const double factor = got[largest] / truth.value(largest);
  if (!std::isfinite(factor) || std::abs(factor - 1.0) < 1e-5) return {};
  const double tolerance = truth.format() == reference::Format::f32    ? 1e-5
                           : truth.format() == reference::Format::bf16 ? 0x1p-6
                                                                       : 0x1p-9;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double want = factor * truth.value(i);
    const double scale = std::max(std::abs(want), std::abs(factor) * truth.scale(i));
    if (!(std::abs(got[i] - want) <= tolerance * scale)) return {};
  }
  std::string told;
  const auto is = [&](double value) { return std::abs(factor - value) <= tolerance * std::abs(value); };
  const auto columns = static_cast<double>(truth.columns());
  const auto rows = static_cast<double>(truth.rows());
  if (is(-1))
    told = ": the sign is wrong";
  else if (is(columns))
    told = ", which is the number of columns";
  else if (is(1 / columns))
    told = ", one over the number of columns";
  else if (rows > 1 && is(rows))
    told = ", which is the number of rows";
  else if (rows > 1 && is(1 / rows))
    told = ", one over the number of rows: a mean in place of a sum";
  return "everything is " + number(factor) + " times what it should be" + told;
}

std::string copy_pattern(std::span<const float> got, const Numbers& numbers) {
  const auto same = [&](const std::vector<float>& values) {
    return values.size() == got.size() && std::equal(got.begin(), got.end(), values.begin());
  };
  for (std::size_t i = 0; i < numbers.inputs.size(); ++i) {
    if (same(numbers.inputs[i])) return "input " + std::to_string(i) + " as it is: it was handed through";
  }
  for (std::size_t i = 0; i < numbers.upstream.size(); ++i) {
    if (same(numbers.upstream[i]))
      return "the upstream gradient of output " + std::to_string(i) + " as it is: it was handed through";
  }
  return {};
}

std::string sum_pattern(const reference::TruthTensor& truth, std::span<const float> got, const Wrong& wrong,
                        double bar) {
  if (truth.extent() != reference::Extent::columns || truth.rows() < 2 || wrong.count * 3 < got.size())
    return {};
  double worst = 0.0;
  bool sixteen_bits = true;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double error = truth.error(i, got[i]);
    if (!std::isfinite(error)) return {};
    worst = std::max(worst, error);
    sixteen_bits = sixteen_bits && (std::bit_cast<std::uint32_t>(got[i]) & 0xFFFFU) == 0;
  }
  if (worst > 0.2 || worst < 100 * bar) return {};
  if (truth.format() == reference::Format::f32 && sixteen_bits)
    return "the sum over rows was held in bf16 (D01, D02): every element is a bf16 number";
  if (truth.format() != reference::Format::f32)
    return "a guess: the sum over rows was rounded to 16 bits on its way, errors are up to " + number(worst) +
           " of S (D01, D02)";
  return {};
}

std::string place_pattern(std::span<const float> got, const Wrong& wrong) {
  const auto at = [&](std::int64_t row, std::int64_t column) {
    return static_cast<std::size_t>(row * wrong.columns + column);
  };
  std::string state;  // of the wrong ones
  bool all_nan = true;
  bool all_zero = true;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!wrong.at[i]) continue;
    all_nan = all_nan && is_nan(got[i]);
    all_zero = all_zero && got[i] == 0.0F;
  }
  if (all_nan)
    state = " and NaN: never written, or read where nothing was written";
  else if (all_zero)
    state = " and zero";
  if (got.size() == 1) return state.empty() ? "" : "the only element is" + state.substr(4);
  if (wrong.count == 1) {
    const auto i =
        static_cast<std::int64_t>(std::find(wrong.at.begin(), wrong.at.end(), true) - wrong.at.begin());
    return "one element of " + std::to_string(got.size()) + " is wrong" + state + ": row " +
           std::to_string(i / wrong.columns) + ", column " + std::to_string(i % wrong.columns);
  }
  const auto columns = stretch_of(wrong.columns, [&](std::int64_t column) {
    for (std::int64_t row = 0; row < wrong.rows; ++row) {
      if (wrong.at[at(row, column)]) return true;
    }
    return false;
  });
  const auto rows = stretch_of(wrong.rows, [&](std::int64_t row) {
    for (std::int64_t column = 0; column < wrong.columns; ++column) {
      if (wrong.at[at(row, column)]) return true;
    }
    return false;
  });
  const bool few_columns = columns.closed && (columns.last - columns.first + 1) * 2 <= wrong.columns;
  const bool few_rows = wrong.rows > 1 && rows.closed && (rows.last - rows.first + 1) * 2 <= wrong.rows;
  if (few_columns && (!few_rows || columns.last - columns.first < rows.last - rows.first)) {
    const auto left = wrong.columns - columns.first;
    std::string tail;
    for (const std::int64_t width : {4, 8, 2, 16, 32, 64, 128, 256}) {
      if (columns.last == wrong.columns - 1 && wrong.columns % width == left) {
        tail = "; they are the rest of a division by " + std::to_string(width) + ": a tail (D70)";
        break;
      }
    }
    return range("column", columns.first, columns.last, wrong.columns) + " " +
           (columns.first == columns.last ? "is" : "are") + " wrong" + state + tail;
  }
  if (few_rows)
    return range("row", rows.first, rows.last, wrong.rows) + " " + (rows.first == rows.last ? "is" : "are") +
           " wrong" + state;
  if (all_nan || all_zero)
    return std::to_string(wrong.count) + " of " + std::to_string(got.size()) + " elements are wrong" + state;

  return {};
}

}  // namespace seamgate::gates
