// The two comparisons of seamgate.
#include "gates/comparator.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace seamgate::gates {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

Comparison refused(const std::string& why) {
  Comparison result;
  result.error = infinity;
  result.message = why;
  return result;
}

std::string counts(std::size_t got, std::int64_t want) {
  return "got " + std::to_string(got) + " elements, want " + std::to_string(want);
}

bool share_memory(std::span<const float> a, std::span<const float> b) {
  const auto begin = [](std::span<const float> s) { return reinterpret_cast<std::uintptr_t>(s.data()); };
  const auto end = [](std::span<const float> s) { return reinterpret_cast<std::uintptr_t>(s.data() + s.size()); };
  return begin(a) < end(b) && begin(b) < end(a);
}

// What every comparison of two buffers refuses before it looks at a number; empty when there is nothing to refuse.
std::string refuse_operands(std::span<const float> got, std::span<const float> want) {
  if (got.size() != want.size()) return counts(got.size(), static_cast<std::int64_t>(want.size()));
  if (got.empty()) return "nothing to compare: both sides are empty";
  if (share_memory(got, want)) return "got and want are the same memory";
  return {};
}

std::string text_of(const Form& form) {
  std::string extents;
  for (const auto extent : form.shape) extents += (extents.empty() ? "" : ",") + std::to_string(extent);
  return std::string(to_string(form.dtype)) + " [" + extents + "]";
}

void note_worst(Comparison& result, std::int64_t index, double error, double got, double want) {
  if (result.worst >= 0 && !(error > result.error)) return;
  result.error = error;
  result.worst = index;
  result.got = got;
  result.want = want;
}

void conclude(Comparison& result, const Bar& bar) {
  result.passed = result.failing == 0 && bar.admits(result.error);
  if (result.passed) return;
  result.message = "element " + std::to_string(result.worst) + ": got " + number(result.got) + ", want " + number(result.want) +
                   ", error " + number(result.error) + " > bar " + number(bar.value()) + " (" + bar.source() + "), " +
                   std::to_string(result.failing) + " over the bar";
}

}  // namespace

Bar::Bar(double value, std::string source) : value_(value), source_(std::move(source)) {
  if (!(value >= 0.0)) throw std::invalid_argument("bar is " + number(value) + "; allowed: zero, a positive number, or infinity");
}

std::string differing_form(const Form& got, const Form& want) {
  if (got.dtype == want.dtype && got.shape == want.shape) return {};
  return "got " + text_of(got) + ", want " + text_of(want);
}

Comparison compare_with_truth(std::span<const float> got, std::int64_t want_count,
                              const std::function<Expected(std::int64_t, float)>& expected, const Bar& bar) {
  if (static_cast<std::int64_t>(got.size()) != want_count) return refused(counts(got.size(), want_count));
  if (got.empty()) return refused("nothing to compare: both sides are empty");
  Comparison result;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const Expected want = expected(static_cast<std::int64_t>(i), got[i]);
    const double error = want.class_agrees ? want.error : infinity;
    if (!want.class_agrees || !bar.admits(error)) ++result.failing;
    note_worst(result, static_cast<std::int64_t>(i), std::isnan(error) ? infinity : error, got[i], want.value);
  }
  conclude(result, bar);
  return result;
}

Comparison compare_parity(std::span<const float> got, std::span<const float> want, const Bar& bar, std::optional<double> scale) {
  if (const auto why = refuse_operands(got, want); !why.empty()) return refused(why);
  double largest = 0.0;
  for (const float value : want) {
    if (!std::isfinite(value)) return refused("want is not finite: " + number(value));
    largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  Comparison result;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double difference = std::abs(static_cast<double>(got[i]) - static_cast<double>(want[i]));
    double error = difference == 0.0 ? 0.0 : difference / scale.value_or(largest);
    if (std::isnan(error)) error = infinity;
    if (!bar.admits(error)) ++result.failing;
    note_worst(result, static_cast<std::int64_t>(i), error, got[i], want[i]);
  }
  // An infinite bar admits any finite difference and nothing else.
  for (const float value : got) {
    if (!std::isfinite(value) && result.failing == 0) return refused("got is not finite: " + number(value));
  }
  conclude(result, bar);
  return result;
}

Comparison compare_bits(std::span<const float> got, std::span<const float> want) {
  if (const auto why = refuse_operands(got, want); !why.empty()) return refused(why);
  Comparison result;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool same = std::memcmp(&got[i], &want[i], sizeof(float)) == 0;
    if (!same) ++result.failing;
    note_worst(result, static_cast<std::int64_t>(i), same ? 0.0 : 1.0, got[i], want[i]);
  }
  result.passed = result.failing == 0;
  if (!result.passed) {
    result.message = "element " + std::to_string(result.worst) + ": got " + number(result.got) + ", want " + number(result.want) +
                     " bit for bit, " + std::to_string(result.failing) + " differ";
  }
  return result;
}

}  // namespace seamgate::gates
