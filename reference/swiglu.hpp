// SwiGLU: y = silu(a) * b, silu(a) = a * sigmoid(a), sigmoid(a) = 1 / (1 + exp(-a)); element by element, in
// f32 inside. Source: Shazeer, GLU Variants Improve Transformer, 2020.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/scalar_definition.hpp"

namespace seamgate::reference {

struct SwiGlu {
  static constexpr std::string_view name = "swiglu";

  static std::vector<TensorSpec> inputs() {
    return {{"a", Extent::rows_by_columns}, {"b", Extent::rows_by_columns}};
  }
  static std::vector<TensorSpec> outputs() { return {{"y", Extent::rows_by_columns}}; }
  // hf casts silu(a) to the inputs' dtype before it multiplies; default casts once, at the end.
  static std::vector<VariantSpec> variants() { return {{"default", 0.0F}, {"hf", 0.0F}}; }

  static void check(const Setting& setting) {
    if (setting.formats[0] != setting.formats[1])
      throw std::invalid_argument("swiglu: a and b are of one dtype; got a " +
                                  std::string(to_string(setting.formats[0])) + ", b " +
                                  std::string(to_string(setting.formats[1])));
  }
  static std::vector<Format> output_formats(const Setting& setting) { return {setting.formats[0]}; }

  template <class T>
  static T sigmoid(const T& a) {
    using std::exp;
    // There 1 + exp(a) is 1 to 43 digits, and exp(-a) may be beyond quad.
    if (is_below(a, -100.0)) return exp(a);
    return 1.0 / (1.0 + exp(-a));
  }

  template <class T, class Rounding>
  static void row(RowIn<T> in, const Setting& setting, const Rounding& cast, RowOut<T> out) {
    const bool inner_cast = setting.attributes.variant == "hf";
    for (std::size_t j = 0; j < in[0].size(); ++j) {
      const T silu = in[0][j] * sigmoid(in[0][j]);
      out[0][j] = (inner_cast ? cast(silu, setting.formats[0]) : silu) * in[1][j];
    }
  }

  // Special: a NaN or an infinity; results beyond f32; slack where sigmoid or a result is below f32's normal
  // numbers.
  static bool classify(const RowOfFloats& row, const Setting& setting, RowClasses& classes);
};

namespace swiglu_detail {

// One element in double, which neither overflows nor underflows where f32 does.
struct Element {
  double a, b, gy;
  double s = a < -100 ? std::exp(a) : 1 / (1 + std::exp(-a));
  double silu = a * s;
  double y = silu * b;
  double da = gy * b * s * (1 + a * (1 - s));
  double db = gy * silu;

  bool finite() const { return std::isfinite(a) && std::isfinite(b) && std::isfinite(gy); }
  bool sigmoid_underflows() const { return std::isfinite(a) && s < FLT_MIN; }
};

[[noreturn]] inline void refuse(const Element& e, const char* why) {
  throw std::domain_error("swiglu: a = " + std::to_string(e.a) + ", b = " + std::to_string(e.b) +
                          ", gy = " + std::to_string(e.gy) + ": " + why + "; no truth is defined there");
}

inline ElementClass class_in_f32(const Element& e, double value) {
  constexpr double band = 1e-5;
  if (!e.finite()) return class_of(value);
  const double magnitude = std::abs(value);
  if (magnitude < FLT_MAX * (1 - band)) return ElementClass::number;
  if (magnitude < FLT_MAX * (1 + band)) refuse(e, "so near f32's largest number that rounding decides");
  return value > 0 ? ElementClass::plus_infinity : ElementClass::minus_infinity;
}

// A few roundings to f32's subnormals, each off by half of 2^-149.
constexpr double subnormal_slack = 0x1p-148;

// `value` is a product of `factor` and of the sigmoid, which f32 may flush to zero.
inline Interval slack_of(const Element& e, double value, double factor) {
  Interval slack;
  if (e.sigmoid_underflows()) {
    const double rounding = std::abs(factor) * subnormal_slack;
    slack = {std::min(0.0, -value) - rounding, std::max(0.0, -value) + rounding};
  }
  if (value != 0 && std::abs(value) < FLT_MIN)
    slack = {slack.lo - subnormal_slack, slack.hi + subnormal_slack};
  return slack;
}

}  // namespace swiglu_detail

inline bool SwiGlu::classify(const RowOfFloats& row, const Setting&, RowClasses& classes) {
  const bool wants_gradients = !row.upstream.empty();
  const std::span<const float> gy = wants_gradients ? row.upstream[0] : std::span<const float>{};
  bool special = false;
  const auto put = [&](const swiglu_detail::Element& e, double value, double factor, ElementClass& cls,
                       Interval& slack) {
    cls = swiglu_detail::class_in_f32(e, value);
    slack = cls == ElementClass::number ? swiglu_detail::slack_of(e, value, factor) : Interval{};
    special = special || cls != ElementClass::number || slack.lo < slack.hi;
  };
  for (std::size_t j = 0; j < row.inputs[0].size(); ++j) {
    const swiglu_detail::Element e{row.inputs[0][j], row.inputs[1][j], gy.empty() ? 0.0 : gy[j]};
    if (e.sigmoid_underflows() && (std::isinf(e.b) || std::isinf(e.gy)))
      swiglu_detail::refuse(e, "an infinity meets what f32 may flush to zero");
    put(e, e.y, e.a * e.b, classes.outputs[0][j], classes.output_slack[0][j]);
    if (!wants_gradients) continue;
    if (e.finite() && std::abs(e.gy * e.b) > FLT_MAX && std::abs(e.da) <= FLT_MAX)
      swiglu_detail::refuse(e, "an inner product overflows f32 and the gradient does not");
    put(e, e.da, e.gy * e.b * (1 + std::abs(e.a)), classes.gradients[0][j], classes.gradient_slack[0][j]);
    put(e, e.db, e.gy * e.a, classes.gradients[1][j], classes.gradient_slack[1][j]);
  }
  return special;
}

}  // namespace seamgate::reference
