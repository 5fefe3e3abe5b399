// The checker on toy kernels: every wrong one is found, every right one is left in peace.
#include "kernels/simt/checker.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/simt/launch_log.hpp"
#include "kernels/simt/schedule.hpp"
#include "kernels/simt/tests/toy_bench.hpp"

namespace seamgate::simt::test {
namespace {

std::string all_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += "  " + finding.message + "\n";
  return text;
}

bool has_kind(const std::vector<Finding>& findings, std::string_view kind) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.kind == kind; });
}

const std::vector<Schedule> schedules = {Schedule::in_order(), Schedule::greedy_random(1),
                                         Schedule::greedy_random(2)};

std::vector<Finding> findings_of(std::string_view name) {
  ToyBench bench;
  const CheckerScope scope;
  (void)toy_named(checked_toys(), name).run(bench.memory());
  return scope.findings();
}

TEST(Checker, FindsEveryWrongKernelInEveryOrder) {
  int wrong = 0;
  for (const Toy& toy : checked_toys()) {
    if (toy.finding.empty()) continue;
    ++wrong;
    for (const Schedule& schedule : schedules) {
      const ExecutionScope execution;
      set_schedule(schedule);
      ToyBench bench;
      const CheckerScope scope;
      (void)toy.run(bench.memory());
      EXPECT_TRUE(has_kind(scope.findings(), toy.finding))
          << toy.name << ": want " << toy.finding << ", got\n"
          << all_of(scope.findings());
    }
  }
  EXPECT_GE(wrong, 25);
}

TEST(Checker, IsSilentOnEveryRightKernelInEveryOrder) {
  int right = 0;
  for (const Toy& toy : checked_toys()) {
    if (!toy.finding.empty()) continue;
    ++right;
    for (const Schedule& schedule : schedules) {
      const ExecutionScope execution;
      set_schedule(schedule);
      set_block_order(BlockOrder::shuffled(schedule.seed));
      ToyBench bench;
      const CheckerScope scope;
      const kernels::Status status = toy.run(bench.memory());
      EXPECT_TRUE(status.ok()) << toy.name << ": " << status.message;
      EXPECT_TRUE(scope.findings().empty()) << toy.name << ":\n" << all_of(scope.findings());
    }
  }
  EXPECT_GE(right, 20);
}

TEST(Checker, GivesThePlainBuildsResults) {
  const std::vector<Toy> plain_ones = plain_toys();
  for (const Toy& toy : checked_toys()) {
    if (!toy.finding.empty()) continue;
    ToyBench bench;
    ASSERT_TRUE(toy.run(bench.memory()).ok()) << toy.name;
    const auto from_checked = bench.bytes();
    bench.refill();
    ASSERT_TRUE(toy_named(plain_ones, toy.name).run(bench.memory()).ok()) << toy.name;
    EXPECT_EQ(from_checked, bench.bytes()) << toy.name;
  }
}

TEST(Checker, NamesBothLinesThreadsBlockAndBufferOfARace) {
  const std::vector<Finding> findings = findings_of("mirror without a barrier");
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [](const Finding& f) { return f.kind == finding::race_in_block; });
  ASSERT_NE(found, findings.end());
  const Finding& race = *found;
  EXPECT_EQ(race.kernel, "test::mirror_kernel<false>");
  EXPECT_NE(race.message.find("block 0: thread "), std::string::npos) << race.message;
  EXPECT_NE(race.message.find("of 'tile' at toy_races.hpp:"), std::string::npos) << race.message;
  EXPECT_NE(race.message.find(" it at toy_races.hpp:"), std::string::npos) << race.message;
  EXPECT_EQ(race.message.find('\n'), std::string::npos);
}

TEST(Checker, FoldsWhatItFindsAtOnePlaceIntoOneFindingWithACount) {
  const std::vector<Finding> findings = findings_of("lane exchange without syncwarp");
  ASSERT_FALSE(findings.empty());
  EXPECT_LE(findings.size(), 4U) << all_of(findings);
  EXPECT_GT(findings.front().count, 8);
}

TEST(Checker, SaysWhoWaitsWhereInADeadlock) {
  const std::vector<Finding> findings = findings_of("shuffle against barrier");
  ASSERT_FALSE(findings.empty());
  EXPECT_NE(findings.back().message.find("waits at __syncthreads toy_meetings.hpp:"), std::string::npos);
  EXPECT_NE(findings.back().message.find("waits at __shfl_down_sync toy_meetings.hpp:"), std::string::npos);
}

