// The emulator's plain build: results, limits, orders, stops, the log.
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "kernels/simt/launch_log.hpp"
#include "kernels/simt/schedule.hpp"
#include "kernels/simt/simt.hpp"
#include "kernels/simt/tests/toy_bench.hpp"

namespace seamgate::simt::test {
namespace {

__global__ void index_kernel(unsigned* sum, int expected_threads) {
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  atomicAdd(&sum[block * expected_threads + thread], 1U);
}

__global__ void static_memory_kernel(float* out) {
  SIMT_SHARED(float, tile, [12289]);
  tile[0] = 1.0F;
  out[0] = tile[0];
}

__global__ void poison_kernel(float* out) {
  SIMT_SHARED(float, tile, [4]);
  SIMT_DYNAMIC_SHARED(float, more);
  out[0] = tile[3];
  out[1] = more[1];
}

__global__ void warp_vocabulary_kernel(int* out) {
  const int t = threadIdx.x;
  out[0 * 32 + t] = __shfl_sync(0xFFFFFFFFU, t, 5, 8);
  out[1 * 32 + t] = __shfl_up_sync(0xFFFFFFFFU, t, 3, 16);
  out[2 * 32 + t] = __shfl_down_sync(0xFFFFFFFFU, t, 3, 16);
  out[3 * 32 + t] = __shfl_xor_sync(0xFFFFFFFFU, t, 9, 32);
  out[4 * 32 + t] = static_cast<int>(__ballot_sync(0xFFFFFFFFU, t % 2));
  out[5 * 32 + t] = __any_sync(0xFFFFFFFFU, t == 7) + 2 * __all_sync(0xFFFFFFFFU, t < 32) +
                    4 * __any_sync(0xFFFFFFFFU, t > 31) + 8 * __all_sync(0xFFFFFFFFU, t < 31);
  out[6 * 32 + t] = static_cast<int>(__shfl_sync(0xFFFFFFFFU, static_cast<double>(t) + 0.5, 31) * 2.0);
}

TEST(Emulator, RunsEveryThreadOfEveryBlockOnceInThreeDimensions) {
  const Config config{.grid = {3, 4, 5}, .block = {7, 3, 2}};
  std::vector<unsigned> count(60 * 42, 0);
  ASSERT_TRUE(launch<index_kernel>(config, count.data(), 42).ok());
  for (const unsigned n : count) ASSERT_EQ(n, 1U);
}

TEST(Emulator, ShufflesAndVotesAsCudaDoes) {
  std::vector<int> out(7 * 32);
  ASSERT_TRUE(launch<warp_vocabulary_kernel>(Config{.grid = 1, .block = 32}, out.data()).ok());
  for (int t = 0; t < 32; ++t) {
    EXPECT_EQ(out[0 * 32 + t], t / 8 * 8 + 5);
    EXPECT_EQ(out[1 * 32 + t], t % 16 >= 3 ? t - 3 : t);
    EXPECT_EQ(out[2 * 32 + t], t % 16 + 3 < 16 ? t + 3 : t);
    EXPECT_EQ(out[3 * 32 + t], t ^ 9);
    EXPECT_EQ(static_cast<unsigned>(out[4 * 32 + t]), 0xAAAAAAAAU);
    EXPECT_EQ(out[5 * 32 + t], 1 + 2);
    EXPECT_EQ(out[6 * 32 + t], 63);
  }
}

TEST(Emulator, RightKernelsGiveOneResultInEveryOrderAndOnAnyNumberOfWorkers) {
  for (const Toy& toy : plain_toys()) {
    if (!toy.finding.empty()) continue;
    ToyBench bench;
    const kernels::Status status = toy.run(bench.memory());
    ASSERT_TRUE(status.ok()) << toy.name << ": " << status.message;
    const auto expected = bench.bytes();
    for (int seed = 0; seed < 6; ++seed) {
      const ExecutionScope scope;
      set_workers(1 + seed % 3);
      set_schedule(Schedule::greedy_random(seed));
      set_block_order(seed % 2 == 0 ? BlockOrder::reversed() : BlockOrder::shuffled(seed));
      bench.refill();
      ASSERT_TRUE(toy.run(bench.memory()).ok()) << toy.name;
      EXPECT_EQ(bench.bytes(), expected) << toy.name << " seed " << seed;
    }
  }
}

int wrong_results(const char* name, Schedule (*schedule)(std::uint64_t)) {
  ToyBench bench;
  const auto toys = plain_toys();
  EXPECT_TRUE(toy_named(toys, "two sums").run(bench.memory()).ok());
  const auto expected = bench.out();
  int wrong = 0;
  const ExecutionScope scope;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    set_schedule(schedule(seed));
    bench.refill();
    EXPECT_TRUE(toy_named(toys, name).run(bench.memory()).ok());
    wrong += bench.out() != expected ? 1 : 0;
  }
  return wrong;
}

TEST(Emulator, GreedyRandomOrderShowsAMissingBarrierBeforeReuseInAll50Seeds) {
  EXPECT_EQ(wrong_results("two sums without a barrier before reuse", &Schedule::greedy_random), 50);
  EXPECT_EQ(wrong_results("two sums", &Schedule::greedy_random), 0);
}

TEST(Emulator, RefusesWhatAGpuRefusesAndRunsNothing) {
  struct Refused {
    Config config;
    const char* says;
  };
  const std::vector<Refused> table = {
      {{.grid = 0, .block = 32}, "a grid extent is zero"},
      {{.grid = {1, 0, 1}, .block = 32}, "a grid extent is zero"},
      {{.grid = 1, .block = 0}, "a block extent is zero"},
      {{.grid = 1, .block = 1025}, "more than 1024 threads"},
      {{.grid = 1, .block = {32, 33, 1}}, "more than 1024 threads"},
      {{.grid = 1, .block = {65536, 65536, 1}}, "more than 1024 threads"},
      {{.grid = 1, .block = {1, 1, 65}}, "block.z is above 64"},
      {{.grid = 2147483648U, .block = 1}, "grid.x is above 2147483647"},
      {{.grid = {1, 65536, 1}, .block = 1}, "grid.y or grid.z is above 65535"},
      {{.grid = {1, 1, 65536}, .block = 1}, "grid.y or grid.z is above 65535"},
      {{.grid = 1, .block = 1, .smem_bytes = 227 * 1024 + 1}, "dynamic shared memory is above 232448 bytes"},
  };
  for (const Refused& row : table) {
    unsigned count = 0;
    const auto before = launch_log().mark();
    const kernels::Status status = launch<index_kernel>(row.config, &count, 0);
    EXPECT_EQ(status.code, kernels::StatusCode::launch_failed) << row.says;
    EXPECT_NE(status.message.find("invalid configuration, "), std::string::npos) << status.message;
    EXPECT_NE(status.message.find(row.says), std::string::npos) << status.message;
    EXPECT_EQ(count, 0U);
    EXPECT_EQ(launch_log().mark(), before);
  }
}

TEST(Emulator, TakesTheLargestBlockAndTheMostSharedMemory) {
  std::vector<unsigned> count(1024, 0);
  const Config config{.grid = 1, .block = {16, 4, 16}, .smem_bytes = max_shared_bytes};
  ASSERT_TRUE(launch<index_kernel>(config, count.data(), 0).ok());
}

TEST(Emulator, RefusesMoreStaticSharedMemoryThanAGpuHas) {
  float out = 0.0F;
  const kernels::Status status = launch<static_memory_kernel>(Config{.grid = 1, .block = 1}, &out);
  EXPECT_EQ(status.code, kernels::StatusCode::launch_failed);
  EXPECT_NE(status.message.find("49156 bytes"), std::string::npos) << status.message;
}

TEST(Emulator, FillsSharedMemoryWithNaNBeforeEachBlock) {
  float out[2] = {0.0F, 0.0F};
  ASSERT_TRUE(
      launch<poison_kernel>(Config{.grid = 1, .block = 1, .smem_bytes = 8}, static_cast<float*>(out)).ok());
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_TRUE(std::isnan(out[1]));
}

TEST(Emulator, StopsDeadlocksAndDivergentBarriersWithoutHanging) {
  struct Stopped {
    const char* toy;
    const char* says;
  };
  const std::vector<Stopped> table = {
      {"barrier of half the threads", "divergent_barrier: "},
      {"barrier in two places", "divergent_barrier: "},
      {"barrier after a return", "divergent_barrier: "},
      {"shuffle against barrier", "deadlock: "},
      {"half-warp shuffle that names others", "shuffle_mask: "},
      {"two operations", "shuffle_mask: "},
      {"poll for ever", "deadlock: "},
  };
  const auto toys = plain_toys();
  for (const Stopped& row : table) {
    ToyBench bench;
    const auto before = launch_log().mark();
    const kernels::Status status = toy_named(toys, row.toy).run(bench.memory());
    EXPECT_EQ(status.code, kernels::StatusCode::launch_failed) << row.toy;
    EXPECT_NE(status.message.find(row.says), std::string::npos) << status.message;
    EXPECT_EQ(launch_log().mark(), before);
    // The fibers that were left in the middle of a kernel do not disturb the next launch.
    bench.refill();
    EXPECT_TRUE(toy_named(toys, "mirror").run(bench.memory()).ok());
  }
}

TEST(Emulator, LogsEachSuccessfulLaunchWithItsShape) {
  ToyBench bench;
  const auto mark = launch_log().mark();
  ASSERT_TRUE(toy_named(plain_toys(), "dynamic index").run(bench.memory()).ok());
  const auto records = launch_log().since(mark);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].kernel, "test::dynamic_index_kernel<0>");
  EXPECT_EQ(records[0].grid, (Extent3{1, 1, 1}));
  EXPECT_EQ(records[0].block, (Extent3{32, 1, 1}));
  EXPECT_EQ(records[0].smem_bytes, 128U);
  EXPECT_EQ(records[0].build, "plain");
  EXPECT_EQ(records[0].sequence, mark + 1);
}

