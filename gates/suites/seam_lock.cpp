// Gate `seam_lock`: counters are read and reset under the seam lock alone. Threads that joined its holder
// give exact totals; an ask by anybody else is found out.
#include <atomic>
#include <latch>
#include <stdexcept>
#include <thread>

#include "gates/counted.hpp"
#include "gates/sweep.hpp"
#include "gates/tape_run.hpp"

namespace seamgate::gates {
namespace {

using seam::Counter;
using seam::SeamLock;

template <class T, class... Lock>
concept CanRead = requires(const T& counters, Lock&&... lock) {
  counters.read(std::forward<Lock>(lock)...);
};
template <class T, class... Lock>
concept CanReset = requires(T& counters, Lock&&... lock) {
  counters.reset(std::forward<Lock>(lock)...);
};
template <class T>
concept CanReadWithBraces = requires(const T& counters) {
  counters.read({});
};

void check_types(Context& context, const Case& c) {
  using seam::Counters;
  context.check(c, "counters are read with a lock in hand", CanRead<Counters, const SeamLock&>);
  context.check(c, "counters are reset with a lock in hand", CanReset<Counters, const SeamLock&>);
  context.check(c, "without a lock, read does not compile", !CanRead<Counters>);
  context.check(c, "without a lock, reset does not compile", !CanReset<Counters>);
  context.check(c, "with a lock that ends with the call, read does not compile",
                !CanRead<Counters, SeamLock>);
  context.check(c, "with a lock that ends with the call, reset does not compile",
                !CanReset<Counters, SeamLock>);
  context.check(c, "with braces for a lock, read does not compile", !CanReadWithBraces<Counters>);
}

template <class B>
struct Asks {
  using Tracked = Tensor<Autodiff<B, BalancedCheckpointing>>;

  std::vector<AnyTensor> bare;
  std::vector<AnyTensor> untracked;
  std::vector<AnyTensor> tracked;
  std::optional<Tensor<B>> seed;
  seam::Request request;
};

template <class B>
Asks<B> make_asks(Context& context, const Case& c) {
  using Tracked = typename Asks<B>::Tracked;
  const HostCase host = make_host_case(context.op(), c);
  const auto& contract = context.contract();
  Asks<B> asks;
  for (std::size_t i = 0; i < host.inputs.size(); ++i) {
    const auto tensor = tensor_of<B>(c, contract.inputs[i].extent, c.dtypes[i], host.inputs[i]);
    asks.bare.push_back(tensor);
    asks.untracked.push_back(Tracked::from_inner(tensor));
    asks.tracked.push_back(Tracked::from_inner(tensor).require_grad());
  }
  asks.seed = tensor_of<B>(c, contract.outputs[0].extent, output_dtype(contract, c), host.upstream[0]);
  asks.request = request_of(c);
  return asks;
}

constexpr int declined_each = 20;

// Lets threads that joined the lock do `body`, all at once; how many of them threw.
template <class Body>
int in_threads(const SeamLock& lock, int threads, const Body& body) {
  std::atomic<int> errors{0};
  std::latch start(threads);
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&] {
      const SeamLock::Participant joined(lock);
      start.arrive_and_wait();
      try {
        body();
      } catch (const std::exception&) {
        ++errors;
      }
    });
  }
  for (auto& worker : workers) worker.join();
  return errors;
}

// Asks that do nothing but count, so that threads meet in the counters; and many, because a machine may let a
// process's threads overlap only after some ten milliseconds (seen: 80,000 additions in 4 threads, one after
// another).
void check_counting(Context& context, const Case& c) {
  constexpr int threads = 4;
  const int asks = context.plan().at_least(Tier::smoke) ? 1000000 : 20000;
  seam::Counters counters;
  const SeamLock lock;
  in_threads(lock, threads, [&] {
    for (int i = 0; i < asks; ++i) {
      counters.ask();
      counters.decline(seam::Decline::layout);
    }
  });
  const auto got = counters.read(lock);
  const std::string total = std::to_string(threads * asks);
  context.check(c, "threads that only count: C (asked,skipped,node_ran,bare_ran)", got.arms(),
                "(" + total + "," + total + ",0,0)");
  context.check(c, "threads that only count: the law of counters", got.broken_law(), "");
}

