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
#include <vector>

#include "reference/scalar_definition.hpp"

namespace seamgate::reference {

struct RmsNorm {
  static constexpr std::string_view name = "rmsnorm";

  static std::vector<TensorSpec> inputs() { return {{"x", Extent::rows_by_columns}, {"w", Extent::columns}}; }
  static std::vector<TensorSpec> outputs() { return {{"y", Extent::rows_by_columns}}; }
  // In real arithmetic gemma has 1 + w for w, and the others are one function. In 16 bit they differ by their
  // casts, see `row`.
  static std::vector<VariantSpec> variants() {
    return {{"torch", 1e-6F}, {"seed", 1e-5F},  {"llama", 1e-6F},
            {"t5", 1e-6F},    {"gemma", 1e-6F}, {"burn", 1e-5F}};
  }

  // seed is f32 alone; burn takes x and w of one format.
  static void check(const Setting& setting);
  static std::vector<Format> output_formats(const Setting& setting);

  template <class T, class Rounding>
  static void row(RowIn<T> in, const Setting& setting, const Rounding& cast, RowOut<T> out) {
    using std::sqrt;
    const std::string& variant = setting.attributes.variant;
    const std::span<const T> x = in[0];
    const std::span<const T> w = in[1];
    const Format x_format = setting.formats[0];
    const T mean_square = sum_of_squares(x) / static_cast<double>(x.size());
    const T root = sqrt(mean_square + static_cast<double>(setting.attributes.eps));
    if (variant == "burn") {
      const T divisor = cast(root, x_format);
      for (std::size_t j = 0; j < x.size(); ++j) out[0][j] = cast(x[j] / divisor, x_format) * w[j];
      return;
    }
    const T r = 1.0 / root;
    if (variant == "llama" || variant == "t5") {
      // t5 casts to w's format, which is no cast where that is f32.
      const Format inner = variant == "llama" ? x_format : setting.formats[1];
      for (std::size_t j = 0; j < x.size(); ++j) out[0][j] = cast.kept(x[j] * r, inner) * w[j];
    } else if (variant == "gemma") {
      for (std::size_t j = 0; j < x.size(); ++j) out[0][j] = x[j] * r * (1.0 + w[j]);
    } else {
      for (std::size_t j = 0; j < x.size(); ++j) out[0][j] = x[j] * r * w[j];
    }
  }

