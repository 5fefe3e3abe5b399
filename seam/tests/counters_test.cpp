// Counters: what is conserved, and what is said when it is not.
#include "seam/counters.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace seamgate::seam {
namespace {

TEST(Counters, EveryCounterAndReasonHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < counter_count; ++i) names.insert(to_string(static_cast<Counter>(i)));
  EXPECT_EQ(names.size(), counter_count);
  EXPECT_EQ(to_string(Counter::gy_materialised), "gy_materialised")
      << "the last name belongs to the last counter";
  std::set<std::string_view> reasons;
  for (const Decline reason : all_declines) reasons.insert(to_string(reason));
  EXPECT_EQ(reasons.size(), decline_count);
}

TEST(Counters, AskCountsOneAskAndADeclineCountsUnderItsReason) {
  const SeamLock lock;
  Counters counters;
  counters.ask();
  counters.ask();
  counters.decline(Decline::layout);
  counters.add(Counter::bare_ran);
  const auto seen = counters.read(lock);
  EXPECT_EQ(seen.arms(), "(2,1,0,1)");
  EXPECT_EQ(seen[Decline::layout], 1U);
  EXPECT_EQ(seen[Decline::shape], 0U);
  EXPECT_EQ(seen.broken_law(), "");
  counters.reset(lock);
  EXPECT_EQ(counters.read(lock).counts, CounterSnapshot{}.counts);
  EXPECT_EQ(counters.read(lock).declined, CounterSnapshot{}.declined);
}

CounterSnapshot snapshot(std::initializer_list<std::pair<Counter, std::uint64_t>> counts,
                         std::uint64_t declined = 0) {
  CounterSnapshot result;
  for (const auto& [counter, value] : counts) result.counts[static_cast<std::size_t>(counter)] = value;
  result.declined[0] = declined;
  return result;
}

TEST(Conservation, HoldsWhereEveryAskWentSomewhere) {
  EXPECT_EQ(snapshot({}).broken_law(), "");
  EXPECT_EQ(snapshot({{Counter::asked, 10},
                      {Counter::skipped, 1},
                      {Counter::node_ran, 2},
                      {Counter::bare_ran, 3},
                      {Counter::failed, 4}},
                     1)
                .broken_law(),
            "");
  EXPECT_EQ(snapshot({{Counter::node_backward, 3}, {Counter::adjoint_fused, 2}, {Counter::adjoint_tensor, 1}})
                .broken_law(),
            "");
}

TEST(Conservation, SaysWhichLawIsBrokenWithItsFigures) {
  EXPECT_EQ(snapshot({{Counter::asked, 2}, {Counter::node_ran, 1}}).broken_law(),
            "asked 2 != skipped + node_ran + bare_ran + failed 1");
  EXPECT_EQ(snapshot({{Counter::asked, 1}, {Counter::node_ran, 1}, {Counter::failed, 1}}).broken_law(),
            "asked 1 != skipped + node_ran + bare_ran + failed 2");
  EXPECT_EQ(snapshot({{Counter::asked, 2}, {Counter::skipped, 2}}, 1).broken_law(),
            "skipped 2 != sum over reasons 1");
  EXPECT_EQ(snapshot({{Counter::asked, 1}, {Counter::skipped, 1}}, 2).broken_law(),
            "skipped 1 != sum over reasons 2");
  EXPECT_EQ(snapshot({{Counter::node_backward, 3}, {Counter::adjoint_fused, 1}, {Counter::adjoint_tensor, 1}})
                .broken_law(),
            "node_backward 3 != adjoint_fused + adjoint_tensor 2");
}

}  // namespace
}  // namespace seamgate::seam