// Every thread asks bare, untracked, and tracked with a backward, `rounds` times each; and, `declined_each`
// times as often, where there are no kernels.
template <class B>
void check_totals(Context& context, const Case& c, const Asks<B>& asks, int threads, int rounds) {
  const auto& implementation = context.implementation();
  const seam::Machines no_kernels{};
  const SeamLock lock;
  implementation.counters().reset(lock);
  const auto mark = context.witness()->mark();
  const int errors = in_threads(lock, threads, [&] {
    for (int i = 0; i < rounds; ++i) {
      implementation.ask(asks.bare, asks.request);
      implementation.ask(asks.untracked, asks.request);
      implementation.ask(asks.tracked, asks.request)[0].template as<typename Asks<B>::Tracked>()->backward(
          *asks.seed);
      for (int d = 0; d < declined_each; ++d) implementation.ask(asks.bare, asks.request, &no_kernels);
    }
  });
  const int each = threads * rounds;
  const std::string what =
      std::to_string(threads) + " threads, " + std::to_string((3 + declined_each) * rounds) + " asks each: ";
  context.check(c, what + "threads that threw", std::to_string(errors), "0");
  const auto got = implementation.counters().read(lock);
  context.check(c, what + "C (asked,skipped,node_ran,bare_ran)", got.arms(),
                "(" + std::to_string((3 + declined_each) * each) + "," +
                    std::to_string(declined_each * each) + "," + std::to_string(2 * each) + "," +
                    std::to_string(each) + ")");
  context.check(c, what + "declines for want of kernels", std::to_string(got[seam::Decline::device]),
                std::to_string(declined_each * each));
  context.check(c, what + "tracked node runs", std::to_string(got[Counter::node_tracked]),
                std::to_string(each));
  context.check(c, what + "backward steps", std::to_string(got[Counter::node_backward]),
                std::to_string(each));
  context.check(c, what + "the law of counters", got.broken_law(), "");
  check_against_witness(context, c, what + "the sum", got, context.witness()->since(mark));
}

template <class B>
void check_foreign(Context& context, const Case& c, const Asks<B>& asks) {
  const auto& implementation = context.implementation();
  const SeamLock lock;
  implementation.counters().reset(lock);
  implementation.ask(asks.bare, asks.request);
  std::thread stranger([&] {
    for (int i = 0; i < 2; ++i) implementation.ask(asks.bare, asks.request);
  });
  stranger.join();
  std::string error;
  try {
    implementation.counters().read(lock);
  } catch (const std::logic_error& thrown) {
    error = thrown.what();
  }
  context.check(c, "a read after 2 asks by a stranger names them (" + error + ")",
                error.find("2 asks by threads") != std::string::npos);
  implementation.counters().reset(lock);
  implementation.ask(asks.bare, asks.request);
  context.check(c, "after a reset the stranger is forgotten", implementation.counters().read(lock).arms(),
                "(1,0,0,1)");
}

void run(Context& context, const Case& c) {
  check_types(context, c);
  check_counting(context, c);
  with_backend(context.backend(), [&]<class B>() {
    const Asks<B> asks = make_asks<B>(context, c);
    const bool many = context.plan().at_least(Tier::premerge);
    check_totals(context, c, asks, many ? 8 : 4, many ? 100 : 8);
    check_foreign(context, c, asks);
  });
}

const RegisterGate registered({
    .id = "seam_lock",
    .title = "counters are read under the seam lock; threads give exact totals",
    .question = Question::ran,
    .rows = {"A15"},
    .cases = [](const Plan& plan) { return std::vector<Case>{structure_cases(plan).front()}; },
    .run = run,
    .timeout_s = 60,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
