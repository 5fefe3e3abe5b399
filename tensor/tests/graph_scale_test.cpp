// Deep graphs, wide graphs, and graphs of several threads.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tensor/autodiff/primitives.hpp"

namespace seamgate {
namespace {

using Bare = Tensor<Cpu>;

template <class S>
class GraphScale : public testing::Test {
 public:
  using T = Tensor<Autodiff<Cpu, S>>;
  static T leaf(float value) { return T::from_inner(Bare::full(value, {1})).require_grad(); }
};
using Strategies = testing::Types<NoCheckpointing, BalancedCheckpointing>;
TYPED_TEST_SUITE(GraphScale, Strategies);

constexpr int depth = 100'000;

// Runs `body` on a stack of 1 MiB: recursion over `depth` nodes does not fit, whatever the compiler makes of
// its frames.
void on_a_small_stack(std::function<void()> body) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, std::size_t{1} << 20), 0);
  pthread_t thread;
  const auto enter = [](void* raw) -> void* {
    (*static_cast<std::function<void()>*>(raw))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, enter, &body), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TYPED_TEST(GraphScale, AChainOfAHundredThousandNodesRunsBackwardAndIsReleasedWithoutRecursion) {
  on_a_small_stack([] {
    const auto x = TestFixture::leaf(1.0F);
    auto y = x;
    for (int i = 0; i < depth; ++i) y = neg(y);
    const auto gradients = y.backward();
    EXPECT_EQ(x.grad(gradients).value().item(), 1.0F);
    y = x;  // releases the used-up chain
    for (int i = 0; i < depth; ++i) y = neg(y);
    y = x;  // and one that no backward ever used
  });
}

TYPED_TEST(GraphScale, AChainOfAHundredThousandNodesIsRecomputedWithoutRecursion) {
  on_a_small_stack([] {
    const auto x = TestFixture::leaf(3.0F);
    auto y = x;
    for (int i = 0; i < depth; ++i) y = neg(y);
    const auto gradients = square(y).backward();
    EXPECT_EQ(x.grad(gradients).value().item(), 6.0F);
    EXPECT_EQ(gradients.checkpoint_report().recomputed, TypeParam::recomputes ? depth : 0);
    EXPECT_EQ(gradients.checkpoint_report().left, 0);
  });
}

TYPED_TEST(GraphScale, ALadderOfSharedNodesIsWalkedOnce) {
  const auto x = this->leaf(1.0F);
  auto y = x;
  for (int i = 0; i < 40; ++i) y = mul_scalar(add(y, y), 0.5F);  // 2^40 paths
  EXPECT_EQ(x.grad(y.backward()).value().item(), 1.0F);
}

TYPED_TEST(GraphScale, ThreadsBuildAndRunTheirOwnGraphsOverSharedLeaves) {
  const auto w = this->leaf(2.0F);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&w, &wrong, t] {
      for (int i = 0; i < 50; ++i) {
        const auto x = TestFixture::leaf(static_cast<float>(t + i));
        const auto gradients = sum(mul(square(x), w)).backward();
        const float want_dx = 4.0F * static_cast<float>(t + i);
        if (x.grad(gradients).value().item() != want_dx) ++wrong;
        if (w.grad(gradients).value().item() != static_cast<float>((t + i) * (t + i))) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

TYPED_TEST(GraphScale, OfSeveralThreadsRunningOneGraphOneSucceeds) {
  for (int round = 0; round < 20; ++round) {
    const auto x = this->leaf(3.0F);
    const auto loss = sum(square(mul_scalar(x, 2.0F)));
    std::atomic<int> succeeded{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        try {
          if (x.grad(loss.backward()).value().item() == 24.0F) ++succeeded;
        } catch (const std::logic_error&) {
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(succeeded.load(), 1);
  }
}

}  // namespace
}  // namespace seamgate
