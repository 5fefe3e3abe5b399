// RMSNorm: y = x * r * w, r = 1 / sqrt(mean(x^2) + eps), the mean over the row. Statistics in f32.
// Source: Zhang and Sennrich, Root Mean Square Layer Normalization, 2019, with eps inside the root as PyTorch
// has it.
#pragma once

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "reference/scalar_definition.hpp"

namespace seamgate::reference {

struct RmsNorm {
  static constexpr std::string_view name = "rmsnorm";

  static std::vector<TensorSpec> inputs() { return {{"x", Extent::rows_by_columns}, {"w", Extent::columns}}; }
  static std::vector<TensorSpec> outputs() { return {{"y", Extent::rows_by_columns}}; }
  // One function in real arithmetic; they differ in dtype handling (torch casts once at the end, seed is f32
  // alone).
  static std::vector<VariantSpec> variants() { return {{"torch", 1e-6F}, {"seed", 1e-5F}}; }

  static void check(const Attributes& attributes) {
    if (!(attributes.eps >= 0) || std::isinf(attributes.eps))
      throw std::invalid_argument("rmsnorm: eps is " + std::to_string(attributes.eps) +
                                  "; it must be finite and not negative");
  }

  template <class T, class Rounding>
  static void row(RowIn<T> in, const Attributes& attributes, Rounding, RowOut<T> out) {
    using std::sqrt;
    const std::span<const T> x = in[0];
    const std::span<const T> w = in[1];
    const T mean_square = sum_of_squares(x) / static_cast<double>(x.size());
    const T r = 1.0 / sqrt(mean_square + static_cast<double>(attributes.eps));
    for (std::size_t j = 0; j < x.size(); ++j) out[0][j] = x[j] * r * w[j];
  }

  // Special: a NaN or an infinity anywhere; squares whose sum is beyond f32 (r = 0); a zero row with eps = 0.
  static bool classify(const RowOfFloats& row, const Attributes& attributes, RowClasses& classes);
};

namespace rmsnorm_detail {

inline bool all_finite(std::span<const float> values) {
  // An exponent of all ones; without an early exit, so that it vectorises.
  constexpr std::uint32_t exponent = 0x7F800000U;
  std::uint32_t found = 0;
  for (const float v : values) found |= (std::bit_cast<std::uint32_t>(v) & exponent) == exponent ? 1U : 0U;
  return found == 0;
}

// The statistics as f32 has them, up to rounding. Throws where rounding would decide.
inline double reciprocal_root(std::span<const float> x, float eps) {
  double sum_of_squares = 0;
  for (const float v : x) sum_of_squares += static_cast<double>(v) * v;
  constexpr double f32_max = FLT_MAX;
  constexpr double band = 1e-5;  // more than the rounding of any summation order at the lengths served
  if (sum_of_squares > f32_max * (1 - band) && sum_of_squares < f32_max * (1 + band))
    throw std::domain_error(
        "rmsnorm: the sum of squares of a row is " + std::to_string(sum_of_squares / f32_max) +
        " of f32's largest number, so near that rounding decides; no truth is defined there");
  if (sum_of_squares > f32_max) return 0;
  const double shifted = sum_of_squares / static_cast<double>(x.size()) + eps;
  constexpr double underflow = 0x1p-100;  // below, squares lose digits to f32's subnormals
  if (sum_of_squares > 0 && shifted < underflow)
    throw std::domain_error(
        "rmsnorm: mean square plus eps of a row is below 2^-100, where f32 squares underflow; no "
        "truth is defined there");
  return 1 / std::sqrt(shifted);
}

}  // namespace rmsnorm_detail

inline bool RmsNorm::classify(const RowOfFloats& row, const Attributes& attributes, RowClasses& classes) {
  const std::span<const float> x = row.inputs[0];
  const std::span<const float> w = row.inputs[1];
  const bool wants_gradients = !row.upstream.empty();
  const std::span<const float> gy = wants_gradients ? row.upstream[0] : std::span<const float>{};
  const double r = rmsnorm_detail::reciprocal_root(x, attributes.eps);
  const bool finite =
      rmsnorm_detail::all_finite(x) && rmsnorm_detail::all_finite(w) && rmsnorm_detail::all_finite(gy);
  if (finite && r > 0 && std::isfinite(r)) return false;

  // dx = r * (g - xhat * mean(g * xhat)), g = gy * w; dw takes gy * xhat. In double, which no f32 product
  // overflows.
  double projection = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double xhat = x[j] * r;
    classes.outputs[0][j] = class_of(xhat * w[j]);
    if (!wants_gradients) continue;
    const double upstream = gy.empty() ? 0.0 : gy[j];
    projection += upstream * w[j] * xhat / static_cast<double>(x.size());
    classes.gradients[1][j] = class_of(upstream * xhat);
  }
  if (!wants_gradients) return true;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double upstream = gy.empty() ? 0.0 : gy[j];
    classes.gradients[0][j] = class_of(r * (upstream * w[j] - x[j] * r * projection));
  }
  return true;
}

}  // namespace seamgate::reference
