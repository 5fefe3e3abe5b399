// Comparing a computed tensor with the exact one.
#include "reference/truth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace seamgate::reference {
namespace {

bool has_class(ElementClass wanted, float got, Format format) {
  switch (wanted) {
    case ElementClass::number:
      return format == Format::f32 ? std::isfinite(got) : !std::isnan(got);
    case ElementClass::zero:
      return got == 0.0F;
    case ElementClass::nan:
      return std::isnan(got);
    case ElementClass::plus_infinity:
      return std::isinf(got) && got > 0;
    case ElementClass::minus_infinity:
      return std::isinf(got) && got < 0;
  }
  return false;
}

}  // namespace

TruthTensor::TruthTensor(TensorSpec spec, std::int64_t rows, std::int64_t columns,
                         std::shared_ptr<const TruthValues> values, std::vector<double> scales,
                         std::vector<ElementClass> classes, Role role, Format format)
    : spec_(std::move(spec)),
      rows_(rows),
      columns_(columns),
      values_(std::move(values)),
      scales_(std::move(scales)),
      classes_(std::move(classes)),
      role_(role),
      format_(format) {
  if (std::all_of(classes_.begin(), classes_.end(), [](ElementClass c) { return c == ElementClass::number; }))
    classes_.clear();
}

double TruthTensor::max_abs() const {
  double largest = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    if (element_class(i) == ElementClass::number) largest = std::max(largest, std::abs(value(i)));
  }
  return largest;
}

double TruthTensor::max_scale() const {
  return scales_.empty() ? 0.0 : *std::max_element(scales_.begin(), scales_.end());
}

double TruthTensor::error(std::size_t i, float got, Format format) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!is_representable(got, format))
    throw std::invalid_argument("truth of " + name() + ", element " + std::to_string(i) + ": " +
                                std::to_string(got) + " is no number of " + std::string(to_string(format)));
  const ElementClass wanted = element_class(i);
  if (!has_class(wanted, got, format)) {
    const bool finite_where_zero = wanted == ElementClass::zero && std::isfinite(got);
    return finite_where_zero ? infinity : std::numeric_limits<double>::quiet_NaN();
  }
  if (wanted != ElementClass::number) return 0;
  if (format != Format::f32) return values_->cell_error(i, cell_of(got, format), cell_scale(i));
  const double distance = values_->absolute_error(i, got);
  if (distance == 0) return 0;
  const double s = scale(i);
  return s == 0 ? infinity : distance / s;
}

void TruthTensor::errors(std::span<const float> got, std::span<double> out, Format format) const {
  check_size(got.size());
  check_size(out.size());
  for (std::size_t i = 0; i < got.size(); ++i) out[i] = error(i, got[i], format);
}

WorstError TruthTensor::worst_error(std::span<const float> got, Format format) const {
  check_size(got.size());
  WorstError worst;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double e = error(i, got[i], format);
    if (std::isnan(e)) return {e, i};
    if (e > worst.error) worst = {e, i};
  }
  return worst;
}

Interval TruthTensor::allowed(std::size_t i, Format format) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  switch (element_class(i)) {
    case ElementClass::number:
      return values_->hull(i, format, format == Format::f32 ? scale(i) : cell_scale(i));
    case ElementClass::zero:
      return {0, 0};
    case ElementClass::nan:
      return {nan, nan};
    case ElementClass::plus_infinity:
      return {infinity, infinity};
    case ElementClass::minus_infinity:
      return {-infinity, -infinity};
  }
  return {nan, nan};
}

void TruthTensor::check_size(std::size_t given) const {
  if (given != size())
    throw std::invalid_argument("truth of " + spec_.name + " has " + std::to_string(size()) +
                                " elements; it was compared with " + std::to_string(given));
}

}  // namespace seamgate::reference