  // Special: a NaN or an infinity anywhere; squares whose sum is beyond f32 (r = 0); a zero row with eps = 0.
  static bool classify(const RowOfFloats& row, const Setting& setting, RowClasses& classes);
};

namespace rmsnorm_detail {

inline void check_eps(std::string_view op, float eps) {
  if (!(eps >= 0) || std::isinf(eps))
    throw std::invalid_argument(std::string(op) + ": eps is " + std::to_string(eps) +
                                "; it must be finite and not negative");
}

inline bool all_finite(std::span<const float> values) {
  // An exponent of all ones; without an early exit, so that it vectorises.
  constexpr std::uint32_t exponent = 0x7F800000U;
  std::uint32_t found = 0;
  for (const float v : values) found |= (std::bit_cast<std::uint32_t>(v) & exponent) == exponent ? 1U : 0U;
  return found == 0;
}

// The statistics as f32 has them, up to rounding. Throws where rounding would decide.
inline double reciprocal_root(std::string_view op, std::span<const float> x, float eps) {
  double sum_of_squares = 0;
  for (const float v : x) sum_of_squares += static_cast<double>(v) * v;
  constexpr double f32_max = FLT_MAX;
  constexpr double band = 1e-5;  // more than the rounding of any summation order at the lengths served
  if (sum_of_squares > f32_max * (1 - band) && sum_of_squares < f32_max * (1 + band))
    throw std::domain_error(
        std::string(op) + ": the sum of squares of a row is " + std::to_string(sum_of_squares / f32_max) +
        " of f32's largest number, so near that rounding decides; no truth is defined there");
  if (sum_of_squares > f32_max) return 0;
  const double shifted = sum_of_squares / static_cast<double>(x.size()) + eps;
  constexpr double underflow = 0x1p-100;  // below, squares lose digits to f32's subnormals
  if (sum_of_squares > 0 && shifted < underflow)
    throw std::domain_error(
        std::string(op) +
        ": mean square plus eps of a row is below 2^-100, where f32 squares underflow; no "
        "truth is defined there");
  return 1 / std::sqrt(shifted);
}

}  // namespace rmsnorm_detail

inline void RmsNorm::check(const Setting& setting) {
  rmsnorm_detail::check_eps(name, setting.attributes.eps);
  const Format x = setting.formats[0];
  const Format w = setting.formats[1];
  const std::string given = "; got x " + std::string(to_string(x)) + ", w " + std::string(to_string(w));
  if (setting.attributes.variant == "seed" && (x != Format::f32 || w != Format::f32))
    throw std::invalid_argument("rmsnorm: variant seed is f32 alone" + given);
  if (setting.attributes.variant == "burn" && x != w)
    throw std::invalid_argument("rmsnorm: variant burn takes w of x's dtype" + given);
}

inline std::vector<Format> RmsNorm::output_formats(const Setting& setting) {
  const std::string& variant = setting.attributes.variant;
  if (variant == "llama") return {promote(setting.formats[0], setting.formats[1])};
  return {variant == "t5" ? setting.formats[1] : setting.formats[0]};
}

namespace rmsnorm_detail {

// What IEEE arithmetic gives for a row, in double, which no f32 product overflows: dx = r * (g - xhat *
// mean(g * xhat)), g = gy * w; dw takes gy * xhat. r is 0 where the squares overflow f32. gy may be empty:
// zero.
struct IeeeRow {
  std::vector<double> y, dx, dw;
};

inline IeeeRow ieee_row(std::span<const float> x, std::span<const float> w, double w_centre,
                        std::span<const float> gy, double r) {
  IeeeRow row;
  double projection = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double xhat = x[j] * r;
    const double weight = w_centre + w[j];
    const double upstream = gy.empty() ? 0.0 : gy[j];
    row.y.push_back(xhat * weight);
    row.dw.push_back(upstream * xhat);
    projection += upstream * weight * xhat / static_cast<double>(x.size());
  }
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double g = (gy.empty() ? 0.0 : gy[j]) * (w_centre + w[j]);
    row.dx.push_back(r * (g - x[j] * r * projection));
  }
  return row;
}

}  // namespace rmsnorm_detail

inline bool RmsNorm::classify(const RowOfFloats& row, const Setting& setting, RowClasses& classes) {
  using rmsnorm_detail::all_finite;
  const std::span<const float> x = row.inputs[0];
  const std::span<const float> w = row.inputs[1];
  const bool wants_gradients = !row.upstream.empty();
  const std::span<const float> gy = wants_gradients ? row.upstream[0] : std::span<const float>{};
  const double r = rmsnorm_detail::reciprocal_root(name, x, setting.attributes.eps);
  if (setting.attributes.variant == "burn" && setting.formats[0] == Format::f16 && r > 0x1p24 &&
      std::isfinite(r))
    throw std::domain_error("rmsnorm: the root of a row is below f16's numbers; no truth is defined there");
  if (all_finite(x) && all_finite(w) && all_finite(gy) && r > 0 && std::isfinite(r)) return false;

  const double w_centre = setting.attributes.variant == "gemma" ? 1 : 0;
  const auto ieee = rmsnorm_detail::ieee_row(x, w, w_centre, gy, r);
  for (std::size_t j = 0; j < x.size(); ++j) {
    classes.outputs[0][j] = class_of(ieee.y[j]);
    if (!wants_gradients) continue;
    classes.gradients[0][j] = class_of(ieee.dx[j]);
    classes.gradients[1][j] = class_of(ieee.dw[j]);
  }
  return true;
}

}  // namespace seamgate::reference
