// Fused add and RMSNorm against RMSNorm's own truth at the stored sum.
#include "reference/add_rmsnorm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/tests/rmsnorm_case.hpp"
#include "reference/truth_values.hpp"

namespace seamgate::reference {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
using Class = ElementClass;

struct AddCase : RmsNormCase {
  std::vector<float> residual, gsum;

  AddCase(std::int64_t m, std::int64_t n, Format x_in = Format::f32, Format w_in = Format::f32)
      : RmsNormCase(m, n, 4) {
    store_as(x_in, w_in);
    const RmsNormCase other = RmsNormCase(m, n, 5, 0.7).store_as(x_in, w_in);
    residual = other.x;
    gsum = other.gy;
  }
  Truth add_truth() const {
    return find_definition("add_rmsnorm")
        .evaluate(
            {rows,
             columns,
             {{x.data(), columns, x_format}, {residual.data(), columns, x_format}, {w.data(), 0, w_format}},
             {{gy.data(), columns}, {gsum.empty() ? nullptr : gsum.data(), columns}},
             {"torch", eps},
             true,
             1});
  }
  // RMSNorm of what the forward stored.
  RmsNormCase norm_of_sum() const {
    RmsNormCase norm = *this;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float sum = x[i] + residual[i];
      norm.x[i] = static_cast<float>(round_to(static_cast<double>(sum), x_format));
    }
    return norm;
  }
};

double distance(const TruthTensor& t, std::size_t i, const Real& want) {
  return static_cast<double>(abs(Real(real_at(t, i) - want))) / t.scale(i);
}

TEST(AddRmsNorm, IsRmsNormOfTheStoredSumAndTheSumsGradientIsAddedAfterTheJacobian) {
  for (const Format format : {Format::f32, Format::bf16, Format::f16}) {
    const AddCase c(6, 65, format, format);
    const Truth truth = c.add_truth();
    const Truth norm = c.norm_of_sum().truth();
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      ASSERT_EQ(distance(truth.outputs[0], i, real_at(norm.outputs[0], i)), 0);
      ASSERT_EQ(distance(truth.outputs[1], i, Real(c.x[i]) + Real(c.residual[i])), 0);
      const Real dx = real_at(norm.gradients[0], i) + Real(c.gsum[i]);
      ASSERT_LT(distance(truth.gradients[0], i, dx), 1e-32);
      ASSERT_EQ(real_at(truth.gradients[1], i), real_at(truth.gradients[0], i));
    }
    for (std::size_t n = 0; n < 65; ++n)
      ASSERT_LT(distance(truth.gradients[2], n, real_at(norm.gradients[1], n)), 1e-32);
    EXPECT_EQ(truth.outputs[0].format(), format);
    EXPECT_EQ(truth.outputs[1].format(), format);
    EXPECT_EQ(truth.outputs[1].name(), "sum");
  }
}

TEST(AddRmsNorm, TheStoredSumIsRoundedInEveryDtype) {
  for (const Format format : {Format::f32, Format::bf16, Format::f16}) {
    const AddCase c(4, 65, format, Format::f32);
    const Truth truth = c.add_truth();
    RmsNormCase unrounded = c;
    double most = 0;
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      const Real sum = Real(c.x[i]) + Real(c.residual[i]);
      const Real y = real_at(truth.outputs[0], i);
      const Real r = y / (round_to(sum, format) * Real(c.w[i % 65]));
      most = std::max(
          most, static_cast<double>(abs(Real(y - sum * r * Real(c.w[i % 65])))) / truth.outputs[0].scale(i));
    }
    EXPECT_GT(most, format == Format::f32 ? 1e-9 : 1e-5) << to_string(format);
  }
  AddCase one(1, 1);
  one.x = {1};
  one.residual = {0x1p-24F};
  EXPECT_EQ(distance(one.add_truth().outputs[0], 0, real_at(one.norm_of_sum().truth().outputs[0], 0)), 0);
  EXPECT_EQ(one.norm_of_sum().x[0], 1.0F);
}

TEST(AddRmsNorm, AGradientOfTheSumAddedBeforeTheJacobianFails) {
  const AddCase c(3, 65);
  const Truth truth = c.add_truth();
  RmsNormCase early = c.norm_of_sum();
  for (std::size_t i = 0; i < early.gy.size(); ++i) early.gy[i] += c.gsum[i];
  const Truth wrong = early.truth();
  std::vector<float> dx;
  for (std::size_t i = 0; i < c.x.size(); ++i) dx.push_back(static_cast<float>(wrong.gradients[0].value(i)));
  EXPECT_GT(truth.gradients[0].worst_error(dx).error, 0.1);
}

