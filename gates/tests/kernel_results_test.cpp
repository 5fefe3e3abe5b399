// Bit comparisons of two launches: what must count as a difference, and what must be left out.
#include "gates/kernel_results.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace seamgate::gates {
namespace {

using kernels::Extent;

// Two inputs, one of them shared by all rows; one output; one saved statistic.
kernels::Contract contract() {
  kernels::Contract made;
  made.op = "made";
  made.inputs = {{"a", Extent::rows_by_columns}, {"b", Extent::columns}};
  made.outputs = {{"y", Extent::rows_by_columns}};
  made.saved = {{"s", Extent::rows}};
  return made;
}

// Three rows of two columns.
KernelResults results() {
  return {.outputs = {{1, 2, 3, 4, 5, 6}},
          .saved = {{7, 8, 9}},
          .gradients = {{10, 11, 12, 13, 14, 15}, {16, 17}}};
}

TEST(KernelResultsTest, EqualResultsAreTheSameBits) {
  EXPECT_EQ(same_bits(contract(), results(), results()), same_bits_text);
}

TEST(KernelResultsTest, ADifferenceInAnyTensorIsNamedWithBothValuesAndTheCount) {
  auto now = results();
  now.outputs[0][4] = -5;
  EXPECT_EQ(same_bits(contract(), now, results()), "y[4] is -5 and was 5 (1 of 6 differ)");
  now = results();
  now.saved[0][2] = 0.5F;
  EXPECT_EQ(same_bits(contract(), now, results()), "s[2] is 0.5 and was 9 (1 of 3 differ)");
  now = results();
  now.gradients[0][0] = now.gradients[0][5] = 0;
  EXPECT_EQ(same_bits(contract(), now, results()), "da[0] is 0 and was 10 (2 of 6 differ)");
  now = results();
  now.gradients[1][1] = 18;
  EXPECT_EQ(same_bits(contract(), now, results()), "db[1] is 18 and was 17 (1 of 2 differ)");
}

TEST(KernelResultsTest, ASignOfZeroAndANaNAreDifferencesAndEqualNaNsAreNot) {
  auto zero = results();
  auto negative_zero = results();
  zero.outputs[0][0] = 0.0F;
  negative_zero.outputs[0][0] = -0.0F;
  EXPECT_NE(same_bits(contract(), zero, negative_zero), same_bits_text);
  auto nan = results();
  nan.outputs[0][0] = std::nanf("");
  EXPECT_NE(same_bits(contract(), nan, results()), same_bits_text);
  EXPECT_EQ(same_bits(contract(), nan, nan), same_bits_text);
}

TEST(KernelResultsTest, AMissingElementIsADifference) {
  auto now = results();
  now.gradients[1].pop_back();
  EXPECT_EQ(same_bits(contract(), now, results()), "db has 1 elements and had 2");
}

TEST(KernelResultsTest, GradientsThatAPlanMayMoveAreLeftOutAndNothingElseIs) {
  auto columns = results();
  columns.gradients[1][0] = 0;
  auto rows = results();
  rows.gradients[0][0] = 0;
  const Compared without_columns{.column_gradients = false};
  EXPECT_EQ(same_bits(contract(), columns, results(), without_columns), same_bits_text);
  EXPECT_NE(same_bits(contract(), rows, results(), without_columns), same_bits_text);
  const Compared without_rows{.row_gradients = false};
  EXPECT_EQ(same_bits(contract(), rows, results(), without_rows), same_bits_text);
  EXPECT_NE(same_bits(contract(), columns, results(), without_rows), same_bits_text);
}

TEST(KernelResultsTest, RowsAreComparedPairByPairInOutputsStatisticsAndRowGradients) {
  const auto before = results();
  EXPECT_EQ(same_rows(contract(), 2, before, before, {{0, 0}, {2, 2}}), same_bits_text);
  auto now = results();
  now.outputs[0][3] = now.saved[0][1] = now.gradients[0][2] = 0;  // all of row 1
  EXPECT_EQ(same_rows(contract(), 2, now, before, {{0, 0}, {2, 2}}), same_bits_text);
  EXPECT_EQ(same_rows(contract(), 2, now, before, {{0, 0}, {1, 1}}),
            "row 1: y[3] is 0 and was 4 (1 of 2 differ)");
  now.outputs[0][3] = 4;
  EXPECT_EQ(same_rows(contract(), 2, now, before, {{1, 1}}), "row 1: s[1] is 0 and was 8 (1 of 1 differ)");
  now.saved[0][1] = 8;
  EXPECT_EQ(same_rows(contract(), 2, now, before, {{1, 1}}), "row 1: da[2] is 0 and was 12 (1 of 2 differ)");
  EXPECT_NE(same_rows(contract(), 2, before, before, {{0, 2}}), same_bits_text);
}

TEST(KernelResultsTest, ANaNLeftBehindIsFoundInEveryTensor) {
  EXPECT_EQ(first_nan(contract(), results()), "");
  auto now = results();
  now.gradients[1][1] = std::nanf("");
  EXPECT_EQ(first_nan(contract(), now), "db[1] is NaN (1 of 2 are)");
  now.saved[0][0] = std::nanf("");
  EXPECT_EQ(first_nan(contract(), now), "s[0] is NaN (1 of 3 are)");
  now.outputs[0][2] = now.outputs[0][4] = std::nanf("");
  EXPECT_EQ(first_nan(contract(), now), "y[2] is NaN (2 of 6 are)");
}

}  // namespace
}  // namespace seamgate::gates