TEST(Checker, NamesTheBufferAndTheByteOfAnAccessOutside) {
  const std::vector<Finding> findings = findings_of("read past the end");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NE(findings[0].message.find("block 3: thread 255 reads 4 bytes at toy_memory.hpp:"),
            std::string::npos)
      << findings[0].message;
  EXPECT_NE(findings[0].message.find("byte 4096 of 'in' (4096 bytes)"), std::string::npos)
      << findings[0].message;
}

TEST(Checker, FailsALaunchThatItStoppedAndDoesNotLogIt) {
  const CheckerScope scope;
  for (const char* name :
       {"read past the end", "null pointer", "vector load off by one", "barrier of half the threads",
        "shuffle against barrier", "static index past the end"}) {
    ToyBench bench;
    const auto before = launch_log().mark();
    const kernels::Status status = toy_named(checked_toys(), name).run(bench.memory());
    EXPECT_EQ(status.code, kernels::StatusCode::launch_failed) << name;
    EXPECT_EQ(status.message.rfind("checker: ", 0), 0U) << status.message;
    EXPECT_EQ(launch_log().since(before).size(), 0U) << name;
  }
}

TEST(Checker, LetsALaunchWithARaceFinishWhenSomebodyCollects) {
  ToyBench bench;
  const CheckerScope scope;
  EXPECT_TRUE(toy_named(checked_toys(), "mirror without a barrier").run(bench.memory()).ok());
  EXPECT_FALSE(scope.findings().empty());
}

TEST(Checker, FailsALaunchWithARaceThatNobodyCollects) {
  ToyBench bench;
  const kernels::Status status = toy_named(checked_toys(), "mirror without a barrier").run(bench.memory());
  EXPECT_EQ(status.code, kernels::StatusCode::launch_failed);
  EXPECT_NE(status.message.find("race_in_block"), std::string::npos) << status.message;
}

TEST(Checker, ForgetsThePreviousLaunch) {
  ToyBench bench;
  const CheckerScope scope;
  for (int i = 0; i < 3; ++i) {
    bench.refill();
    ASSERT_TRUE(toy_named(checked_toys(), "mirror").run(bench.memory()).ok());
    ASSERT_TRUE(toy_named(checked_toys(), "last block").run(bench.memory()).ok());
  }
  EXPECT_TRUE(scope.findings().empty()) << all_of(scope.findings());
}

TEST(Checker, ReportsReadsOfABufferThatNoKernelWrote) {
  ToyBench bench(Contents::unwritten);
  const CheckerScope scope;
  const auto toys = checked_toys();
  ASSERT_TRUE(toy_named(toys, "sum of out").run(bench.memory()).ok());
  EXPECT_TRUE(has_kind(scope.findings(), finding::unwritten_device)) << all_of(scope.findings());
}

TEST(Checker, KnowsWhatEarlierKernelsWrote) {
  ToyBench bench(Contents::unwritten);
  const CheckerScope scope;
  const auto toys = checked_toys();
  ASSERT_TRUE(toy_named(toys, "sum of written out").run(bench.memory()).ok());
  ASSERT_TRUE(toy_named(toys, "sum of out").run(bench.memory()).ok());
  EXPECT_TRUE(scope.findings().empty()) << all_of(scope.findings());
}

TEST(Checker, EveryLivingScopeCollects) {
  ToyBench bench;
  const CheckerScope outer;
  {
    const CheckerScope inner;
    (void)toy_named(checked_toys(), "mirror without a barrier").run(bench.memory());
    EXPECT_EQ(inner.findings().size(), outer.findings().size());
  }
  (void)toy_named(checked_toys(), "mirror without a barrier").run(bench.memory());
  EXPECT_GT(outer.findings().size(), 1U);
}

TEST(Checker, ForgetsABufferThatWasRemoved) {
  ToyBench bench;
  const ToyMemory memory = bench.memory();
  const CheckerScope scope;
  buffers().remove(memory.half);
  const kernels::Status status = toy_named(checked_toys(), "narrow elements").run(memory);
  EXPECT_EQ(status.code, kernels::StatusCode::launch_failed);
  EXPECT_TRUE(has_kind(scope.findings(), finding::out_of_bounds));
}

}  // namespace
}  // namespace seamgate::simt::test
