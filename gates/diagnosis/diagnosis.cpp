// What a wrong tensor looks like.
#include "gates/diagnosis/diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "gates/diagnosis/patterns.hpp"

namespace seamgate::gates {
namespace {

std::map<std::string, std::vector<Mistake>, std::less<>>& registered() {
  static std::map<std::string, std::vector<Mistake>, std::less<>> all;
  return all;
}

// Relative size of a rounding of the tensor's dtype; f32 leaves room for the sums of a kernel.
double rounding_of(reference::Format format) {
  switch (format) {
    case reference::Format::bf16:
      return 0x1p-8;
    case reference::Format::f16:
      return 0x1p-11;
    default:
      return 4e-6;
  }
}

double scale_of(const reference::TruthTensor& truth, std::size_t i) {
  const double scale = truth.scale(i);
  return scale > 0.0 ? scale : 1.0;
}

// The largest distance over S between what came out and `values`; infinity where one is not finite.
double distance(const reference::TruthTensor& truth, std::span<const float> got,
                const std::vector<double>& values) {
  if (values.size() != got.size()) return std::numeric_limits<double>::infinity();
  double worst = 0.0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double value = values[i];
    // A result of another size altogether has roundings of its own size.
    const double scale = std::max(scale_of(truth, i), std::abs(value));
    const double d = std::abs(got[i] - value) / scale;
    if (!(d <= worst)) worst = std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
  }
  return worst;
}

double distance_from_truth(const reference::TruthTensor& truth, std::span<const float> got) {
  double worst = 0.0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double d = std::abs(got[i] - truth.value(i)) / scale_of(truth, i);
    if (!(d <= worst)) worst = std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
  }
  return worst;
}

std::string with_defect(const std::string& text, const std::string& defect) {
  return defect.empty() ? text : text + " (" + defect + ")";
}

std::string known_mistake(std::string_view op, const std::string& name, const reference::TruthTensor& truth,
                          std::span<const float> got, const Numbers& numbers) {
  const double from_truth = distance_from_truth(truth, got);
  const double least = 4.0 * rounding_of(truth.format());
  std::string best;
  double nearest = std::numeric_limits<double>::infinity();
  for (const Mistake& mistake : mistakes_of(op)) {
    if (mistake.tensor != name) continue;
    const double d = distance(truth, got, mistake.values(numbers));
    if (d < nearest && d <= least && d <= from_truth / 10.0) {
      nearest = d;
      best = with_defect(mistake.text, mistake.defect);
    }
  }
  return best;
}

}  // namespace

const std::vector<Mistake>& mistakes_of(std::string_view op) {
  static const std::vector<Mistake> none;
  const auto found = registered().find(op);
  return found == registered().end() ? none : found->second;
}

RegisterMistakes::RegisterMistakes(std::string op, std::vector<Mistake> mistakes) {
  registered()[std::move(op)] = std::move(mistakes);
}

std::string looks_like(std::string_view op, const std::string& name, const reference::TruthTensor& truth,
                       std::span<const float> got, double bar, const Numbers* numbers) {
  if (got.size() != truth.size() || got.empty()) return {};
  const Wrong wrong = find_wrong(truth, got, bar);
  if (wrong.count == 0) return {};
  if (auto text = value_pattern(truth, got, wrong); !text.empty()) return text;
  if (numbers != nullptr) {
    if (auto text = known_mistake(op, name, truth, got, *numbers); !text.empty()) return text;
    if (auto text = copy_pattern(got, *numbers); !text.empty()) return text;
  }
  if (auto text = sum_pattern(truth, got, wrong, bar); !text.empty()) return text;
  return place_pattern(got, wrong);
}

}  // namespace seamgate::gates