TEST(Emulator, LaunchesFromManyThreadsAtOnce) {
  const auto mark = launch_log().mark();
  const auto toys = plain_toys();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      std::vector<unsigned> count(8 * 64, 0);
      for (int n = 0; n < 25; ++n) {
        ASSERT_TRUE(launch<index_kernel>(Config{.grid = 8, .block = 64}, count.data(), 64).ok());
      }
      for (const unsigned n : count) ASSERT_EQ(n, 25U);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(launch_log().count_since(mark, "index_kernel"), 100U);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// Resident memory is the sanitizer's own; AddressSanitizer looks for leaks itself.
constexpr int leak_rounds = 5;
std::size_t resident_kib() {
  return 1;
}
#else
constexpr int leak_rounds = 1000;
std::size_t resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kib = 0;
    if (word == "VmRSS:" && status >> kib) return kib;
  }
  return 0;
}
#endif

TEST(Emulator, AThousandLaunchesLeakNothing) {
  ToyBench bench;
  const auto toys = plain_toys();
  const auto rounds = [&](int n) {
    for (int i = 0; i < n; ++i) {
      ASSERT_TRUE(toy_named(toys, "two sums").run(bench.memory()).ok());
      ASSERT_FALSE(toy_named(toys, "shuffle against barrier").run(bench.memory()).ok());
    }
  };
  rounds(leak_rounds / 5);
  const std::size_t before = resident_kib();
  rounds(leak_rounds);
  ASSERT_GT(before, 0U);
  EXPECT_LT(resident_kib(), before + 2048);  // the log's records are 64 bytes each
}

}  // namespace
}  // namespace seamgate::simt::test
