// The launch log, the buffer registry, block orders and kernel names, each by itself.
#include <gtest/gtest.h>

#include <set>

#include "kernels/simt/buffers.hpp"
#include "kernels/simt/kernel_name.hpp"
#include "kernels/simt/launch_log.hpp"
#include "kernels/simt/schedule.hpp"

namespace seamgate::simt {
namespace {

TEST(LaunchLog, CountsOnlyWhatCameAfterTheMark) {
  LaunchLog log;
  log.note("primitive.mul");
  const auto mark = log.mark();
  log.note("primitive.mul");
  log.append("rmsnorm::forward_kernel<float>", {4, 1, 1}, {256, 1, 1}, 0, "plain");
  EXPECT_EQ(log.count_since(mark, "primitive.mul"), 1U);
  EXPECT_EQ(log.count_since(mark, "forward_kernel"), 1U);
  EXPECT_EQ(log.count_since(mark, ""), 2U);
  EXPECT_EQ(log.count_since(mark, "adjoint"), 0U);
  ASSERT_EQ(log.since(mark).size(), 2U);
  EXPECT_EQ(log.since(mark)[1].sequence, 3U);
  EXPECT_EQ(log.since(mark)[0].build, "");
}

TEST(LaunchLog, RefusesToAnswerAboutDroppedRecords) {
  LaunchLog log;
  for (std::size_t i = 0; i < LaunchLog::capacity + 1; ++i) log.note("n");
  EXPECT_THROW((void)log.since(0), std::runtime_error);
  EXPECT_THROW((void)log.count_since(0, "n"), std::runtime_error);
  EXPECT_EQ(log.count_since(1, "n"), LaunchLog::capacity);
}

TEST(Buffers, RefusesOverlapAndForgetsWhatIsRemoved) {
  BufferRegistry registry;
  char memory[64] = {};
  registry.add(memory + 16, 16, "a");
  EXPECT_THROW(registry.add(memory + 31, 4, "b"), std::invalid_argument);
  EXPECT_THROW(registry.add(memory + 8, 9, "b"), std::invalid_argument);
  EXPECT_THROW(registry.add(memory + 16, 1, "b"), std::invalid_argument);
  registry.add(memory + 32, 4, "after");
  registry.add(memory, 16, "before");
  registry.add(memory + 20, 0, "empty");
  EXPECT_EQ(registry.size(), 3U);
  const auto generation = registry.generation();
  registry.remove(memory + 16);
  registry.remove(memory + 17);
  registry.remove(nullptr);
  EXPECT_EQ(registry.size(), 2U);
  EXPECT_GT(registry.generation(), generation);
  EXPECT_EQ(registry.snapshot().front().name, "before");
}

TEST(BlockOrder, EveryOrderVisitsEveryBlockOnce) {
  for (const BlockOrder order : {BlockOrder::in_order(), BlockOrder::reversed(), BlockOrder::shuffled(7)}) {
    for (const std::uint64_t count : {1U, 2U, 3U, 64U, 65U, 1000U, 4097U}) {
      std::set<std::uint64_t> seen;
      for (std::uint64_t p = 0; p < count; ++p) seen.insert(order.block_at(p, count));
      EXPECT_EQ(seen.size(), count);
      EXPECT_EQ(*seen.rbegin(), count - 1);
    }
  }
}

TEST(BlockOrder, ShufflesDifferBySeedAndRepeat) {
  const auto sequence = [](std::uint64_t seed) {
    std::vector<std::uint64_t> blocks;
    for (std::uint64_t p = 0; p < 100; ++p) blocks.push_back(BlockOrder::shuffled(seed).block_at(p, 100));
    return blocks;
  };
  EXPECT_EQ(sequence(1), sequence(1));
  EXPECT_NE(sequence(1), sequence(2));
}

TEST(Workers, AnImpossibleNumberIsRefused) {
  EXPECT_THROW(set_workers(0), std::invalid_argument);
  EXPECT_THROW(set_workers(65), std::invalid_argument);
}

TEST(KernelName, DropsTheBuildAndTheProject) {
  EXPECT_EQ(kernel_name("const std::string& seamgate::simt::name_of() [with auto Kernel = "
                        "seamgate::kernels::rmsnorm::plain::forward_kernel<seamgate::kernels::rmsnorm::plain:"
                        ":Policy<float, "
                        "3> >; std::string = std::basic_string<char>]",
                        "plain"),
            "rmsnorm::forward_kernel<rmsnorm::Policy<float, 3>>");
  EXPECT_EQ(kernel_name("x [with auto Kernel = (& seamgate::kernels::cuda::scale)]", "cuda"), "scale");
  EXPECT_EQ(kernel_name("x [Kernel = &mine::explain::plain::k<int>]", "plain"), "mine::explain::k<int>");
}

}  // namespace
}  // namespace seamgate::simt
