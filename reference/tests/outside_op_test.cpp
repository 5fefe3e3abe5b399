// An op from outside the folder: defined, registered, found by name and evaluated by the same generic code.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/scalar_op.hpp"

namespace seamgate::reference {
namespace {

// p = a * b * exp(-c), s = a - b; a and b per row and column, c per column.
struct TwoOutputs {
  static constexpr std::string_view name = "two_outputs";
  static std::vector<TensorSpec> inputs() {
    return {{"a", Extent::rows_by_columns}, {"b", Extent::rows_by_columns}, {"c", Extent::columns}};
  }
  static std::vector<TensorSpec> outputs() {
    return {{"p", Extent::rows_by_columns}, {"s", Extent::rows_by_columns}};
  }
  static std::vector<VariantSpec> variants() { return {{"plain", 0}}; }
  static void check(const Setting&) {}
  static std::vector<Format> output_formats(const Setting& s) { return {s.formats[0], s.formats[0]}; }
  template <class T, class Rounding>
  static void row(RowIn<T> in, const Setting&, const Rounding&, RowOut<T> out) {
    using std::exp;
    for (std::size_t j = 0; j < in[0].size(); ++j) {
      out[0][j] = in[0][j] * in[1][j] * exp(-in[2][j]);
      out[1][j] = in[0][j] - in[1][j];
    }
  }
  static bool classify(const RowOfFloats&, const Setting&, RowClasses&) { return false; }
};

TEST(OutsideOp, IsRegisteredOnceFoundAndEvaluated) {
  register_definition(std::make_unique<const ScalarOp<TwoOutputs>>());
  EXPECT_THROW(register_definition(std::make_unique<const ScalarOp<TwoOutputs>>()), std::invalid_argument);

  const std::vector<float> a = {2, -3, 0.5F, 4};
  const std::vector<float> b = {1, 5, -2, 0.25F};
  const std::vector<float> c = {0, 1};
  const std::vector<float> gp = {1, 2, -1, 3};
  const std::vector<float> gs = {-2, 1, 1, 0.5F};
  const OpDefinition& op = find_definition("two_outputs");
  ASSERT_EQ(op.outputs().size(), 2U);
  const Truth truth = op.evaluate({2,
                                   2,
                                   {{a.data(), 2}, {b.data(), 2}, {c.data(), 0}},
                                   {{gp.data(), 2}, {gs.data(), 2}},
                                   {"plain", 0},
                                   true,
                                   1});

  std::vector<double> dc(2);
  std::vector<double> dc_squares(2);
  for (std::size_t m = 0; m < 2; ++m) {
    double da_scale = 0;
    for (std::size_t n = 0; n < 2; ++n) {
      const std::size_t i = 2 * m + n;
      const double e = std::exp(-static_cast<double>(c[n]));
      EXPECT_NEAR(truth.outputs[0].value(i), a[i] * b[i] * e, 1e-14);
      EXPECT_NEAR(truth.outputs[1].value(i), a[i] - b[i], 1e-14);
      EXPECT_NEAR(truth.gradients[0].value(i), gp[i] * b[i] * e + gs[i], 1e-14);
      EXPECT_NEAR(truth.gradients[1].value(i), gp[i] * a[i] * e - gs[i], 1e-14);
      da_scale = std::max(da_scale, std::abs(gp[i] * b[i] * e) + std::abs(gs[i]));
      dc[n] -= gp[i] * a[i] * b[i] * e;
      dc_squares[n] += std::pow(gp[i] * a[i] * b[i] * e, 2);
    }
    EXPECT_NEAR(truth.gradients[0].scale(2 * m), da_scale, 1e-14);
  }
  for (std::size_t n = 0; n < 2; ++n) {
    EXPECT_NEAR(truth.gradients[2].value(n), dc[n], 1e-14);
    EXPECT_NEAR(truth.gradients[2].scale(n), std::max(std::abs(dc[n]), std::sqrt(dc_squares[n])), 1e-14);
  }
}

TEST(Registry, AnUnknownOpIsNamedWithThoseThatExist) {
  try {
    find_definition("layernorm");
    FAIL() << "found";
  } catch (const std::invalid_argument& error) {
    const std::string said = error.what();
    std::string there_are;
    for (const auto& name : definition_names()) there_are += (there_are.empty() ? "" : ", ") + name;
    EXPECT_EQ(said, "no scalar definition of op 'layernorm'; there are: " + there_are);
    EXPECT_NE(there_are.find("rmsnorm"), std::string::npos) << there_are;
  }
}

TEST(Registry, TheBuiltInOpsDescribeThemselves) {
  const OpDefinition& op = find_definition("rmsnorm");
  EXPECT_EQ(op.inputs().at(0).name, "x");
  EXPECT_EQ(op.inputs().at(1).extent, Extent::columns);
  EXPECT_EQ(op.outputs().at(0).name, "y");
  EXPECT_EQ(op.variants().at(0).name, "torch");
  EXPECT_EQ(op.variants().at(1).default_eps, 1e-5F);
}

}  // namespace
}  // namespace seamgate::reference
