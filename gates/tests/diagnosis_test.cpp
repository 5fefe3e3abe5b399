// What a wrong tensor looks like: each pattern on values made for it, and silence where nothing known fits.
#include "gates/diagnosis/diagnosis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "gates/kernel_run.hpp"

namespace seamgate::gates {
namespace {

constexpr double bar = 1e-6;

// A case of RMSNorm, its truth, and the truth as f32.
struct Right {
  explicit Right(std::vector<std::int64_t> shape, const std::string& variant = "torch")
      : op(find_op("rmsnorm")),
        c(make_case(op.contract(), variant, std::move(shape), "normal", 7)),
        host(make_host_case(op, c)),
        truth(evaluate_truth(op, c, host)) {}

  static std::vector<float> values(const reference::TruthTensor& tensor) {
    std::vector<float> all;
    for (std::size_t i = 0; i < tensor.size(); ++i) all.push_back(static_cast<float>(tensor.value(i)));
    return all;
  }
  std::vector<float> y() const { return values(truth.outputs[0]); }
  std::vector<float> dx() const { return values(truth.gradients[0]); }
  std::vector<float> dw() const { return values(truth.gradients[1]); }
  std::string look(const std::string& name, const std::vector<float>& got, bool with_numbers = true) const {
    const Numbers numbers{c.rows(), c.columns(), c.variant, c.eps, host.inputs, host.upstream};
    const auto& tensor = name == "y"    ? truth.outputs[0]
                         : name == "dx" ? truth.gradients[0]
                                        : truth.gradients[1];
    return looks_like(c.op, name, tensor, got, bar, with_numbers ? &numbers : nullptr);
  }

  const OpTraits& op;
  Case c;
  HostCase host;
  reference::Truth truth;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Diagnosis, IsSilentOnARightTensorAndOnNoise) {
  const Right right({6, 40});
  EXPECT_EQ(right.look("y", right.y()), "");
  auto noisy = right.dx();
  for (std::size_t i = 0; i < noisy.size(); ++i)
    noisy[i] += (i % 3 == 0 ? 0.5F : -0.25F) * static_cast<float>(1 + i % 7);
  EXPECT_EQ(right.look("dx", noisy), "");
}

TEST(Diagnosis, KnowsEveryMistakeOfItsOwnOpApartFromTheOthers) {
  for (const char* variant : {"torch", "gemma"}) {
    const Right right({9, 48}, variant);
    const Numbers numbers{right.c.rows(), right.c.columns(), right.c.variant,
                          right.c.eps,    right.host.inputs, right.host.upstream};
    for (const Mistake& mistake : mistakes_of("rmsnorm")) {
      const auto values = mistake.values(numbers);
      const std::vector<float> got(values.begin(), values.end());
      const std::string told = right.look(mistake.tensor, got);
      const auto& tensor = mistake.tensor == "y" ? right.truth.outputs[0]
                                                 : right.truth.gradients[mistake.tensor == "dx" ? 0 : 1];
      if (tensor.worst_error(got).error <= bar)
        continue;  // no mistake on these numbers: eps is next to nothing
      EXPECT_FALSE(told.empty()) << variant << " " << mistake.tensor << ": " << mistake.text;
    }
  }
}

TEST(Diagnosis, NamesTheMistake) {
  const Right right({9, 48});
  const Numbers numbers{right.c.rows(), right.c.columns(), right.c.variant,
                        right.c.eps,    right.host.inputs, right.host.upstream};
  int found = 0;
  for (const Mistake& mistake : mistakes_of("rmsnorm")) {
    if (mistake.tensor != "dx" || mistake.text.find("projection") == std::string::npos) continue;
    const auto values = mistake.values(numbers);
    EXPECT_TRUE(has(right.look("dx", {values.begin(), values.end()}), mistake.text)) << mistake.text;
    ++found;
  }
  EXPECT_EQ(found, 6);
}

TEST(Diagnosis, SeesWhatWasNotWritten) {
  const Right right({6, 43});
  std::vector<float> none(right.y().size(), std::nanf(""));
  EXPECT_TRUE(has(right.look("y", none), "every element is NaN"));
  auto tail = right.y();
  for (std::size_t row = 0; row < 6; ++row) {
    for (std::size_t column = 40; column < 43; ++column) tail[row * 43 + column] = std::nanf("");
  }
  const std::string told = right.look("y", tail);
  EXPECT_TRUE(has(told, "only columns 40 to 42, the last ones, (of 43)") && has(told, "division by 4") &&
              has(told, "never written"))
      << told;
  auto row = right.y();
  std::fill(row.end() - 43, row.end(), 0.0F);
  EXPECT_TRUE(has(right.look("y", row), "only row 5, the last, (of 6) is wrong and zero"))
      << right.look("y", row);
  auto one = right.y();
  one[3 * 43 + 7] += 1.0F;
  EXPECT_TRUE(has(right.look("y", one), "one element of 258 is wrong: row 3, column 7"));
}

TEST(Diagnosis, SeesZerosFactorsAndCopies) {
  const Right right({8, 40});
  EXPECT_TRUE(has(right.look("dw", std::vector<float>(40, 0.0F)), "every element is 0"));
  const auto scaled = [](std::vector<float> values, float by) {
    for (float& value : values) value *= by;
    return values;
  };
  EXPECT_TRUE(has(right.look("dx", scaled(right.dx(), -1.0F)), "the sign is wrong"));
  EXPECT_TRUE(has(right.look("dw", scaled(right.dw(), 1.0F / 8)), "one over the number of rows"));
  EXPECT_TRUE(has(right.look("dx", right.host.upstream[0]), "the upstream gradient of output 0 as it is"));
  EXPECT_TRUE(has(right.look("y", right.host.inputs[0]), "x is not normalised") ||
              has(right.look("y", right.host.inputs[0]), "input 0 as it is"));
}

TEST(Diagnosis, SeesASumThatWasHeldIn16Bits) {
  const Right right({64, 40});
  auto rounded = right.dw();
  for (float& value : rounded) {
    value *= 1.0F + 0x1p-7F * (std::signbit(value) ? 1.0F : -1.0F) * std::abs(std::sin(value * 100.0F));
    value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xFFFF0000U);
  }
  EXPECT_TRUE(has(right.look("dw", rounded), "held in bf16")) << right.look("dw", rounded);
}

TEST(Diagnosis, NeedsNoNumbersForPatternsAndNamesNoMistakeWithoutThem) {
  const Right right({6, 40});
  EXPECT_TRUE(has(right.look("dw", std::vector<float>(40, 0.0F), false), "every element is 0"));
  const Numbers numbers{right.c.rows(), right.c.columns(), right.c.variant,
                        right.c.eps,    right.host.inputs, right.host.upstream};
  for (const Mistake& mistake : mistakes_of("rmsnorm")) {
    if (mistake.text.find("projection term is subtracted twice") == std::string::npos) continue;
    const auto values = mistake.values(numbers);
    EXPECT_EQ(right.look("dx", {values.begin(), values.end()}, false), "");
  }
}

}  // namespace
}  // namespace seamgate::gates
