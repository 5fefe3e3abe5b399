// Each primitive's gradient against central differences, under both strategies, which must agree bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tensor/autodiff/primitives.hpp"

namespace seamgate {
namespace {

using Bare = Tensor<Cpu>;
using Keeping = Tensor<Autodiff<Cpu, NoCheckpointing>>;
using Balanced = Tensor<Autodiff<Cpu, BalancedCheckpointing>>;

// One operation of one or two operands on any kind of tensor.
struct Case {
  std::string name;
  std::vector<Shape> shapes;
  std::function<Bare(const std::vector<Bare>&)> bare;
  std::function<Keeping(const std::vector<Keeping>&)> keeping;
  std::function<Balanced(const std::vector<Balanced>&)> balanced;
};

template <class Op>
Case of(std::string name, std::vector<Shape> shapes, Op op) {
  return {std::move(name), std::move(shapes), op, op, op};
}

std::vector<Case> cases() {
  const Shape m{3, 4};
  return {
      of("add", {m, m}, [](auto& p) { return add(p[0], p[1]); }),
      of("add_row", {m, {4}}, [](auto& p) { return add(p[0], p[1]); }),
      of("sub_column", {{3, 1}, m}, [](auto& p) { return sub(p[0], p[1]); }),
      of("mul", {m, m}, [](auto& p) { return mul(p[0], p[1]); }),
      of("mul_outer", {{3, 1}, {1, 4}}, [](auto& p) { return mul(p[0], p[1]); }),
      of("mul_scalar_tensor", {{}, m}, [](auto& p) { return mul(p[0], p[1]); }),
      of("mul_itself", {m}, [](auto& p) { return mul(p[0], p[0]); }),
      of("div", {m, m}, [](auto& p) { return div(p[0], p[1]); }),
      of("div_by_row", {m, {4}}, [](auto& p) { return div(p[0], p[1]); }),
      of("neg", {m}, [](auto& p) { return neg(p[0]); }),
      of("square", {m}, [](auto& p) { return square(p[0]); }),
      of("sqrt", {m}, [](auto& p) { return sqrt(p[0]); }),
      of("recip", {m}, [](auto& p) { return recip(p[0]); }),
      of("exp", {m}, [](auto& p) { return exp(p[0]); }),
      of("sigmoid", {m}, [](auto& p) { return sigmoid(p[0]); }),
      of("add_scalar", {m}, [](auto& p) { return add_scalar(p[0], 0.75F); }),
      of("mul_scalar", {m}, [](auto& p) { return mul_scalar(p[0], -1.5F); }),
      of("div_scalar", {m}, [](auto& p) { return div_scalar(p[0], 3.0F); }),
      of("sum_dim_rows", {m}, [](auto& p) { return sum_dim(p[0], 0); }),
      of("sum_dim_columns", {m}, [](auto& p) { return sum_dim(p[0], -1); }),
      of("mean_dim", {{2, 3, 4}}, [](auto& p) { return mean_dim(p[0], 1); }),
      of("sum", {m}, [](auto& p) { return sum(p[0]); }),
      of("matmul", {m, {4, 2}}, [](auto& p) { return matmul(p[0], p[1]); }),
      of("cast", {m}, [](auto& p) { return cast(p[0], DType::f32); }),
      of("reshape", {m},
         [](auto& p) {
           return reshape(p[0], {2, 6});
         }),
      of("slice", {m}, [](auto& p) { return slice(p[0], 1, 1, 4, 2); }),
      of("transpose", {{2, 3, 4}}, [](auto& p) { return transpose(p[0], 0, 2); }),
      of("expand", {{3, 1}},
         [](auto& p) {
           return expand(p[0], {2, 3, 4});
         }),
      of("contiguous", {m}, [](auto& p) { return contiguous(transpose(p[0], 0, 1)); }),
      of("a_chain", {m, {4}},
         [](auto& p) {
           return mul(div(exp(mul_scalar(p[0], 0.5F)), add_scalar(square(p[1]), 1.0F)), sigmoid(p[0]));
         }),
  };
}

// Positive, away from 0 and from each other: every operation is smooth there.
std::vector<float> values_for(std::size_t operand, std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = 0.6F + 0.13F * static_cast<float>((i * 7 + operand * 3) % 11);
  }
  return values;
}

// A cotangent that no sum can hide in.
std::vector<float> cotangent(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = (i % 2 == 0 ? 1.0F : -1.0F) * (0.5F + 0.17F * static_cast<float>((i * 5) % 7));
  }
  return values;
}

