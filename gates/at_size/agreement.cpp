// An op's page held against float128.
#include "gates/at_size/agreement.hpp"

#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace seamgate::gates {

std::string Agreement::str() const {
  char text[128];
  std::snprintf(text, sizeof text, "%.3g of S at index %lld of %lld, S %.3g apart", error,
                static_cast<long long>(worst), static_cast<long long>(compared), scale_error);
  return text;
}

Agreement agreement_of(const reference::TruthTensor& truth, const SampledAtSize& page) {
  if (page.values.size() != truth.size() || page.scales.size() != truth.scales().size()) {
    throw std::invalid_argument("the page of " + truth.name() + " has " + std::to_string(page.values.size()) +
                                " values and " + std::to_string(page.scales.size()) +
                                " scales; its truth has " + std::to_string(truth.size()) + " and " +
                                std::to_string(truth.scales().size()));
  }
  if (truth.has_special())
    throw std::invalid_argument("a sampled row of " + truth.name() + " is special; no page speaks of those");
  Agreement found;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const auto want = truth.hi_lo(i);
    const double distance = std::abs((page.values[i].hi - want.hi) + (page.values[i].lo - want.lo));
    const double scale = truth.scale(i);
    const double error = distance == 0 ? 0 : scale > 0 ? distance / scale : HUGE_VAL;
    if (found.worst < 0 || !(error <= found.error)) {
      found.error = std::isnan(error) ? HUGE_VAL : error;
      found.worst = static_cast<std::int64_t>(i);
    }
    ++found.compared;
  }
  for (std::size_t s = 0; s < page.scales.size(); ++s) {
    const double want = truth.scales()[s];
    const double off = std::abs(page.scales[s] - want);
    const double relative = off == 0 ? 0 : want > 0 ? off / want : HUGE_VAL;
    if (!(relative <= found.scale_error)) found.scale_error = std::isnan(relative) ? HUGE_VAL : relative;
  }
  return found;
}

}  // namespace seamgate::gates
