// Cases print, parse and replay; whatever is not a case is refused in one line.
#include "gates/case.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "gates/gate.hpp"
#include "gates/inputs.hpp"

namespace seamgate::gates {
namespace {

const OpTraits& any_op() {
  return *all_ops().front();
}

// A case text of an op that this program has, with parts replaced.
std::string text_of(const std::string& dtype = "f32", const std::string& shape = "3x7",
                    const std::string& distribution = "normal", const std::string& seed = "s7",
                    const std::string& rest = "") {
  return any_op().name + "/" + any_op().contract().variants.front().name + "/" + dtype + "/" + shape + "/" +
         distribution + "/" + seed + rest;
}

std::string error_of(const std::string& text) {
  try {
    parse_case(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(Case, OfEveryGateOpBackendAndTierPrintsAndParsesToItself) {
  std::size_t seen = 0;
  for (const Gate* gate : all_gates()) {
    for (const OpTraits* op : all_ops()) {
      if (gate->inapplicable != nullptr && !gate->inapplicable(*op).empty()) continue;
      for (const Backend backend : gate->backends) {
        for (const Tier tier : all_tiers) {
          const auto cases = gate->cases({*op, backend, tier});
          EXPECT_FALSE(cases.empty())
              << gate->id << " plans nothing on " << to_string(backend) << " at tier " << to_string(tier);
          for (const Case& c : cases) {
            const Case back = parse_case(c.str());
            ASSERT_EQ(back.str(), c.str()) << gate->id;
            EXPECT_EQ(back.op, c.op);
            EXPECT_EQ(back.variant, c.variant);
            EXPECT_EQ(back.dtypes, c.dtypes) << c.str();
            EXPECT_EQ(back.shape, c.shape) << c.str();
            EXPECT_EQ(back.distribution, c.distribution);
            EXPECT_EQ(back.seed, c.seed);
            EXPECT_EQ(back.layout, c.layout);
            EXPECT_TRUE(back.eps == c.eps || (std::isnan(back.eps) && std::isnan(c.eps))) << c.str();
            EXPECT_EQ(back.plan.row_blocks, c.plan.row_blocks);
            ++seen;
          }
        }
      }
    }
  }
  EXPECT_GT(seen, 100U);
}

TEST(Case, IsPlannedOnceByAGate) {
  for (const Gate* gate : all_gates()) {
    for (const OpTraits* op : all_ops()) {
      if (gate->inapplicable != nullptr && !gate->inapplicable(*op).empty()) continue;
      std::set<std::string> seen;
      for (const Case& c : gate->cases({*op, gate->backends.front(), Tier::premerge})) {
        EXPECT_TRUE(seen.insert(c.str()).second)
            << gate->id << " plans " << c.str() << " twice: planned and seen cannot agree";
      }
    }
  }
}

TEST(Case, EachTierContainsTheOneBefore) {
  for (const Gate* gate : all_gates()) {
    for (const OpTraits* op : all_ops()) {
      if (gate->inapplicable != nullptr && !gate->inapplicable(*op).empty()) continue;
      std::set<std::string> before;
      for (const Tier tier : {Tier::smoke, Tier::premerge, Tier::nightly}) {
        std::set<std::string> now;
        for (const Case& c : gate->cases({*op, gate->backends.front(), tier})) now.insert(c.str());
        for (const auto& text : before)
          EXPECT_TRUE(now.contains(text)) << gate->id << ": tier " << to_string(tier) << " lacks " << text;
        before = now;
      }
    }
  }
}

TEST(Case, EpsRoundTripsToTheLastBit) {
  for (const float eps : {1e-6F, 1.1754944e-38F, 1e-45F, 0.1F, 1.0F / 3.0F, 3.4e38F, 0.0F, -1e-6F}) {
    Case c = parse_case(text_of());
    c.eps = eps;
    EXPECT_EQ(parse_case(c.str()).eps, eps) << c.str();
  }
}

TEST(Case, PrintsOnlyWhatIsNotTheDefault) {
  EXPECT_EQ(parse_case(text_of()).str(), text_of());
  const std::string full = text_of("f32", "2x3x4x5", "mixed", "s18446744073709551615", "/strided/e0.5/p8");
  EXPECT_EQ(parse_case(full).str(), full);
  EXPECT_EQ(parse_case(text_of("f32", "3x7", "normal", "s7", "/p8/e0.5/strided")).str(),
            text_of("f32", "3x7", "normal", "s7", "/strided/e0.5/p8"))
      << "the order of the last parts is free";
  EXPECT_EQ(parse_case(text_of("f32", "3x7", "normal", "s7", "/packed")).str(), text_of());
}

TEST(Case, NamesEachInputsDtypeWhereTheyDiffer) {
  const auto inputs = any_op().contract().inputs.size();
  ASSERT_GE(inputs, 2U);
  std::string dtypes = "bf16";
  for (std::size_t i = 1; i < inputs; ++i) dtypes += "+f32";
  const Case c = parse_case(text_of(dtypes));
  EXPECT_EQ(c.dtypes[0], DType::bf16);
  EXPECT_EQ(c.dtypes[1], DType::f32);
  EXPECT_EQ(c.str(), text_of(dtypes));
}

TEST(Case, WhatIsNotOneIsRefusedInOneLineThatSaysWhatIsAllowed) {
  struct Bad {
    std::string text;
    const char* given;
    const char* allowed;
  };
  const std::string tail = "/f32/3x7/normal/s7";
  const std::vector<Bad> table = {
      {"", "has 1 parts", "OP/VARIANT/DTYPE/SHAPE/DISTRIBUTION/sSEED"},
      {"garbage", "has 1 parts", "OP/VARIANT"},
      {"/////", "op is ''", "allowed: "},
      {text_of().substr(0, text_of().rfind('/')), "has 5 parts", "OP/VARIANT"},
      {"nosuchop/torch" + tail, "op is 'nosuchop'", "allowed: "},
      {any_op().name + "/nosuchvariant" + tail, "variant is 'nosuchvariant'", "allowed: "},
      {any_op().name + "/" + tail, "variant is ''", "allowed: "},
      {text_of("f64"), "dtype is 'f64'", "f32, bf16, f16"},
      {text_of(""), "dtype is ''", "f32, bf16, f16"},
      {text_of("f32+"), "dtype is ''", "f32, bf16, f16"},
      {text_of("f32+f32+f32+f32+f32"), "names 5 dtypes", "one for each"},
      {text_of("f32", ""), "shape is ''", "1 to 4 sizes"},
      {text_of("f32", "3x"), "shape is '3x'", "1 to 4 sizes"},
      {text_of("f32", "x7"), "shape is 'x7'", "1 to 4 sizes"},
      {text_of("f32", "3X7"), "shape is '3X7'", "1 to 4 sizes"},
      {text_of("f32", "-3x7"), "shape is '-3x7'", "1 to 4 sizes"},
      {text_of("f32", "3.5x7"), "shape is '3.5x7'", "1 to 4 sizes"},
      {text_of("f32", " 3x7"), "shape is ' 3x7'", "1 to 4 sizes"},
      {text_of("f32", "1x2x3x4x5"), "rank 5", "1 to 4"},
      {text_of("f32", "9223372036854775808x2"), "shape is '9223372036854775808x2'", "1 to 4 sizes"},
      {text_of("f32", "4294967296x4294967296"), "shape is '4294967296x4294967296'", "at most 1e15 elements"},
      {text_of("f32", "3x7", "uniform"), "distribution is 'uniform'", "eps-dominated"},
      {text_of("f32", "3x7", ""), "distribution is ''", "normal"},
      {text_of("f32", "3x7", "normal", "7"), "seed is '7'", "such as s7"},
      {text_of("f32", "3x7", "normal", "s"), "seed is 's'", "such as s7"},
      {text_of("f32", "3x7", "normal", "s-1"), "seed is 's-1'", "such as s7"},
      {text_of("f32", "3x7", "normal", "s7a"), "seed is 's7a'", "such as s7"},
      {text_of("f32", "3x7", "normal", "s18446744073709551616"), "seed is 's18446744073709551616'",
       "such as s7"},
      {text_of("f32", "3x7", "normal", "s7", "/"), "part ''", "a layout"},
      {text_of("f32", "3x7", "normal", "s7", "/sideways"), "part 'sideways'", "packed, strided"},
      {text_of("f32", "3x7", "normal", "s7", "/offset8"), "part 'offset8'", "offset7"},
      {text_of("f32", "3x7", "normal", "s7", "/e"), "part 'e'", "e1e-05"},
      {text_of("f32", "3x7", "normal", "s7", "/e1e"), "part 'e1e'", "e1e-05"},
      {text_of("f32", "3x7", "normal", "s7", "/e1e400"), "part 'e1e400'", "e1e-05"},
      {text_of("f32", "3x7", "normal", "s7", "/p0"), "part 'p0'", "p8"},
      {text_of("f32", "3x7", "normal", "s7", "/p-8"), "part 'p-8'", "p8"},
      {text_of("f32", "3x7", "normal", "s7", "/p99999999999"), "part 'p99999999999'", "p8"},
      {text_of("f32", "3x7", "normal", "s7", "/p8/p9"), "part 'p9' is a second one", "at most one"},
      {text_of("f32", "3x7", "normal", "s7", "/strided/offset1"), "part 'offset1' is a second one",
       "at most one"},
      {text_of("f32", "3x7", "normal", "s7", "/e0.5/e0.25"), "part 'e0.25' is a second one", "at most one"},
  };
  for (const auto& bad : table) {
    const std::string error = error_of(bad.text);
    EXPECT_EQ(error.find("case '" + bad.text + "': "), 0U) << "'" << bad.text << "' gave: " << error;
    EXPECT_NE(error.find(bad.given), std::string::npos) << "'" << bad.text << "' gave: " << error;
    EXPECT_NE(error.find(bad.allowed), std::string::npos) << "'" << bad.text << "' gave: " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(Case, OfAnOpWithoutAnEpsOrPointsNamesNeither) {
  for (const OpTraits* op : all_ops()) {
    const auto text = [&](const std::string& distribution, const std::string& rest = "") {
      return op->name + "/" + op->contract().variants.front().name + "/f32/3x7/" + distribution + "/s7" +
             rest;
    };
    const bool has_eps = op->contract().has_eps;
    EXPECT_EQ(error_of(text("eps-dominated")).empty(), has_eps) << op->name;
    EXPECT_EQ(error_of(text("points")).empty(), !op->points.empty()) << op->name;
    const std::string refused = error_of(text("normal", "/e0.5"));
    EXPECT_EQ(refused.empty(), has_eps) << op->name;
    EXPECT_EQ(refused.find("'e0.5' gives an eps; allowed: none") != std::string::npos, !has_eps) << refused;
  }
}

}  // namespace
}  // namespace seamgate::gates