TEST(AddRmsNorm, ScaleOfDxCountsTheSumsGradient) {
  AddCase c(2, 9);
  const Truth norm = c.norm_of_sum().truth();
  for (float& g : c.gsum) g = -1e6F;
  const double scale = c.add_truth().gradients[0].scale(0);
  EXPECT_GT(scale, 1e6);
  EXPECT_LE(scale, 1e6 + 1.001 * norm.gradients[0].scale(0));
  c.gsum.clear();
  EXPECT_NEAR(c.add_truth().gradients[0].scale(0) / norm.gradients[0].scale(0), 1, 1e-12);
}

TEST(AddRmsNorm, ASumOnATieAdmitsBothNeighboursInYOfThatElementAlone) {
  AddCase c(1, 3, Format::bf16, Format::f32);
  c.x = {1, 2, -1};
  c.residual = {0x1p-8F, 0, 0.5F};
  const Truth truth = c.add_truth();
  const auto& y = dynamic_cast<const TruthValuesOf<Real>&>(truth.outputs[0].values());
  ASSERT_EQ(y.alternatives(0).size(), 1U);
  EXPECT_TRUE(y.alternatives(1).empty());
  EXPECT_TRUE(y.alternatives(2).empty());
  EXPECT_LT(static_cast<double>(abs(Real(y.alternatives(0)[0].lo / y.real(0) - Real(1.0078125)))), 1e-32);
  EXPECT_EQ(truth.outputs[1].allowed(0, Format::bf16).lo, 1);
  EXPECT_EQ(truth.outputs[1].allowed(0, Format::bf16).hi, 1.0078125);
}

TEST(AddRmsNorm, SpecialRowsAreThoseOfTheSum) {
  AddCase c(5, 4);
  c.x_at(1, 2) = inf;
  c.x_at(2, 0) = 2e38F;
  c.residual[8] = 2e38F;
  c.x_at(3, 1) = 3e19F;
  c.gsum[16] = inf;
  const Truth truth = c.add_truth();
  const Truth clean = AddCase(5, 4).add_truth();
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(real_at(truth.outputs[0], n), real_at(clean.outputs[0], n));
    EXPECT_EQ(real_at(truth.gradients[0], n), real_at(clean.gradients[0], n));
    EXPECT_EQ(truth.outputs[0].element_class(4 + n), n == 2 ? Class::nan : Class::zero);
    EXPECT_EQ(truth.outputs[1].element_class(4 + n), n == 2 ? Class::plus_infinity : Class::number);
    EXPECT_EQ(truth.gradients[1].element_class(4 + n), Class::nan);
    EXPECT_EQ(truth.outputs[1].element_class(8 + n), n == 0 ? Class::plus_infinity : Class::number);
    EXPECT_EQ(truth.outputs[0].element_class(12 + n), Class::zero);
    // Only the gradient of the sum comes through where r is 0.
    EXPECT_EQ(truth.gradients[0].error(12 + n, c.gsum[12 + n]) <= bar, true);
    EXPECT_EQ(truth.gradients[0].element_class(16 + n), n == 0 ? Class::plus_infinity : Class::number);
  }
}

TEST(AddRmsNorm, ASumBeyondF16IsANumberThatRoundsToInfinity) {
  AddCase c(1, 2, Format::f16, Format::f16);
  c.x = {60000, 1};
  c.residual = {60000, 1};
  const Truth truth = c.add_truth();
  EXPECT_EQ(truth.outputs[1].element_class(0), Class::number);
  EXPECT_EQ(truth.outputs[1].error(0, inf), 0);
  EXPECT_EQ(truth.outputs[0].element_class(0), Class::nan);
  EXPECT_EQ(truth.outputs[0].element_class(1), Class::zero);
}

TEST(AddRmsNorm, BadRequestsAreRefusedInOneLine) {
  const AddCase c(1, 2);
  TruthRequest request{1,
                       2,
                       {{c.x.data(), 2}, {c.x.data(), 2, Format::bf16}, {c.w.data(), 0}},
                       {{c.gy.data(), 2}, {}},
                       {"torch", 1e-6F},
                       true,
                       1};
  try {
    find_definition("add_rmsnorm").evaluate(request);
    FAIL() << "served";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "add_rmsnorm: x and residual are of one dtype; got x f32, residual bf16");
  }
  request.attributes.eps = -1;
  EXPECT_THROW(find_definition("add_rmsnorm").evaluate(request), std::invalid_argument);
}

}  // namespace
}  // namespace seamgate::reference
