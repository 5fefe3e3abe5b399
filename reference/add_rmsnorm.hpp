// Fused add and RMSNorm: s = x + residual, rounded to x's dtype as it is stored; y = cast(s * r * w) with r
// of the stored s; outputs y and s. Gradients: dx = dresidual = (Jacobian of the norm at s)^T gy + gsum.
// Source: the residual block of pre-norm transformers; Zhang and Sennrich, 2019, for the norm.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/rmsnorm.hpp"

namespace seamgate::reference {

struct AddRmsNorm {
  static constexpr std::string_view name = "add_rmsnorm";

  static std::vector<TensorSpec> inputs() {
    return {{"x", Extent::rows_by_columns}, {"residual", Extent::rows_by_columns}, {"w", Extent::columns}};
  }
  static std::vector<TensorSpec> outputs() {
    return {{"y", Extent::rows_by_columns}, {"sum", Extent::rows_by_columns}};
  }
  static std::vector<VariantSpec> variants() { return {{"torch", 1e-6F}}; }

  static void check(const Setting& setting) {
    rmsnorm_detail::check_eps(name, setting.attributes.eps);
    if (setting.formats[0] != setting.formats[1])
      throw std::invalid_argument("add_rmsnorm: x and residual are of one dtype; got x " +
                                  std::string(to_string(setting.formats[0])) + ", residual " +
                                  std::string(to_string(setting.formats[1])));
  }
  static std::vector<Format> output_formats(const Setting& setting) {
    return {setting.formats[0], setting.formats[0]};
  }

  // The sum is exact here, and its one rounding is that of any IEEE arithmetic: f32 holds more than twice the
  // digits of the 16-bit formats, so that a cast of the f32 sum rounds as if once. Where the sum is within
  // the bar of a tie an element of y admits both neighbours; r is of the correctly rounded row.
  template <class T, class Rounding>
  static void row(RowIn<T> in, const Setting& setting, const Rounding& cast, RowOut<T> out) {
    using std::sqrt;
    const std::size_t columns = in[0].size();
    std::vector<T> s(columns);
    for (std::size_t j = 0; j < columns; ++j) {
      out[1][j] = in[0][j] + in[1][j];
      s[j] = cast.stored(out[1][j], setting.formats[0]);
    }
    const T mean_square = sum_of_squares(std::span<const T>(s)) / static_cast<double>(columns);
    const T r = 1.0 / sqrt(mean_square + static_cast<double>(setting.attributes.eps));
    for (std::size_t j = 0; j < columns; ++j) out[0][j] = s[j] * r * in[2][j];
  }

  // As RmsNorm's, for the stored sum.
  static bool classify(const RowOfFloats& row, const Setting& setting, RowClasses& classes);
};

inline bool AddRmsNorm::classify(const RowOfFloats& row, const Setting& setting, RowClasses& classes) {
  using rmsnorm_detail::all_finite;
  const std::span<const float> w = row.inputs[2];
  const bool wants_gradients = !row.upstream.empty();
  const std::span<const float> gy = wants_gradients ? row.upstream[0] : std::span<const float>{};
  const std::span<const float> gsum = wants_gradients ? row.upstream[1] : std::span<const float>{};
  std::vector<float> s(row.inputs[0].size());
  for (std::size_t j = 0; j < s.size(); ++j) {
    const double exact = static_cast<double>(row.inputs[0][j]) + row.inputs[1][j];
    s[j] = static_cast<float>(round_to(exact, setting.formats[0]));
  }
  const double r = rmsnorm_detail::reciprocal_root(name, s, setting.attributes.eps);
  if (all_finite(s) && all_finite(w) && all_finite(gy) && all_finite(gsum) && r > 0 && std::isfinite(r))
    return false;

  const auto ieee = rmsnorm_detail::ieee_row(s, w, 0, gy, r);
  for (std::size_t j = 0; j < s.size(); ++j) {
    classes.outputs[0][j] = class_of(ieee.y[j]);
    // In 16 bit the cell of an infinity judges an overflow of the sum.
    const double sum = static_cast<double>(row.inputs[0][j]) + row.inputs[1][j];
    const bool number = std::isfinite(sum) && (setting.formats[0] != Format::f32 || std::isfinite(s[j]));
    classes.outputs[1][j] = number ? ElementClass::number : class_of(s[j]);
    if (!wants_gradients) continue;
    classes.gradients[0][j] = class_of(ieee.dx[j] + (gsum.empty() ? 0.0 : gsum[j]));
    classes.gradients[1][j] = classes.gradients[0][j];
    classes.gradients[2][j] = class_of(ieee.dw[j]);
  }
  return true;
}

}  // namespace seamgate::reference
