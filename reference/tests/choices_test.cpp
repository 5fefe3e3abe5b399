// Numbers with alternatives, and which roundings are alternatives.
#include "reference/choices.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "reference/casts.hpp"
#include "reference/real.hpp"

namespace seamgate::reference {
namespace {

Choices<double> choices(double first, std::vector<double> others) {
  Choices<double> c(first);
  for (const double other : others) c.admit(other);
  return c;
}
std::vector<double> all(const Choices<double>& c) {
  std::vector<double> values = {c.first};
  values.insert(values.end(), c.others.begin(), c.others.end());
  std::sort(values.begin(), values.end());
  return values;
}

TEST(Choices, ArithmeticGivesEveryCombinationOnceAndTheFirstOfTheFirsts) {
  const Choices<double> a = choices(6, {8});
  const Choices<double> b = choices(2, {4});
  EXPECT_EQ((a / b).first, 3);
  EXPECT_EQ(all(a / b), (std::vector<double>{1.5, 2, 3, 4}));
  EXPECT_EQ(all(a + b), (std::vector<double>{8, 10, 12}));
  EXPECT_EQ((a - b).first, 4);
  EXPECT_EQ(all(a - b), (std::vector<double>{2, 4, 6}));
  EXPECT_EQ(all(a * 2.0), (std::vector<double>{12, 16}));
  EXPECT_EQ(all(24.0 / a), (std::vector<double>{3, 4}));
  EXPECT_EQ(all(-b), (std::vector<double>{-4, -2}));
  EXPECT_EQ(all(sqrt(choices(4, {9}))), (std::vector<double>{2, 3}));
  EXPECT_EQ(all(exp(choices(0, {}))), (std::vector<double>{1}));
  EXPECT_TRUE(is_below(a, 7));
  EXPECT_EQ(constant_of(a), 6);
}

TEST(Choices, AStatisticOfARowIsThatOfTheFirstChoices) {
  const std::vector<Choices<double>> row = {choices(1, {100}), choices(2, {}), choices(3, {100})};
  EXPECT_EQ(all(sum(std::span<const Choices<double>>(row))), (std::vector<double>{6}));
  EXPECT_EQ(all(sum_of_squares(std::span<const Choices<double>>(row))), (std::vector<double>{14}));
}

TEST(ChoiceRounding, AdmitsTheNeighbourWithinTheBarOfATieAndNoFarther) {
  const ChoiceRounding<Real> cast;
  const Real tie = 1 + ldexp(Real(1), -8);  // between two numbers of bf16, the even one below
  const auto rounded = [&](const Real& v) { return cast(Choices<Real>(v), Format::bf16); };
  for (const double off : {0.0, 0.9e-6, -0.9e-6}) {
    const Choices<Real> both = rounded(tie * (1 + Real(off)));
    ASSERT_EQ(both.others.size(), 1U) << off;
    EXPECT_EQ(both.first, off > 0 ? Real(1.0078125) : Real(1)) << off;
    EXPECT_EQ(both.others[0], off > 0 ? Real(1) : Real(1.0078125)) << off;
  }
  for (const double off : {1.1e-6, -1.1e-6})
    EXPECT_TRUE(rounded(tie * (1 + Real(off))).others.empty()) << off;
  EXPECT_EQ(rounded(-tie).others.size(), 1U);
}

TEST(ChoiceRounding, RoundsEveryAlternativeThatItGets) {
  Choices<Real> value(Real(1.001));
  value.admit(Real(3.001));
  value.admit(Real(1.002));
  const Choices<Real> rounded = ChoiceRounding<Real>{}(value, Format::bf16);
  EXPECT_EQ(rounded.first, Real(1));
  ASSERT_EQ(rounded.others.size(), 1U);
  EXPECT_EQ(rounded.others[0], Real(3));
}

TEST(ChoiceRounding, InF32OnlyAStoredValueIsRoundedAndHasNoAlternatives) {
  const ChoiceRounding<Real> cast;
  const Choices<Real> third(Real(1) / 3);
  EXPECT_EQ(cast(third, Format::f32).first, third.first);
  EXPECT_EQ(cast.kept(third, Format::f32).first, third.first);
  EXPECT_EQ(cast.stored(third, Format::f32).first, Real(1.0F / 3.0F));
  const Choices<Real> tie(1 + ldexp(Real(1), -24));
  EXPECT_TRUE(cast.stored(tie, Format::f32).others.empty());
}

}  // namespace
}  // namespace seamgate::reference
