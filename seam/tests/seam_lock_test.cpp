// The seam lock: who may read counters, and whose asks they are.
#include "seam/seam_lock.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "seam/tests/scale_op.hpp"

namespace seamgate::seam::testing {
namespace {

using Tracked = Tensor<Autodiff<Cpu, BalancedCheckpointing>>;

std::string read_error(const Counters& counters, const SeamLock& lock) {
  try {
    counters.read(lock);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return {};
}

template <class Body>
void in_another_thread(Body&& body) {
  std::thread thread(body);
  thread.join();
}

TEST(SeamLockTest, TheHoldersOwnAsksAreItsOwn) {
  const SeamLock lock;
  Counters counters;
  counters.ask();
  EXPECT_FALSE(SeamLock::this_ask_is_foreign());
  EXPECT_EQ(read_error(counters, lock), "");
}

TEST(SeamLockTest, AnAskByAStrangerIsFoundOutAtTheNextRead) {
  const SeamLock lock;
  Counters counters;
  counters.ask();
  in_another_thread([&] {
    EXPECT_TRUE(SeamLock::this_ask_is_foreign());
    for (int i = 0; i < 3; ++i) counters.ask();
  });
  const std::string error = read_error(counters, lock);
  EXPECT_EQ(error.find("counters: 3 asks by threads that the holder"), 0U) << error;
  EXPECT_NE(error.find("SeamLock::Participant"), std::string::npos) << "the message says what to do";
  EXPECT_NE(read_error(counters, lock), "") << "reading does not forget";
  counters.reset(lock);
  EXPECT_EQ(read_error(counters, lock), "");
}

TEST(SeamLockTest, AParticipantAsksOnTheHoldersAccountAndNoLonger) {
  const SeamLock lock;
  in_another_thread([&] {
    {
      const SeamLock::Participant joined(lock);
      EXPECT_FALSE(SeamLock::this_ask_is_foreign());
      {
        const SeamLock::Participant again(lock);
        EXPECT_FALSE(SeamLock::this_ask_is_foreign());
      }
      EXPECT_FALSE(SeamLock::this_ask_is_foreign());
    }
    EXPECT_TRUE(SeamLock::this_ask_is_foreign());
  });
}

TEST(SeamLockTest, ParticipationEndsWithTheLockThatWasJoined) {
  std::atomic<int> step{0};
  std::thread worker;
  {
    const SeamLock first;
    worker = std::thread([&] {
      const SeamLock::Participant joined(first);
      step = 1;
      while (step != 2) std::this_thread::yield();
      EXPECT_TRUE(SeamLock::this_ask_is_foreign()) << "another lock's counters are not this thread's";
      step = 3;
    });
    while (step != 1) std::this_thread::yield();
  }
  const SeamLock second;
  step = 2;
  worker.join();
  EXPECT_EQ(step, 3);
}

TEST(SeamLockTest, WithoutAHolderNoAskIsForeign) {
  EXPECT_FALSE(SeamLock::this_ask_is_foreign());
  in_another_thread([] { EXPECT_FALSE(SeamLock::this_ask_is_foreign()); });
}

TEST(SeamLockTest, IsHeldByOneThreadAtATime) {
  std::atomic<bool> taken{false};
  std::thread other;
  {
    const SeamLock lock;
    other = std::thread([&] {
      const SeamLock mine;
      taken = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(taken);
  }
  other.join();
  EXPECT_TRUE(taken);
}

TEST(SeamLockTest, ThreadsTimesAsksGiveExactTotals) {
  constexpr int threads = 8;
  constexpr int rounds = 200;
  const SeamLock lock;
  ScaleSeam::counters().reset(lock);
  const Tensor<Cpu> x = Tensor<Cpu>::ones({2, 3});
  const Tensor<Cpu> s = Tensor<Cpu>::ones({3});
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&] {
      const SeamLock::Participant joined(lock);
      const ScaleSeam seam(ScaleKernels::machines(), {"plain", 1e-6F, {}});
      const ScaleSeam no_kernels({nullptr, nullptr}, {"plain", 1e-6F, {}});
      for (int i = 0; i < rounds; ++i) {
        seam.forward({x, s});
        no_kernels.forward({x, s});
        const AnyTensor y = seam.forward({Tracked::from_inner(x), Tracked::from_inner(s).require_grad()})[0];
        y.as<Tracked>()->backward(Tensor<Cpu>::ones({2, 3}));
      }
    });
  }
  for (auto& worker : workers) worker.join();
  const auto counters = ScaleSeam::counters().read(lock);
  EXPECT_EQ(counters.arms(), "(4800,1600,1600,1600)");
  EXPECT_EQ(counters[Decline::device], 1600U);
  EXPECT_EQ(counters[Counter::node_tracked], 1600U);
  EXPECT_EQ(counters[Counter::node_backward], 1600U);
  EXPECT_EQ(counters.broken_law(), "");
}

}  // namespace
}  // namespace seamgate::seam::testing
