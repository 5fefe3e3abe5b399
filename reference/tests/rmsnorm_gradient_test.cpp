// RMSNorm's gradients by the tape against three other ways, and S against the words of its definition.
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/dual.hpp"
#include "reference/rmsnorm.hpp"
#include "reference/tests/rmsnorm_case.hpp"
#include "reference/truth_values.hpp"

namespace seamgate::reference {
namespace {

struct Analytic {
  std::vector<Real> y, dx, dw;
  std::vector<double> y_scale, dx_scale, dw_scale;
};

// From the formula by hand: dx = r (g - xhat mean(g xhat)), dw = sum of gy xhat, and S in the words of its
// definition.
Analytic analytic(const RmsNormCase& c) {
  const auto n = static_cast<std::size_t>(c.columns);
  Analytic a;
  a.dw.assign(n, Real(0));
  std::vector<Real> squares(n, Real(0));
  for (std::size_t m = 0; m < static_cast<std::size_t>(c.rows); ++m) {
    Real mean_square = 0;
    for (std::size_t j = 0; j < n; ++j) mean_square += Real(c.x[m * n + j]) * Real(c.x[m * n + j]);
    const Real r = 1 / sqrt(Real(mean_square / n + Real(c.eps)));
    Real mean = 0;
    Real mean_magnitude = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const Real term = Real(c.gy[m * n + j]) * Real(c.w[j]) * Real(c.x[m * n + j]) * r;
      mean += term / n;
      mean_magnitude += abs(term) / n;
    }
    Real y_scale = 0;
    Real dx_scale = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const Real xhat = Real(c.x[m * n + j]) * r;
      const Real g = Real(c.gy[m * n + j]) * Real(c.w[j]);
      a.y.push_back(xhat * Real(c.w[j]));
      a.dx.push_back(r * (g - xhat * mean));
      a.dw[j] += Real(c.gy[m * n + j]) * xhat;
      squares[j] += pow(Real(Real(c.gy[m * n + j]) * xhat), 2);
      y_scale = std::max(y_scale, Real(abs(a.y.back())));
      dx_scale = std::max(dx_scale, Real(r * (abs(g) + abs(xhat) * mean_magnitude)));
    }
    a.y_scale.push_back(static_cast<double>(y_scale));
    a.dx_scale.push_back(static_cast<double>(dx_scale));
  }
  for (std::size_t j = 0; j < n; ++j)
    a.dw_scale.push_back(static_cast<double>(std::max(Real(abs(a.dw[j])), Real(sqrt(squares[j])))));
  return a;
}

// The largest error over S, in quad.
double worst(const TruthTensor& truth, const std::vector<Real>& want) {
  EXPECT_EQ(truth.size(), want.size());
  double largest = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double e = static_cast<double>(Real(abs(Real(real_at(truth, i) - want[i])) / Real(truth.scale(i))));
    largest = std::max(largest, e);
  }
  return largest;
}

struct Shape {
  std::int64_t rows, columns;
  double scale;
};
const Shape shapes[] = {{1, 1, 1}, {3, 2, 1e-4}, {2, 5, 1e4}, {5, 33, 1e-3}, {70, 17, 1}, {2, 1000, 1}};

TEST(RmsNormTruth, EqualsTheAnalyticFormulaTo33Digits) {
  for (const Shape& s : shapes) {
    const RmsNormCase c(s.rows, s.columns, 7, s.scale);
    const Truth truth = c.truth();
    const Analytic want = analytic(c);
    EXPECT_LT(worst(truth.outputs[0], want.y), 3e-33) << s.rows << "x" << s.columns;
    EXPECT_LT(worst(truth.gradients[0], want.dx), 3e-33) << s.rows << "x" << s.columns;
    EXPECT_LT(worst(truth.gradients[1], want.dw), 3e-33) << s.rows << "x" << s.columns;
  }
}

