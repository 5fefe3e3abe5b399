// The quad values of a truth tensor, for whoever rounds them itself ("straight from float128").
#pragma once

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "reference/real.hpp"
#include "reference/truth.hpp"

namespace seamgate::reference {

template <class R>
class TruthValuesOf final : public TruthValues {
 public:
  explicit TruthValuesOf(std::vector<R> values) : values_(std::move(values)) {}

  std::size_t size() const override { return values_.size(); }
  HiLo hi_lo(std::size_t i) const override {
    const double hi = static_cast<double>(values_[i]);
    if (!std::isfinite(hi)) return {hi, 0};
    return {hi, static_cast<double>(R(values_[i] - R(hi)))};
  }
  double absolute_error(std::size_t i, float got) const override {
    return std::abs(static_cast<double>(R(R(got) - values_[i])));
  }
  const R& real(std::size_t i) const { return values_[i]; }

 private:
  std::vector<R> values_;
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
