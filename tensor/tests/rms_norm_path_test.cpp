// The tensor path of RMSNorm as a module composes it: both strategies train x and w.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tensor/autodiff/primitives.hpp"

namespace seamgate {
namespace {

template <class T>
T rms_norm(const T& x, const T& w, float eps) {
  const T rstd = recip(sqrt(add_scalar(mean_dim(square(x), -1), eps)));
  return mul(mul(x, rstd), w);
}

// dx = r * (g - xhat * mean(g * xhat)), g = gy * w, xhat = x * r; dw = sum of gy * xhat; in double.
struct Expected {
  std::vector<double> y, dx, dw;
};
Expected expected(const std::vector<float>& x, const std::vector<float>& w, const std::vector<float>& gy,
                  double eps) {
  const std::size_t columns = w.size();
  Expected result{std::vector<double>(x.size()), std::vector<double>(x.size()), std::vector<double>(columns)};
  for (std::size_t begin = 0; begin < x.size(); begin += columns) {
    double squares = 0;
    for (std::size_t c = 0; c < columns; ++c) squares += static_cast<double>(x[begin + c]) * x[begin + c];
    const double r = 1 / std::sqrt(squares / static_cast<double>(columns) + eps);
    double projection = 0;
    for (std::size_t c = 0; c < columns; ++c)
      projection += static_cast<double>(gy[begin + c]) * w[c] * x[begin + c] * r;
    projection /= static_cast<double>(columns);
    for (std::size_t c = 0; c < columns; ++c) {
      const double xhat = x[begin + c] * r;
      result.y[begin + c] = xhat * w[c];
      result.dx[begin + c] = r * (static_cast<double>(gy[begin + c]) * w[c] - xhat * projection);
      result.dw[c] += gy[begin + c] * xhat;
    }
  }
  return result;
}

template <class S>
class RmsNormPath : public testing::Test {};
using Strategies = testing::Types<NoCheckpointing, BalancedCheckpointing>;
TYPED_TEST_SUITE(RmsNormPath, Strategies);

TYPED_TEST(RmsNormPath, HasTheAnalyticGradientsOneOperationAwayFromItsLeaves) {
  using T = Tensor<Autodiff<Cpu, TypeParam>>;
  const std::vector<float> x{0.5F, -1.25F, 2.0F, 3.0F, -0.75F, 0.125F};
  const std::vector<float> w{1.5F, -0.5F, 0.25F};
  const std::vector<float> gy{1.0F, -2.0F, 0.5F, 0.75F, 1.25F, -1.0F};
  const T x_leaf = T::from_inner(Tensor<Cpu>::from_floats(x, {2, 3})).require_grad();
  const T w_leaf = T::from_inner(Tensor<Cpu>::from_floats(w, {3})).require_grad();
  const T y = rms_norm(mul_scalar(x_leaf, 1.0F), mul_scalar(w_leaf, 1.0F), 1e-5F);
  const auto gradients = y.backward(Tensor<Cpu>::from_floats(gy, {2, 3}));

  const Expected want = expected(x, w, gy, 1e-5);
  const auto compare = [](const std::vector<float>& got, const std::vector<double>& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-6) << "element " << i;
  };
  compare(y.inner().to_floats(), want.y);
  compare(x_leaf.grad(gradients).value().to_floats(), want.dx);
  compare(w_leaf.grad(gradients).value().to_floats(), want.dw);
  EXPECT_EQ(gradients.checkpoint_report().left, 0);
  EXPECT_EQ(gradients.checkpoint_report().checkpointed, gradients.checkpoint_report().retrieved);
}

}  // namespace
}  // namespace seamgate
