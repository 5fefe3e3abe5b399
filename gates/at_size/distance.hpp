// How far an element is from truth, on the host and in device code: reference::TruthTensor::error without its
// wall.
#pragma once

#include "kernels/simt/dtype.hpp"
#include "kernels/simt/scalar_types.hpp"
#include "reference/double_double.hpp"

namespace seamgate::gates {

// |got - truth|; infinity where got is no finite number.
SIMT_HOST_DEVICE double distance_from(reference::DoubleDouble truth, float got) {
  const double distance = ::fabs((truth.hi - static_cast<double>(got)) + truth.lo);
  return ::fabs(got) < HUGE_VALF && distance < HUGE_VAL ? distance : HUGE_VAL;
}

// The number of a 16-bit type with these bits of magnitude; the one after the largest as if exponents went
// on.
template <class T>
SIMT_HOST_DEVICE double number_of(std::uint32_t magnitude, std::uint32_t infinity) {
  if (magnitude < infinity) return simt::to_float(T{static_cast<std::uint16_t>(magnitude)});
  const double largest = simt::to_float(T{static_cast<std::uint16_t>(infinity - 1)});
  return largest +
         (largest - static_cast<double>(simt::to_float(T{static_cast<std::uint16_t>(infinity - 2)})));
}

// From truth to the reals that round to `got`, 0 inside: RN(t - d) <= got <= RN(t + d) where the distance is
// at most d. The cell of an infinity begins half a unit above the largest number; a NaN is infinitely far.
template <class T>
SIMT_HOST_DEVICE double distance_from_cell(reference::DoubleDouble truth, T got, std::uint32_t infinity) {
  const std::uint32_t magnitude = got.bits & 0x7fffU;
  if (magnitude > infinity || !(::fabs(truth.hi) < HUGE_VAL)) return HUGE_VAL;
  const double own = number_of<T>(magnitude, infinity);
  double inner =
      magnitude == 0 ? -0.5 * number_of<T>(1, infinity) : 0.5 * (own + number_of<T>(magnitude - 1, infinity));
  double outer = magnitude == infinity ? HUGE_VAL : 0.5 * (own + number_of<T>(magnitude + 1, infinity));
  const bool negative = (got.bits & 0x8000U) != 0;
  const double lo = negative ? -outer : inner;
  const double hi = negative ? -inner : outer;
  const double below = (lo - truth.hi) - truth.lo;
  const double above = (truth.hi - hi) + truth.lo;
  if (below > 0.0) return below;
  return above > 0.0 ? above : 0.0;
}

SIMT_HOST_DEVICE double distance_of(reference::DoubleDouble truth, float got) {
  return distance_from(truth, got);
}
SIMT_HOST_DEVICE double distance_of(reference::DoubleDouble truth, bf16 got) {
  return distance_from_cell(truth, got, 0x7f80U);
}
SIMT_HOST_DEVICE double distance_of(reference::DoubleDouble truth, f16 got) {
  return distance_from_cell(truth, got, 0x7c00U);
}

// S = 0 demands an exact element.
SIMT_HOST_DEVICE double error_of(double distance, double scale) {
  if (distance == 0.0) return 0.0;
  return scale > 0.0 ? distance / scale : HUGE_VAL;
}

}  // namespace seamgate::gates
