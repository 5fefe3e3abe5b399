// The portable quad type against libquadmath's: the same bits where both round correctly, the same truth.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reference/rmsnorm.hpp"
#include "reference/scalar_op.hpp"
#include "reference/swiglu.hpp"
#include "reference/tests/rmsnorm_case.hpp"

namespace seamgate::reference {
namespace {

// Exactly: a significand of 113 bits is four doubles.
template <class R>
std::vector<double> parts(R value) {
  std::vector<double> all;
  for (int k = 0; k < 4; ++k) {
    all.push_back(static_cast<double>(value));
    value -= R(all.back());
  }
  EXPECT_EQ(value, R(0));
  return all;
}
template <class R>
R random_quad(std::mt19937_64& bits) {
  R value = R(static_cast<double>(bits() >> 11) + 1);
  value = value * R(std::ldexp(1.0, -53)) + R(static_cast<double>(bits() >> 11)) * R(std::ldexp(1.0, -112));
  return (bits() & 1U) != 0 ? R(-value) : value;
}

TEST(PortableQuad, HasTheFormatOfTheNativeOne) {
  EXPECT_EQ(std::numeric_limits<PortableReal>::digits, 113);
  EXPECT_EQ(std::numeric_limits<Real>::digits, 113);
  // Boost counts the exponents of the two types from different places.
  EXPECT_GE(std::numeric_limits<PortableReal>::max_exponent, 16383);
  EXPECT_GE(std::numeric_limits<Real>::max_exponent, 16383);
}

TEST(PortableQuad, ArithmeticIsBitForBitTheSame) {
  std::mt19937_64 native_bits(5);
  std::mt19937_64 portable_bits(5);
  for (int i = 0; i < 20000; ++i) {
    const Real a = random_quad<Real>(native_bits);
    const Real b = random_quad<Real>(native_bits);
    const PortableReal c = random_quad<PortableReal>(portable_bits);
    const PortableReal d = random_quad<PortableReal>(portable_bits);
    ASSERT_EQ(parts(a), parts(c));
    ASSERT_EQ(parts(Real(a + b)), parts(PortableReal(c + d)));
    ASSERT_EQ(parts(Real(a - b)), parts(PortableReal(c - d)));
    ASSERT_EQ(parts(Real(a * b)), parts(PortableReal(c * d)));
    ASSERT_EQ(parts(Real(a / b)), parts(PortableReal(c / d)));
  }
}

TEST(PortableQuad, SquareRootIsTheSameWithinOneUnitInTheLastPlace) {
  std::mt19937_64 native_bits(6);
  std::mt19937_64 portable_bits(6);
  for (int i = 0; i < 20000; ++i) {
    const Real root = sqrt(Real(abs(random_quad<Real>(native_bits))));
    const PortableReal other = sqrt(PortableReal(abs(random_quad<PortableReal>(portable_bits))));
    Real same = 0;
    for (const double part : parts(other)) same += Real(part);
    ASSERT_LE(static_cast<double>(Real(abs(Real(root - same)) / root)), std::ldexp(1.0, -112));
  }
}

TEST(Magnitude, IsTheAbsoluteValueToTheLastPlaceOfALongDouble) {
  std::mt19937_64 bits(8);
  const auto check = [](const Real& v) {
    const auto want = static_cast<Magnitude>(Real(abs(v)));
    EXPECT_LE(std::abs(magnitude_of(v) - want), want * std::numeric_limits<Magnitude>::epsilon()) << v;
  };
  for (int i = 0; i < 20000; ++i)
    check(ldexp(random_quad<Real>(bits), static_cast<int>(bits() % 2000) - 1000));
  for (const double v : {0.0, -0.0, 1.0, -2.0, 0.75, 1e-300, 1e300}) check(Real(v));
  check(ldexp(Real(-3), -16400));
  check(ldexp(Real(1), 16383));
  EXPECT_EQ(magnitude_of(Real(-std::numeric_limits<double>::infinity())),
            std::numeric_limits<Magnitude>::infinity());
  EXPECT_TRUE(std::isnan(magnitude_of(Real(std::nan("")))));
}

TEST(PortableQuad, GivesTheSameTruth) {
  const ScalarOp<RmsNorm, Real> native;
  const ScalarOp<RmsNorm, PortableReal> portable;
  for (const double scale : {1e-4, 1.0, 1e4}) {
    const RmsNormCase c(4, 33, 9, scale);
    const Truth a = native.evaluate(c.request());
    const Truth b = portable.evaluate(c.request());
    const auto compare = [](const TruthTensor& t, const TruthTensor& u) {
      ASSERT_EQ(t.size(), u.size());
      for (std::size_t i = 0; i < t.size(); ++i) {
        Real same = 0;
        for (const double part : parts(real_at<PortableReal>(u, i))) same += Real(part);
        const Real difference = abs(Real(real_at<Real>(t, i) - same));
        ASSERT_LE(static_cast<double>(difference) / t.scale(i), 2e-33) << t.name() << " " << i;
        ASSERT_NEAR(t.scale(i) / u.scale(i), 1, 1e-15) << t.name() << " " << i;
      }
    };
    compare(a.outputs[0], b.outputs[0]);
    compare(a.gradients[0], b.gradients[0]);
    compare(a.gradients[1], b.gradients[1]);
  }
}

template <class Definition>
void expect_same_values(const TruthRequest& request, double tolerance) {
  const Truth a = ScalarOp<Definition, Real>().evaluate(request);
  const Truth b = ScalarOp<Definition, PortableReal>().evaluate(request);
  const auto compare = [&](const TruthTensor& t, const TruthTensor& u) {
    const auto& native = dynamic_cast<const TruthValuesOf<Real>&>(t.values());
    const auto& portable = dynamic_cast<const TruthValuesOf<PortableReal>&>(u.values());
    for (std::size_t i = 0; i < t.size(); ++i) {
      Real same = 0;
      for (const double part : parts(portable.real(i))) same += Real(part);
      ASSERT_LE(static_cast<double>(Real(abs(Real(native.real(i) - same)))), tolerance * t.scale(i))
          << t.name();
      ASSERT_EQ(native.alternatives(i).size(), portable.alternatives(i).size()) << t.name() << " " << i;
    }
  };
  for (std::size_t j = 0; j < a.outputs.size(); ++j) compare(a.outputs[j], b.outputs[j]);
  for (std::size_t i = 0; i < a.gradients.size(); ++i) compare(a.gradients[i], b.gradients[i]);
}

TEST(PortableQuad, RoundsInnerValuesAndTakesExponentialsAlike) {
  RmsNormCase c(4, 300);
  c.store_as(Format::f16, Format::f16);
  expect_same_values<RmsNorm>(c.request("llama"), 2e-33);
  expect_same_values<RmsNorm>(c.request("burn"), 2e-33);
  const RmsNormCase wide(4, 60, 3, 100);
  const TruthInput a = {wide.x.data(), 60};
  expect_same_values<SwiGlu>(
      {4, 60, {a, {wide.gy.data(), 60}}, {{wide.gy.data(), 60}}, {"default", 0}, true, 1}, 1e-31);
}

TEST(PortableQuad, GivesTheSameClasses) {
  RmsNormCase c(3, 4);
  c.x_at(0, 1) = std::nanf("");
  c.x_at(1, 1) = 1e30F;
  const Truth a = ScalarOp<RmsNorm, Real>().evaluate(c.request());
  const Truth b = ScalarOp<RmsNorm, PortableReal>().evaluate(c.request());
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(a.outputs[0].element_class(i), b.outputs[0].element_class(i));
    EXPECT_EQ(std::isnan(b.outputs[0].value(i)), i < 4);
  }
}

}  // namespace
}  // namespace seamgate::reference
