// The variants of RMSNorm in every dtype against the table of their formulas, written out with explicit
// roundings.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "reference/rmsnorm.hpp"
#include "reference/tests/rmsnorm_case.hpp"
#include "reference/truth_values.hpp"

namespace seamgate::reference {
namespace {

constexpr Format f32 = Format::f32;
constexpr Format bf16 = Format::bf16;
constexpr Format f16 = Format::f16;

// All values that y may have, the correctly rounded one first.
using Admitted = std::vector<Real>;

Admitted casts(const Real& v, Format format) {
  if (format == f32) return {v};
  Admitted all = {round_to(v, format)};
  for (const double side : {-1e-6, 1e-6}) {
    const Real other = round_to(v * (1 + Real(side)), format);
    if (other != all[0]) all.push_back(other);
  }
  return all;
}

struct Row {
  std::vector<Real> xhat;
  Real root;
};
Row statistics(const RmsNormCase& c, std::int64_t m) {
  Row row;
  Real mean = 0;
  const float* x = c.x.data() + m * c.columns;
  for (std::int64_t n = 0; n < c.columns; ++n) mean += Real(x[n]) * Real(x[n]) / c.columns;
  row.root = sqrt(Real(mean + Real(c.eps)));
  for (std::int64_t n = 0; n < c.columns; ++n) row.xhat.push_back(Real(x[n]) / row.root);
  return row;
}

Admitted admitted_y(const std::string& variant, const RmsNormCase& c, const Row& row, const Real& x,
                    std::size_t n) {
  const Real w = c.w[n];
  Admitted all;
  if (variant == "torch" || variant == "seed") return {row.xhat[n] * w};
  if (variant == "gemma") return {row.xhat[n] * (1 + w)};
  if (variant == "llama") {
    for (const Real& h : casts(row.xhat[n], c.x_format)) all.push_back(w * h);
  } else if (variant == "t5") {
    for (const Real& h : casts(row.xhat[n], c.w_format)) all.push_back(w * h);
  } else {
    for (const Real& root : casts(row.root, c.x_format))
      for (const Real& quotient : casts(x / root, c.x_format)) all.push_back(quotient * w);
  }
  return all;
}

struct Served {
  const char* variant;
  Format x, w, y;
};
const Served served[] = {
    {"torch", f32, f32, f32},    {"torch", bf16, bf16, bf16}, {"torch", f16, f16, f16},
    {"torch", bf16, f32, bf16},  {"torch", f16, f32, f16},    {"llama", f32, f32, f32},
    {"llama", bf16, bf16, bf16}, {"llama", f16, f16, f16},    {"llama", bf16, f32, f32},
    {"llama", f16, f32, f32},    {"llama", bf16, f16, f32},   {"llama", f32, bf16, f32},
    {"t5", f32, f32, f32},       {"t5", bf16, bf16, bf16},    {"t5", f16, f16, f16},
    {"t5", bf16, f32, f32},      {"t5", f32, bf16, bf16},     {"gemma", f32, f32, f32},
    {"gemma", bf16, bf16, bf16}, {"gemma", bf16, f32, bf16},  {"gemma", f16, f16, f16},
    {"burn", f32, f32, f32},     {"burn", bf16, bf16, bf16},  {"burn", f16, f16, f16},
    {"seed", f32, f32, f32},
};

double distance(const Real& got, const Real& want) {
  const double size = static_cast<double>(abs(want));
  return size == 0 ? static_cast<double>(abs(got)) : static_cast<double>(abs(Real(got - want))) / size;
}

TEST(RmsNormVariants, OutputsAreTheFormulaWithItsCastsAndAdmitEveryInnerTie) {
  std::map<std::string, int> open;
  for (const Served& s : served) {
    for (const double scale : {1.0, 1e-3}) {
      RmsNormCase c(6, 333, 3, scale);
      c.store_as(s.x, s.w);
      const Truth truth = c.truth(s.variant);
      const TruthTensor& y = truth.outputs[0];
      ASSERT_EQ(y.format(), s.y) << s.variant;
      ASSERT_EQ(truth.gradients[0].format(), s.x);
      ASSERT_EQ(truth.gradients[1].format(), s.w);
      const auto& values = dynamic_cast<const TruthValuesOf<Real>&>(y.values());
      Row row;
      for (std::size_t i = 0; i < y.size(); ++i) {
        if (i % 333 == 0) row = statistics(c, static_cast<std::int64_t>(i / 333));
        const Admitted want = admitted_y(s.variant, c, row, c.x[i], i % 333);
        ASSERT_LT(distance(values.real(i), want[0]), 1e-32) << s.variant << " " << to_string(s.x) << " " << i;
        std::vector<Real> got = {values.real(i)};
        for (const auto& a : values.alternatives(i)) {
          ASSERT_EQ(a.lo, a.hi);
          got.push_back(a.lo);
        }
        for (const Real& one : want)
          ASSERT_TRUE(
              std::any_of(got.begin(), got.end(), [&](const Real& g) { return distance(g, one) < 1e-32; }))
              << s.variant << " " << to_string(s.x) << " misses " << one << " at " << i;
        for (const Real& one : got)
          ASSERT_TRUE(
              std::any_of(want.begin(), want.end(), [&](const Real& g) { return distance(g, one) < 1e-32; }))
              << s.variant << " " << to_string(s.x) << " admits " << one << " at " << i;
        for (const Real& one : want) {
          const auto stored = static_cast<float>(round_to(one, s.y));
          ASSERT_LE(y.error(i, stored), bar) << s.variant << " " << to_string(s.y) << " " << i;
        }
        open[std::string(s.variant) + " " + std::string(to_string(s.x))] += want.size() > 1 ? 1 : 0;
      }
    }
  }
  for (const char* name : {"llama f16", "t5 f16", "burn f16"}) EXPECT_GE(open[name], 5) << name;
  EXPECT_EQ(open["torch f16"] + open["gemma f16"] + open["llama f32"], 0);
}

TEST(RmsNormVariants, BothRoundingsOfAnInnerTiePassAndNothingElse) {
  // x * r is 1 + 2^-8 within the bar: a tie of bf16. The output is f32, so that both values are seen apart.
  RmsNormCase c(1, 2);
  c.store_as(bf16, f32);
  c.x = {2, 1};
  c.w = {3, 3};
  const Real xhat = 1 + ldexp(Real(1), -8);
  c.eps = static_cast<float>(Real(4 / (xhat * xhat) - Real(2.5)));
  const Truth truth = c.truth("llama");
  const TruthTensor& y = truth.outputs[0];
  EXPECT_LE(y.error(0, 3.0F), bar);
  EXPECT_LE(y.error(0, 3.0F * 1.0078125F), bar);
  EXPECT_GT(y.error(0, 3.0F * 1.00390625F), 1e-3);
  EXPECT_GT(y.error(0, 3.0F * 0.99609375F), 1e-3);
  EXPECT_NEAR(y.allowed(0, f32).lo, 3, 1e-5);
  EXPECT_NEAR(y.allowed(0, f32).hi, 3 * 1.0078125, 1e-5);

  // dw may have taken either.
  const double gy = c.gy[0];
  EXPECT_LE(truth.gradients[1].error(0, static_cast<float>(gy)), bar);
  EXPECT_LE(truth.gradients[1].error(0, static_cast<float>(gy * 1.0078125)), bar);
  EXPECT_LE(truth.gradients[1].error(0, static_cast<float>(gy * 1.0039)), bar);
  EXPECT_GT(truth.gradients[1].error(0, static_cast<float>(gy * 0.999)), 5e-4);
  EXPECT_GT(truth.gradients[1].error(0, static_cast<float>(gy * 1.009)), 5e-4);
}

TEST(RmsNormVariants, DwOfLlamaAndT5SumsWhatTheForwardRoundedBetweenItsAlternatives) {
  int wide = 0;
  for (const char* variant : {"llama", "t5"}) {
    RmsNormCase c(70, 40, 5);
    c.store_as(f16, f16);
    const Truth truth = c.truth(variant);
    const TruthTensor& dw = truth.gradients[1];
    const auto& values = dynamic_cast<const TruthValuesOf<Real>&>(dw.values());
    std::vector<Real> nominal(40, Real(0)), lo(40, Real(0)), hi(40, Real(0)), plain(40, Real(0));
    for (std::int64_t m = 0; m < c.rows; ++m) {
      const Row row = statistics(c, m);
      for (std::size_t n = 0; n < 40; ++n) {
        const Real gy = c.gy_at(m, static_cast<std::int64_t>(n));
        std::vector<Real> terms;
        for (const Real& h : casts(row.xhat[n], f16)) terms.push_back(gy * h);
        nominal[n] += terms[0];
        lo[n] += *std::min_element(terms.begin(), terms.end());
        hi[n] += *std::max_element(terms.begin(), terms.end());
        plain[n] += gy * row.xhat[n];
      }
    }
    double told_apart = 0;
    for (std::size_t n = 0; n < 40; ++n) {
      ASSERT_LT(static_cast<double>(abs(Real(values.real(n) - nominal[n]))) / dw.scale(n), 1e-31);
      const auto alternatives = values.alternatives(n);
      ASSERT_EQ(alternatives.size(), lo[n] < hi[n] ? 1U : 0U) << variant << " column " << n;
      told_apart = std::max(told_apart, static_cast<double>(abs(Real(plain[n] - nominal[n]))) / dw.scale(n));
      if (alternatives.empty()) continue;
      ++wide;
      const double unit = 1e-17 * dw.scale(n);
      ASSERT_LT(static_cast<double>(abs(Real(alternatives[0].lo - lo[n]))), unit);
      ASSERT_LT(static_cast<double>(abs(Real(alternatives[0].hi - hi[n]))), unit);
      const auto inside = static_cast<float>(Real((lo[n] + hi[n]) / 2));
      ASSERT_LE(dw.error(n, inside, f32), bar / 10);
    }
    EXPECT_GT(told_apart, 1e-5) << "rounded and unrounded xhat give the same dw";
  }
  EXPECT_GT(wide, 5);
}

TEST(RmsNormVariants, OtherGradientsAreThoseWithoutCasts) {
  RmsNormCase c(5, 64, 9);
  c.store_as(bf16, bf16);
  const Truth torch = c.truth("torch");
  for (const char* variant : {"llama", "t5", "burn"}) {
    const Truth truth = c.truth(variant);
    for (std::size_t g = 0; g < 2; ++g) {
      if (g == 1 && std::string_view(variant) != "burn") continue;  // the rounded xhat, tested above
      for (std::size_t i = 0; i < truth.gradients[g].size(); ++i) {
        const double difference = static_cast<double>(
            Real(abs(Real(real_at(truth.gradients[g], i) - real_at(torch.gradients[g], i)))));
        ASSERT_LT(difference / torch.gradients[g].scale(i), 1e-31) << variant << " " << g << " " << i;
        ASSERT_NEAR(truth.gradients[g].scale(i) / torch.gradients[g].scale(i), 1, 0.5);
      }
    }
  }
}

TEST(RmsNormVariants, InF32TheCastsAreTheIdentity) {
  const RmsNormCase c(3, 37, 2);
  const Truth torch = c.truth("torch");
  for (const char* variant : {"llama", "t5", "burn", "seed"}) {
    const Truth truth = c.truth(variant);
    for (std::size_t i = 0; i < truth.outputs[0].size(); ++i)
      ASSERT_LT(distance(real_at(truth.outputs[0], i), real_at(torch.outputs[0], i)), 1e-32) << variant;
  }
}

std::string refusal(const RmsNormCase& c, const char* variant) {
  try {
    c.truth(variant);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(RmsNormVariants, DtypesThatAVariantDoesNotHaveAreRefusedInOneLine) {
  RmsNormCase c(2, 3);
  c.store_as(bf16, f32);
  EXPECT_EQ(refusal(c, "burn"), "rmsnorm: variant burn takes w of x's dtype; got x bf16, w f32");
  EXPECT_EQ(refusal(c, "seed"), "rmsnorm: variant seed is f32 alone; got x bf16, w f32");
  c.x_at(1, 2) = 1.001F;
  EXPECT_EQ(refusal(c, "torch"), "rmsnorm: input x, row 1, column 2 is 1.001000, which bf16 does not have");
  c.store_as(bf16, bf16);
  c.w[1] = 1.001F;
  EXPECT_EQ(refusal(c, "torch"), "rmsnorm: input w, column 1 is 1.001000, which bf16 does not have");
}

TEST(RmsNormVariants, SpecialRowsAreTheSameInEveryVariant) {
  for (const Served& s : served) {
    RmsNormCase c(4, 5, 3);
    c.store_as(s.x, s.w);
    c.x_at(1, 2) = std::nanf("");
    for (std::int64_t n = 0; n < 5; ++n) c.x_at(2, n) = 0;
    if (s.x != f16) c.x_at(3, 1) = 0x1p70F;
    const Truth truth = c.truth(s.variant);
    for (std::size_t n = 0; n < 5; ++n) {
      EXPECT_EQ(truth.outputs[0].element_class(5 + n), ElementClass::nan) << s.variant;
      EXPECT_EQ(truth.gradients[1].element_class(n), ElementClass::nan) << s.variant;
      EXPECT_EQ(truth.outputs[0].error(10 + n, 0.0F), 0) << s.variant;
      EXPECT_EQ(truth.outputs[0].element_class(15 + n),
                s.x == f16 ? ElementClass::number : ElementClass::zero)
          << s.variant;
    }
  }
}

}  // namespace
}  // namespace seamgate::reference
