// Every pair of variants is one function at a dtype, or is told apart by elements whose allowed intervals are
// disjoint.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "reference/tests/rmsnorm_case.hpp"

namespace seamgate::reference {
namespace {

constexpr Format f32 = Format::f32;
constexpr Format bf16 = Format::bf16;
constexpr Format f16 = Format::f16;

// Normal numbers, as the told-apart counts ask for.
RmsNormCase normal_case(Format x, Format w) {
  RmsNormCase c(64, 4096);
  std::mt19937 bits(17);
  std::normal_distribution<float> normal;
  for (auto* v : {&c.x, &c.w}) {
    for (float& value : *v) value = normal(bits);
  }
  return c.store_as(x, w);
}

struct ToldApart {
  int disjoint = 0;
  int different = 0;
};
ToldApart told_apart(const TruthTensor& a, const TruthTensor& b) {
  ToldApart count;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Interval p = a.allowed(i, a.format());
    const Interval q = b.allowed(i, b.format());
    count.disjoint += p.hi < q.lo || q.hi < p.lo ? 1 : 0;
    count.different += p.lo != q.lo || p.hi != q.hi ? 1 : 0;
  }
  return count;
}

void expect_told_apart(Format x, Format w, const std::vector<const char*>& variants) {
  const RmsNormCase c = normal_case(x, w);
  std::vector<Truth> truths;
  for (const char* variant : variants) {
    TruthRequest request = c.request(variant);
    request.wants_gradients = false;
    request.upstream.clear();
    request.threads = 0;
    truths.push_back(find_definition("rmsnorm").evaluate(request));
  }
  for (std::size_t p = 0; p < variants.size(); ++p) {
    for (std::size_t q = p + 1; q < variants.size(); ++q) {
      const ToldApart count = told_apart(truths[p].outputs[0], truths[q].outputs[0]);
      const std::string pair = std::string(variants[p]) + "_" + variants[q] + "_" +
                               std::string(to_string(x)) + "_" + std::string(to_string(w));
      ::testing::Test::RecordProperty(pair, count.disjoint);
      const bool one_function = pair == "llama_t5_bf16_bf16" || pair == "llama_t5_f16_f16";
      if (one_function) {
        EXPECT_EQ(count.different, 0) << pair;
      } else {
        EXPECT_GE(count.disjoint, 100) << pair;
      }
    }
  }
}

TEST(RmsNormVariants, AreToldApartByDisjointIntervalsInBf16) {
  expect_told_apart(bf16, bf16, {"torch", "llama", "t5", "gemma", "burn"});
}

TEST(RmsNormVariants, AreToldApartByDisjointIntervalsInF16) {
  expect_told_apart(f16, f16, {"torch", "llama", "t5", "gemma", "burn"});
}

TEST(RmsNormVariants, AreToldApartByDisjointIntervalsInBf16WithAnF32Weight) {
  expect_told_apart(bf16, f32, {"torch", "llama", "t5", "gemma"});
}

}  // namespace
}  // namespace seamgate::reference