TEST(RmsNormTruth, ScalesAreThoseOfTheDefinition) {
  for (const Shape& s : shapes) {
    const RmsNormCase c(s.rows, s.columns, 11, s.scale);
    const Truth truth = c.truth();
    const Analytic want = analytic(c);
    const auto compare = [&](std::span<const double> got, const std::vector<double>& wanted,
                             const char* name) {
      ASSERT_EQ(got.size(), wanted.size());
      for (std::size_t i = 0; i < got.size(); ++i)
        ASSERT_NEAR(got[i] / wanted[i], 1, 1e-14)
            << name << " slice " << i << " of " << s.rows << "x" << s.columns;
    };
    compare(truth.outputs[0].scales(), want.y_scale, "y");
    compare(truth.gradients[0].scales(), want.dx_scale, "dx");
    compare(truth.gradients[1].scales(), want.dw_scale, "dw");
  }
}

// sum of gy * y of one row, in any number type.
template <class T>
T loss(const std::vector<T>& x, const std::vector<T>& w, const std::vector<float>& gy, float eps) {
  const std::vector<std::span<const T>> in = {x, w};
  std::vector<T> y(x.size());
  const std::vector<std::span<T>> out = {y};
  RmsNorm::row<T>(in, {{"torch", eps}, {Format::f32, Format::f32}}, NoRounding{}, out);
  T total(0);
  for (std::size_t j = 0; j < y.size(); ++j) total = total + y[j] * T(gy[j]);
  return total;
}

TEST(RmsNormTruth, GradientsEqualDualNumbersTo32Digits) {
  const RmsNormCase c(1, 37, 3);
  const Truth truth = c.truth();
  for (const std::size_t j : {0U, 5U, 36U}) {
    for (const bool by_x : {true, false}) {
      std::vector<Dual<Real>> x(c.x.begin(), c.x.end());
      std::vector<Dual<Real>> w(c.w.begin(), c.w.end());
      (by_x ? x : w)[j].derivative = 1;
      const Real want = loss(x, w, c.gy, c.eps).derivative;
      const TruthTensor& got = truth.gradients[by_x ? 0 : 1];
      EXPECT_LT(static_cast<double>(Real(abs(Real(real_at(got, j) - want)))) / got.scale(j), 1e-32)
          << got.name() << " " << j;
    }
  }
}

TEST(RmsNormTruth, GradientsEqualCentralDifferencesTo20Digits) {
  const RmsNormCase c(1, 37, 5);
  const Truth truth = c.truth();
  const Real h =
      Real(1) / Real(1ULL << 36);  // the truncation, h^2, and the rounding, 1e-34 / h, are near their balance
  for (const std::size_t j : {0U, 5U, 36U}) {
    for (const bool by_x : {true, false}) {
      std::vector<Real> x(c.x.begin(), c.x.end());
      std::vector<Real> w(c.w.begin(), c.w.end());
      Real& moved = (by_x ? x : w)[j];
      const Real at = moved;
      moved = at + h;
      const Real above = loss(x, w, c.gy, c.eps);
      moved = at - h;
      const Real below = loss(x, w, c.gy, c.eps);
      const Real want = (above - below) / (2 * h);
      const TruthTensor& got = truth.gradients[by_x ? 0 : 1];
      EXPECT_LT(static_cast<double>(Real(abs(Real(real_at(got, j) - want)))) / got.scale(j), 1e-20)
          << got.name() << " " << j;
    }
  }
}

TEST(RmsNormTruth, EpsIsTheExactF32AndAlive) {
  // One element: y = x / sqrt(x^2 + eps) * w, so that eps can be read back from y.
  RmsNormCase c(1, 1);
  c.x = {1e-3F};
  c.w = {1};
  for (const float eps : {1e-6F, 1e-5F}) {
    c.eps = eps;
    const Truth truth = c.truth();
    const Real y = real_at(truth.outputs[0], 0);
    const Real x = c.x[0];
    const Real read_back = x * x / (y * y) - x * x;
    EXPECT_LT(static_cast<double>(abs(Real(read_back / Real(eps) - 1))), 1e-30);
  }
}

TEST(RmsNormTruth, OutputsAloneAreTheSameBits) {
  const RmsNormCase c(3, 19);
  TruthRequest request = c.request();
  request.wants_gradients = false;
  request.upstream.clear();
  const Truth alone = find_definition("rmsnorm").evaluate(request);
  const Truth both = c.truth();
  ASSERT_TRUE(alone.gradients.empty());
  for (std::size_t i = 0; i < both.outputs[0].size(); ++i)
    ASSERT_EQ(real_at(alone.outputs[0], i), real_at(both.outputs[0], i));
}

}  // namespace
}  // namespace seamgate::reference
