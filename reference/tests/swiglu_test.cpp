// SwiGLU's truth against other forms of its formula, and its behaviour where f32 ends.
#include "reference/swiglu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "reference/dual.hpp"
#include "reference/truth_values.hpp"

namespace seamgate::reference {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
const float nan = std::nanf("");
using Class = ElementClass;

struct SwiGluCase {
  std::int64_t columns;
  std::vector<float> a, b, gy;
  Format format = Format::f32;

  Truth truth(const char* variant = "default") const {
    const auto rows = static_cast<std::int64_t>(a.size()) / columns;
    return find_definition("swiglu").evaluate({rows,
                                               columns,
                                               {{a.data(), columns, format}, {b.data(), columns, format}},
                                               {{gy.data(), columns}},
                                               {variant, 0},
                                               true,
                                               1});
  }
};

SwiGluCase random_case(double scale, Format format = Format::f32, std::size_t count = 420) {
  SwiGluCase c{7, {}, {}, {}, format};
  std::mt19937 bits(21);
  const auto number = [&](double size) {
    const double v = size * (static_cast<double>(bits()) / 2147483648.0 - 1.0);
    return static_cast<float>(round_to(v, format));
  };
  for (std::size_t i = 0; i < count; ++i) {
    c.a.push_back(number(scale));
    c.b.push_back(number(3));
    c.gy.push_back(number(2));
  }
  return c;
}

// 1 / (1 + exp(-a)) = (1 + tanh(a / 2)) / 2, by a series for no exponent that the definition uses.
Real other_sigmoid(const Real& a) {
  return exp(Real(a / 2)) / (exp(Real(a / 2)) + exp(Real(-a / 2)));
}

double relative(const Real& got, const Real& want) {
  const Real difference = abs(Real(got - want));
  return want == 0 ? static_cast<double>(difference) : static_cast<double>(Real(difference / abs(want)));
}

TEST(SwiGlu, OutputsAndGradientsAreTheFormulaTo32Digits) {
  for (const double scale : {1e-3, 3.0, 100.0}) {
    const SwiGluCase c = random_case(scale);
    const Truth truth = c.truth();
    for (std::size_t i = 0; i < c.a.size(); ++i) {
      const Real a = c.a[i];
      const Real b = c.b[i];
      const Real gy = c.gy[i];
      const Real s = other_sigmoid(a);
      ASSERT_LT(relative(real_at(truth.outputs[0], i), a * s * b), 1e-31) << c.a[i];
      const Real da = gy * b * s * (1 + a * other_sigmoid(-a));
      const double da_error = static_cast<double>(abs(Real(real_at(truth.gradients[0], i) - da)));
      ASSERT_LE(da_error, 1e-31 * truth.gradients[0].scale(i)) << c.a[i];
      ASSERT_LT(relative(real_at(truth.gradients[1], i), gy * a * s), 1e-31) << c.a[i];
    }
  }
}

TEST(SwiGlu, ScalesAreTheLargestMagnitudesOfTheRow) {
  const SwiGluCase c = random_case(5);
  const Truth truth = c.truth();
  for (std::size_t m = 0; m < 60; ++m) {
    double y = 0;
    double da = 0;
    double db = 0;
    for (std::size_t i = 7 * m; i < 7 * m + 7; ++i) {
      const double a = c.a[i];
      const double s = 1 / (1 + std::exp(-a));
      y = std::max(y, std::abs(a * s * c.b[i]));
      da = std::max(da, std::abs(static_cast<double>(c.gy[i]) * c.b[i]) * s * (1 + std::abs(a) * (1 - s)));
      db = std::max(db, std::abs(c.gy[i] * a * s));
    }
    EXPECT_NEAR(truth.outputs[0].scale(7 * m) / y, 1, 1e-13);
    EXPECT_NEAR(truth.gradients[0].scale(7 * m) / da, 1, 1e-13);
    EXPECT_NEAR(truth.gradients[1].scale(7 * m) / db, 1, 1e-13);
  }
}

template <class T>
T output(const T& a, const T& b) {
  const std::vector<T> a_row = {a};
  const std::vector<T> b_row = {b};
  const std::vector<std::span<const T>> in = {a_row, b_row};
  std::vector<T> y(1);
  const std::vector<std::span<T>> out = {y};
  Setting setting;
  setting.attributes.variant = "hf";
  setting.formats.assign(2, Format::bf16);
  SwiGlu::row<T>(in, setting, NoRounding{}, out);
  return y[0];
}

TEST(SwiGlu, GradientsEqualDualNumbersAndCentralDifferences) {
  const Real h = Real(1) / Real(1ULL << 36);
  for (const float a : {-101.0F, -100.0F, -1.278F, -1.2784645F, 0.0F, 0.5F, 60.0F, 100.0F}) {
    const SwiGluCase c{1, {a}, {-1.5F}, {1}};
    const Truth truth = c.truth();
    using D = Dual<Real>;
    const Real da = output<D>(D(Real(a), Real(1)), D(Real(-1.5))).derivative;
    const Real db = output<D>(D(Real(a)), D(Real(-1.5), Real(1))).derivative;
    const double scale = truth.gradients[0].scale(0);
    EXPECT_LE(static_cast<double>(abs(Real(real_at(truth.gradients[0], 0) - da))), 1e-32 * scale) << a;
    EXPECT_LE(relative(real_at(truth.gradients[1], 0), db), 1e-32) << a;
    const Real above = output<Real>(Real(a) + h, Real(-1.5));
    const Real below = output<Real>(Real(a) - h, Real(-1.5));
    EXPECT_LE(static_cast<double>(abs(Real((above - below) / (2 * h) - da))), 1e-19 * scale) << a;
  }
}

TEST(SwiGlu, HfCastsSiluFirstAndAdmitsBothSidesOfATie) {
  const SwiGluCase c = random_case(4, Format::bf16, 14000);
  const Truth hf = c.truth("hf");
  const Truth plain = c.truth("default");
  EXPECT_EQ(hf.outputs[0].format(), Format::bf16);
  const auto& values = dynamic_cast<const TruthValuesOf<Real>&>(hf.outputs[0].values());
  int open = 0;
  int disjoint = 0;
  for (std::size_t i = 0; i < c.a.size(); ++i) {
    const Real silu = Real(c.a[i]) * other_sigmoid(c.a[i]);
    const Real rounded = round_to(silu, Format::bf16);
    ASSERT_LT(relative(values.real(i), rounded * Real(c.b[i])), 1e-32);
    const Real lo = round_to(Real(silu * (1 - Real(1e-6))), Format::bf16);
    const Real hi = round_to(Real(silu * (1 + Real(1e-6))), Format::bf16);
    ASSERT_EQ(values.alternatives(i).size(), lo == hi || c.b[i] == 0 ? 0U : 1U) << c.a[i];
    for (const Real& side : {lo, hi}) {
      const auto got = static_cast<float>(round_to(Real(side * Real(c.b[i])), Format::bf16));
      ASSERT_LE(hf.outputs[0].error(i, got), bar);
    }
    open += lo == hi ? 0 : 1;
    const Interval p = hf.outputs[0].allowed(i, Format::bf16);
    const Interval q = plain.outputs[0].allowed(i, Format::bf16);
    disjoint += p.hi < q.lo || q.hi < p.lo ? 1 : 0;
    ASSERT_EQ(real_at(hf.gradients[0], i), real_at(plain.gradients[0], i));
    ASSERT_EQ(real_at(hf.gradients[1], i), real_at(plain.gradients[1], i));
  }
  EXPECT_GE(open, 3);
  EXPECT_GE(disjoint, 100);
}

TEST(SwiGlu, WhereTheSigmoidIsBelowF32sNormalNumbersItMayBeFlushed) {
  for (const Format format : {Format::f32, Format::bf16}) {
    SwiGluCase c{1, {-96.0F}, {256.0F}, {-512.0F}, format};
    Truth truth = c.truth();
    const auto got = [&](double value) { return static_cast<float>(round_to(value, format)); };
    const double y = truth.outputs[0].value(0);
    const double da = truth.gradients[0].value(0);
    const double db = truth.gradients[1].value(0);
    ASSERT_LT(y, 0);
    for (const double part : {0.0, 0.5, 1.0}) {
      EXPECT_LE(truth.outputs[0].error(0, got(y * part)), bar) << part;
      EXPECT_LE(truth.gradients[0].error(0, got(da * part)), bar) << part;
      EXPECT_LE(truth.gradients[1].error(0, got(db * part)), bar) << part;
    }
    for (const double part : {-0.5, 1.5}) {
      EXPECT_GT(truth.outputs[0].error(0, got(y * part)), bar) << part;
      EXPECT_GT(truth.gradients[0].error(0, got(da * part)), bar) << part;
      EXPECT_GT(truth.gradients[1].error(0, got(db * part)), bar) << part;
    }
    c.a[0] = -87;
    truth = c.truth();
    EXPECT_GT(truth.outputs[0].error(0, 0), 1e-3);
    EXPECT_GT(truth.gradients[0].error(0, 0), 1e-3);
  }
  const Truth far = SwiGluCase{1, {-1e6F}, {2}, {1}}.truth();
  EXPECT_EQ(far.outputs[0].error(0, -0.0F), 0);
  EXPECT_EQ(far.gradients[0].error(0, 0.0F), 0);
}

TEST(SwiGlu, NaNAndInfinitiesAreWhatIeeeGives) {
  const struct {
    float a, b, gy;
    Class y, da, db;
  } table[] = {{nan, 1, 1, Class::nan, Class::nan, Class::nan},
               {1, nan, 1, Class::nan, Class::nan, Class::number},
               {1, 1, nan, Class::number, Class::nan, Class::nan},
               {inf, 2, 1, Class::plus_infinity, Class::nan, Class::plus_infinity},
               {inf, -2, 1, Class::minus_infinity, Class::nan, Class::plus_infinity},
               {-inf, 2, 1, Class::nan, Class::nan, Class::nan},
               {1, -inf, 1, Class::minus_infinity, Class::minus_infinity, Class::number},
               {0, inf, 1, Class::nan, Class::plus_infinity, Class::zero},
               {1, 2, -inf, Class::number, Class::minus_infinity, Class::minus_infinity},
               {1e30F, 1e30F, 1e-10F, Class::plus_infinity, Class::number, Class::number},
               {1e30F, 1, 1e30F, Class::number, Class::number, Class::plus_infinity}};
  for (const auto& row : table) {
    const SwiGluCase c{2, {row.a, 0.5F}, {row.b, 0.5F}, {row.gy, 0.5F}};
    const Truth truth = c.truth();
    EXPECT_EQ(truth.outputs[0].element_class(0), row.y) << row.a << " " << row.b << " " << row.gy;
    EXPECT_EQ(truth.gradients[0].element_class(0), row.da) << row.a << " " << row.b << " " << row.gy;
    EXPECT_EQ(truth.gradients[1].element_class(0), row.db) << row.a << " " << row.b << " " << row.gy;
    for (const TruthTensor* t : {&truth.outputs[0], &truth.gradients[0], &truth.gradients[1]})
      EXPECT_EQ(t->element_class(1), Class::number);
  }
}

TEST(SwiGlu, NoTruthIsDefinedWhereTheOrderOfF32ProductsDecides) {
  EXPECT_THROW((SwiGluCase{1, {-90}, {inf}, {1}}.truth()), std::domain_error);
  EXPECT_THROW((SwiGluCase{1, {-50}, {1e25F}, {1e25F}}.truth()), std::domain_error);
  EXPECT_THROW((SwiGluCase{1, {100}, {3.4028235e36F}, {0}}.truth()), std::domain_error);
}

TEST(SwiGlu, AnOverflowIn16BitIsANumberThatRoundsToInfinity) {
  const SwiGluCase c{1, {300}, {300}, {1}, Format::f16};
  const Truth truth = c.truth();
  EXPECT_EQ(truth.outputs[0].element_class(0), Class::number);
  EXPECT_EQ(truth.outputs[0].error(0, inf), 0);
  EXPECT_GT(truth.outputs[0].error(0, 65504), bar);
}

TEST(SwiGlu, TwoDtypesAreRefused) {
  SwiGluCase c{1, {1}, {1}, {1}};
  try {
    find_definition("swiglu").evaluate(
        {1, 1, {{c.a.data(), 1, Format::bf16}, {c.b.data(), 1}}, {{c.gy.data(), 1}}, {"hf", 0}, true, 1});
    FAIL() << "served";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "swiglu: a and b are of one dtype; got a bf16, b f32");
  }
}

}  // namespace
}  // namespace seamgate::reference