// The operand's gradient by f32 central differences of the loss sum(cotangent * output), added in double.
std::vector<double> differences(const Case& op, const std::vector<std::vector<float>>& operands,
                                std::size_t which) {
  const auto loss = [&](const std::vector<std::vector<float>>& at) {
    std::vector<Bare> parents;
    for (std::size_t i = 0; i < at.size(); ++i) parents.push_back(Bare::from_floats(at[i], op.shapes[i]));
    const Bare output = op.bare(parents);
    const std::vector<float> values = output.to_floats();
    const std::vector<float> weights = cotangent(output.numel());
    double total = 0;
    for (std::size_t i = 0; i < values.size(); ++i) total += static_cast<double>(values[i]) * weights[i];
    return total;
  };
  constexpr float step = 1.0F / 128;
  std::vector<double> result;
  for (std::size_t i = 0; i < operands[which].size(); ++i) {
    auto above = operands;
    auto below = operands;
    above[which][i] += step;
    below[which][i] -= step;
    const double width = static_cast<double>(above[which][i]) - below[which][i];
    result.push_back((loss(above) - loss(below)) / width);
  }
  return result;
}

template <class T, class Op>
std::vector<std::vector<float>> gradients_of(const Case& op, const std::vector<std::vector<float>>& operands,
                                             const Op& run) {
  std::vector<T> leaves;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    leaves.push_back(T::from_inner(Bare::from_floats(operands[i], op.shapes[i])).require_grad());
  }
  const T output = run(leaves);
  const auto gradients = output.backward(Bare::from_floats(cotangent(output.numel()), output.shape()));
  EXPECT_EQ(gradients.checkpoint_report().left, 0);
  EXPECT_EQ(gradients.checkpoint_report().checkpointed, gradients.checkpoint_report().retrieved);
  std::vector<std::vector<float>> result;
  for (const T& leaf : leaves) result.push_back(leaf.grad(gradients).value().to_floats());
  return result;
}

class Gradient : public testing::TestWithParam<Case> {};

TEST_P(Gradient, EqualsCentralDifferencesUnderBothStrategies) {
  const Case& op = GetParam();
  std::vector<std::vector<float>> operands;
  for (std::size_t i = 0; i < op.shapes.size(); ++i) operands.push_back(values_for(i, numel(op.shapes[i])));
  const auto kept = gradients_of<Keeping>(op, operands, op.keeping);
  const auto recomputed = gradients_of<Balanced>(op, operands, op.balanced);
  EXPECT_EQ(kept, recomputed) << "the strategies differ";
  for (std::size_t which = 0; which < operands.size(); ++which) {
    const std::vector<double> want = differences(op, operands, which);
    double scale = 1;
    for (const double value : want) scale = std::max(scale, std::abs(value));
    ASSERT_EQ(kept[which].size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      EXPECT_NEAR(kept[which][i], want[i], 1e-3 * scale) << "operand " << which << " element " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Primitives, Gradient, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

TEST(GradientDtype, ContributionsAreAddedInF32AndRoundedOnceToTheTensorsDtype) {
  // 1 + 2^-9 + 2^-9 is 1 + 2^-8, and a tie in bf16; with 2^-10 more it goes up. Rounded one by one it would
  // stay 1.
  const Balanced x = Balanced::from_inner(Bare::ones({1}, DType::bf16)).require_grad();
  const Balanced small = mul_scalar(x, 0.001953125F);
  const Balanced smaller = mul_scalar(x, 0.0009765625F);
  const auto gradients = sum(add(add(add(mul_scalar(x, 1.0F), small), small), smaller)).backward();
  const Bare dx = x.grad(gradients).value();
  EXPECT_EQ(dx.dtype(), DType::bf16);
  EXPECT_EQ(dx.item(), 1.0078125F);
}

TEST(GradientDtype, ACastDifferentiatesAsIdentity) {
  const Balanced x = Balanced::from_inner(Bare::full(1.0F / 3.0F, {2})).require_grad();
  const Balanced y = cast(cast(x, DType::f16), DType::f32);
  const auto gradients = y.backward(Bare::from_floats(std::vector<float>{0.5F, -2.0F}, {2}));
  EXPECT_EQ(x.grad(gradients).value().to_floats(), (std::vector<float>{0.5F, -2.0F}));
  EXPECT_EQ(x.grad(gradients).value().dtype(), DType::f32);
}

}  // namespace
}  // namespace seamgate
