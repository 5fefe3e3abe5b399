// The tape against dual numbers, which share no code with it, and its arena.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "reference/dual.hpp"
#include "reference/real.hpp"
#include "reference/tape_arithmetic.hpp"

namespace seamgate::reference {
namespace {

// Every operation that a definition may write, each in both arguments where it has two.
struct EveryOperation {
  template <class T>
  T operator()(const std::vector<T>& v) const {
    using std::exp;
    using std::sqrt;
    const std::span<const T> all(v);
    const T a = v[0] * v[1] - v[2] / v[3];
    const T b = 2.0 / v[1] + (1.0 + exp(-v[0])) * 3.0 + v[2] / 7.0;
    const T c = sqrt(sum_of_squares(all) + 0.5) + sum(all) * v[3];
    return a * b / c - v[3] * v[3] + a;
  }
};

const std::vector<Real> point = {Real(0.75), Real(-1.5), Real(2.25), Real(0.625)};

Real dual_derivative(const std::vector<Real>& at, std::size_t by) {
  std::vector<Dual<Real>> v(at.begin(), at.end());
  v[by].derivative = 1;
  return EveryOperation{}(v).derivative;
}

TEST(ReverseTape, AgreesWithDualNumbersOnEveryOperation) {
  ReverseTape<Real> tape;
  std::vector<Var<Real>> v;
  for (const Real& value : point) v.push_back(tape.leaf(value));
  tape.seed(EveryOperation{}(v), Real(1));
  tape.propagate();
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Real want = dual_derivative(point, i);
    ASSERT_GT(abs(want), Real(0.01));
    EXPECT_LT(static_cast<double>(abs(Real(tape.adjoint(v[i]) - want)) / abs(want)), 1e-32)
        << "variable " << i;
  }
}

TEST(ReverseTape, AConstantTakenFromAnInputHasNoDerivative) {
  ReverseTape<Real> tape;
  const Var<Real> x = tape.leaf(Real(1.5));
  const Var<Real> y = tape.leaf(Real(4));
  tape.seed(x * x - constant_of(y) * x, Real(1));
  tape.propagate();
  EXPECT_EQ(tape.adjoint(x), Real(2 * 1.5 - 4));
  EXPECT_EQ(tape.adjoint(y), Real(0));
  EXPECT_EQ(constant_of(Dual<Real>(Real(4), Real(1))), 4.0);
  EXPECT_EQ(constant_of(Real(4)), 4.0);
}

TEST(ReverseTape, ConstantsOnEitherSideOfEveryOperator) {
  const auto derivative = [](const std::function<Var<double>(Var<double>)>& f) {
    ReverseTape<double> tape;
    const Var<double> x = tape.leaf(2.0);
    tape.seed(f(x), 1.0);
    tape.propagate();
    return tape.adjoint(x);
  };
  EXPECT_EQ(derivative([](auto x) { return x + 3.0; }), 1);
  EXPECT_EQ(derivative([](auto x) { return 3.0 + x; }), 1);
  EXPECT_EQ(derivative([](auto x) { return x - 3.0; }), 1);
  EXPECT_EQ(derivative([](auto x) { return 3.0 - x; }), -1);
  EXPECT_EQ(derivative([](auto x) { return x * 3.0; }), 3);
  EXPECT_EQ(derivative([](auto x) { return 3.0 * x; }), 3);
  EXPECT_EQ(derivative([](auto x) { return x / 4.0; }), 0.25);
  EXPECT_EQ(derivative([](auto x) { return 4.0 / x; }), -1);
}

TEST(ReverseTape, SeedsOfOneNumberAddAndUnreachedNumbersHaveNoGradient) {
  ReverseTape<double> tape;
  const Var<double> a = tape.leaf(3);
  const Var<double> b = tape.leaf(5);
  const Var<double> unused = tape.leaf(7);
  const Var<double> product = a * b;
  tape.seed(product, 2);
  tape.seed(product, 10);
  tape.seed(a, 1);
  tape.propagate();
  EXPECT_EQ(tape.adjoint(a), 12 * 5 + 1);
  EXPECT_EQ(tape.adjoint(b), 12 * 3);
  EXPECT_EQ(tape.adjoint(unused), 0);
}

TEST(ReverseTape, MagnitudesDoNotCancel) {
  // d/dx of (x * a - x * a) is 0, and two terms of size |a| meet in it.
  ReverseTape<double> tape;
  const Var<double> x = tape.leaf(3);
  const Var<double> a = tape.leaf(-5);
  tape.seed(x * a - x * a, -2);
  tape.propagate();
  std::vector<long double> magnitudes;
  tape.propagate_magnitudes(magnitudes);
  EXPECT_EQ(tape.adjoint(x), 0);
  EXPECT_EQ(magnitudes[x.index], 2 * (5 + 5));
  EXPECT_EQ(magnitudes[a.index], 2 * (3 + 3));
}

TEST(ReverseTape, MagnitudesAreTheAbsoluteGradientWhereNothingMeets) {
  const auto check = [](const std::function<Var<double>(Var<double>)>& f, double at) {
    ReverseTape<double> tape;
    const Var<double> x = tape.leaf(at);
    tape.seed(f(x), -3);
    tape.propagate();
    std::vector<double> magnitudes;
    tape.propagate_magnitudes(magnitudes);
    ASSERT_NE(tape.adjoint(x), 0);
    EXPECT_DOUBLE_EQ(magnitudes[x.index], std::abs(tape.adjoint(x)));
  };
  check([](auto x) { return sqrt(x); }, 2.5);
  check([](auto x) { return exp(x); }, -0.5);
  check([](auto x) { return -x; }, -2);
  check([](auto x) { return x / -4.0; }, -2);
  check([](auto x) { return -4.0 / x; }, -2);
  check([](auto x) { return x * -4.0 + 1.0; }, -2);
  check([](auto x) { return sum(std::span<const Var<double>>(&x, 1)); }, -2);
  check([](auto x) { return sum_of_squares(std::span<const Var<double>>(&x, 1)); }, -2);
}

TEST(ReverseTape, ACastIsTheIdentityOfDerivativesAndRoundsWhatItsFactorReceives) {
  ReverseTape<double> tape;
  const Var<double> x = tape.leaf(1.3);
  const Var<double> w = tape.leaf(-5);
  const Var<double> y = tape.push_cast(x * x, 1.5, 1.5, 1.5) * w;
  tape.seed(y, 2);
  tape.propagate();
  EXPECT_EQ(y.value(), -7.5);
  EXPECT_DOUBLE_EQ(tape.adjoint(x), 2 * -5 * 2 * 1.3);
  EXPECT_EQ(tape.adjoint(w), 2 * 1.5);
  std::vector<double> magnitudes;
  tape.propagate_magnitudes(magnitudes);
  EXPECT_DOUBLE_EQ(magnitudes[x.index], 2 * 5 * 2 * 1.3);
  std::vector<ReverseTape<double>::Slack> slack;
  tape.collect_slack(slack);
  EXPECT_TRUE(slack.empty());
}

TEST(ReverseTape, ACastWithAlternativesLeavesItsFactorSlackOfEitherSign) {
  ReverseTape<double> tape;
  const Var<double> x = tape.leaf(1.3);
  const Var<double> v = tape.leaf(3);
  const Var<double> w = tape.leaf(-5);
  const Var<double> open = tape.push_cast(x, 1.5, 1.25, 1.5);
  tape.seed(open * w + v * open, -2);
  tape.seed(open * w, 1);
  tape.propagate();
  std::vector<ReverseTape<double>::Slack> slack;
  tape.collect_slack(slack);
  ASSERT_EQ(slack.size(), 2U);
  EXPECT_EQ(slack[0].index, v.index);
  EXPECT_EQ(slack[0].lo, 0);
  EXPECT_EQ(slack[0].hi, 0.5);
  EXPECT_EQ(slack[1].index, w.index);
  EXPECT_EQ(slack[1].lo, -0.25);
  EXPECT_EQ(slack[1].hi, 0.5);
  tape.clear();
  tape.seed(tape.leaf(1) * tape.leaf(2), 1);
  tape.propagate();
  tape.collect_slack(slack);
  EXPECT_TRUE(slack.empty());
}

TEST(ReverseTape, AllocatesNothingAfterTheFirstRow) {
  ReverseTape<Real> tape;
  std::vector<std::size_t> bytes;
  std::vector<Var<Real>> v(4);
  for (int row = 0; row < 5; ++row) {
    tape.clear();
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = tape.leaf(point[i] + row);
    tape.seed(EveryOperation{}(v), Real(1));
    tape.propagate();
    bytes.push_back(tape.arena_bytes());
  }
  EXPECT_GT(bytes[0], 0U);
  for (const std::size_t held : bytes) EXPECT_EQ(held, bytes[0]);
}

}  // namespace
}  // namespace seamgate::reference
