// The quad values of a truth tensor, for whoever rounds them itself ("straight from float128").
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "reference/real.hpp"
#include "reference/rounding.hpp"
#include "reference/truth.hpp"

namespace seamgate::reference {

// Values lo to hi (one, where they are equal) that element `index` may have besides its own.
template <class R>
struct Alternative {
  std::size_t index = 0;
  R lo{0};
  R hi{0};
};

template <class R>
class TruthValuesOf final : public TruthValues {
 public:
  // `alternatives` in ascending order of their elements.
  explicit TruthValuesOf(std::vector<R> values, std::vector<Alternative<R>> alternatives = {})
      : values_(std::move(values)), alternatives_(std::move(alternatives)) {}

  std::size_t size() const override { return values_.size(); }
  HiLo hi_lo(std::size_t i) const override {
    const double hi = static_cast<double>(values_[i]);
    if (!std::isfinite(hi)) return {hi, 0};
    return {hi, static_cast<double>(R(values_[i] - R(hi)))};
  }
  double absolute_error(std::size_t i, float got) const override {
    double least = std::abs(static_cast<double>(R(R(got) - values_[i])));
    for (const Alternative<R>& other : alternatives(i))
      least = std::min(least, static_cast<double>(gap(R(got), R(got), other.lo, other.hi)));
    return least;
  }
  double cell_error(std::size_t i, Interval cell, std::optional<double> scale) const override {
    const R cell_lo(cell.lo);
    const R cell_hi(cell.hi);
    double least = relative(cell_lo, cell_hi, values_[i], values_[i], scale);
    for (const Alternative<R>& other : alternatives(i))
      least = std::min(least, relative(cell_lo, cell_hi, other.lo, other.hi, scale));
    return least;
  }
  Interval hull(std::size_t i, Format format, std::optional<double> scale) const override {
    using std::abs;
    R lo = values_[i];
    R hi = values_[i];
    for (const Alternative<R>& other : alternatives(i)) {
      if (other.lo < lo) lo = other.lo;
      if (other.hi > hi) hi = other.hi;
    }
    lo -= R(bar) * (scale ? R(*scale) : R(abs(lo)));
    hi += R(bar) * (scale ? R(*scale) : R(abs(hi)));
    if (format == Format::f32) return {static_cast<double>(lo), static_cast<double>(hi)};
    return {static_cast<double>(round_to(lo, format)), static_cast<double>(round_to(hi, format))};
  }

  const R& real(std::size_t i) const { return values_[i]; }
  std::span<const Alternative<R>> alternatives(std::size_t i) const {
    if (alternatives_.empty()) return {};
    const auto [first, last] =
        std::ranges::equal_range(alternatives_, i, {}, [](const Alternative<R>& a) { return a.index; });
    return {first, last};
  }

 private:
  // Between two intervals; 0 where they touch.
  static R gap(const R& a_lo, const R& a_hi, const R& b_lo, const R& b_hi) {
    if (b_hi < a_lo) return a_lo - b_hi;
    if (a_hi < b_lo) return b_lo - a_hi;
    return R(0);
  }
  static double relative(const R& cell_lo, const R& cell_hi, const R& lo, const R& hi,
                         std::optional<double> scale) {
    const R distance = gap(cell_lo, cell_hi, lo, hi);
    if (distance == R(0)) return 0;
    const R& nearest = hi < cell_lo ? hi : lo;
    using std::abs;
    const R over = scale ? R(*scale) : R(abs(nearest));
    return over == R(0) ? std::numeric_limits<double>::infinity() : static_cast<double>(R(distance / over));
  }

  std::vector<R> values_;
  std::vector<Alternative<R>> alternatives_;
};

// The exact value of element i; R is the type it was computed in.
template <class R = Real>
const R& real_at(const TruthTensor& tensor, std::size_t i) {
  const auto* values = dynamic_cast<const TruthValuesOf<R>*>(&tensor.values());
  if (values == nullptr)
    throw std::invalid_argument("truth of " + tensor.name() + " was computed in another quad type");
  return values->real(i);
}

}  // namespace seamgate::reference
