// Sums of truths.
#include "gates/composite_truth.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/truth_values.hpp"

namespace seamgate::gates {
namespace {

using reference::ElementClass;
using reference::Real;
using reference::TruthTensor;

// What IEEE addition says of a sum whose terms are of these classes.
ElementClass class_of_sum(ElementClass a, ElementClass b) {
  const auto either = [&](ElementClass c) { return a == c || b == c; };
  const bool opposite = either(ElementClass::plus_infinity) && either(ElementClass::minus_infinity);
  if (either(ElementClass::nan) || opposite) return ElementClass::nan;
  if (either(ElementClass::plus_infinity)) return ElementClass::plus_infinity;
  if (either(ElementClass::minus_infinity)) return ElementClass::minus_infinity;
  return a == b ? a : ElementClass::number;
}

// What element i may be besides its value: one interval around all of it, its value included.
struct Spread {
  Real lo{0};
  Real hi{0};
};

Spread spread_of(const reference::TruthValuesOf<Real>& values, std::size_t i) {
  Spread spread;
  for (const auto& other : values.alternatives(i)) {
    spread.lo = std::min(spread.lo, Real(other.lo - values.real(i)));
    spread.hi = std::max(spread.hi, Real(other.hi - values.real(i)));
  }
  return spread;
}

const reference::TruthValuesOf<Real>& values_of(const TruthTensor& tensor) {
  const auto* values = dynamic_cast<const reference::TruthValuesOf<Real>*>(&tensor.values());
  if (values == nullptr) throw std::invalid_argument("sum of truths: " + tensor.name() + " was computed in another quad type");
  return *values;
}

// `term(i)` is the class and, where that is a number, the value of what is added to element i; `scale(i)` its
// scale; `spread(i)` what it may be besides.
template <class Term, class Scale, class SpreadOf>
TruthTensor plus(const TruthTensor& a, std::size_t size, Term term, Scale scale, SpreadOf spread) {
  if (size != a.size()) {
    throw std::invalid_argument("sum of truths: " + a.name() + " has " + std::to_string(a.size()) +
                                " elements; " + std::to_string(size) + " were to be added");
  }
  std::vector<Real> values;
  std::vector<reference::Alternative<Real>> alternatives;
  std::vector<ElementClass> classes;
  std::vector<double> scales(a.scales().begin(), a.scales().end());
  std::vector<double> added(scales.size(), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto [cls, value] = term(i);
    const auto left = a.element_class(i) == ElementClass::number ? reference::real_at(a, i) : Real(0);
    values.push_back(left + (cls == ElementClass::number ? value : Real(0)));
    classes.push_back(class_of_sum(a.element_class(i), cls));
    added[a.slice(i)] = std::max(added[a.slice(i)], scale(i));
    const Spread own = spread_of(values_of(a), i);
    const Spread other = spread(i);
    const Spread both{own.lo + other.lo, own.hi + other.hi};
    if (both.lo < 0 || both.hi > 0) alternatives.push_back({i, values.back() + both.lo, values.back() + both.hi});
  }
  for (std::size_t s = 0; s < scales.size(); ++s) scales[s] += added[s];
  return TruthTensor({a.name(), a.extent()}, a.rows(), a.columns(),
                     std::make_shared<reference::TruthValuesOf<Real>>(std::move(values), std::move(alternatives)), std::move(scales),
                     std::move(classes), a.role(), a.format());
}

}  // namespace

TruthTensor sum_of(const TruthTensor& a, const TruthTensor& b) {
  return plus(
      a, b.size(),
      [&](std::size_t i) {
        const bool number = b.element_class(i) == ElementClass::number;
        return std::pair(b.element_class(i), number ? reference::real_at(b, i) : Real(0));
      },
      [&](std::size_t i) { return b.scale(i); }, [&](std::size_t i) { return spread_of(values_of(b), i); });
}

TruthTensor sum_of(const TruthTensor& a, std::span<const float> values) {
  return plus(
      a, values.size(), [&](std::size_t i) { return std::pair(ElementClass::number, Real(values[i])); },
      [&](std::size_t i) { return std::abs(static_cast<double>(values[i])); }, [](std::size_t) { return Spread{}; });
}

}  // namespace seamgate::gates
