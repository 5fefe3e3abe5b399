// Launch limits, the worker threads that share a grid's blocks, and the entry in the log.
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "kernels/simt/block_runner.hpp"
#include "kernels/simt/check_launch.hpp"
#include "kernels/simt/emulator.hpp"
#include "kernels/simt/launch_log.hpp"
#include "kernels/simt/schedule.hpp"

namespace seamgate::simt::host {
namespace {

using kernels::Status;

std::string triple(dim3 d) {
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

std::string describe(const Config& c) {
  return "grid " + triple(c.grid) + " block " + triple(c.block) + " smem " + std::to_string(c.smem_bytes) +
         " bytes";
}

// What a GPU would refuse; "" when it would not.
std::string broken_limit(const Config& c) {
  const auto any_zero = [](dim3 d) { return d.x == 0 || d.y == 0 || d.z == 0; };
  if (any_zero(c.grid)) return "a grid extent is zero";
  if (any_zero(c.block)) return "a block extent is zero";
  if (c.grid.x > max_grid_x) return "grid.x is above " + std::to_string(max_grid_x);
  if (c.grid.y > max_grid_yz || c.grid.z > max_grid_yz) {
    return "grid.y or grid.z is above " + std::to_string(max_grid_yz);
  }
  if (c.block.z > max_block_z) return "block.z is above " + std::to_string(max_block_z);
  if (c.block.x > max_block_threads || c.block.y > max_block_threads ||
      c.block.x * c.block.y * c.block.z > max_block_threads) {
    return "a block has more than " + std::to_string(max_block_threads) + " threads";
  }
  if (c.smem_bytes > max_shared_bytes) {
    return "dynamic shared memory is above " + std::to_string(max_shared_bytes) + " bytes";
  }
  return "";
}

// One launch's blocks, taken one by one by whoever is free.
struct Job {
  BlockLaunch launch;
  BlockOrder order;
  std::uint64_t blocks = 0;
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::string failure;  // of the first block that failed

  void work(BlockRunner& runner) {
    runner.prepare(launch);
    while (!failed.load(std::memory_order_relaxed)) {
      const std::uint64_t position = next.fetch_add(1, std::memory_order_relaxed);
      if (position >= blocks) return;
      if (runner.run(order.block_at(position, blocks))) continue;
      const std::lock_guard lock(mutex);
      if (!failed.exchange(true)) failure = runner.stop_message();
    }
  }
};

// Threads that help with plain launches. The caller never depends on them: it works too, and waits only for
// helpers that have begun (so a forked child, which has none, still finishes).
class Helpers {
 public:
  ~Helpers() { stop(); }

  void run(Job& job, int helpers, BlockRunner& caller) {
    if (static_cast<int>(threads_.size()) != helpers) {
      stop();
      start(helpers);
    }
    {
      const std::lock_guard lock(mutex_);
      job_ = &job;
      ++job_number_;
    }
    wake_.notify_all();
    job.work(caller);
    std::unique_lock lock(mutex_);
    job_ = nullptr;
    done_.wait(lock, [this] { return busy_ == 0; });
  }

 private:
  void start(int helpers) {
    stopping_ = false;
    for (int i = 0; i < helpers; ++i) threads_.emplace_back([this] { loop(); });
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  void loop() {
    BlockRunner runner;
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return stopping_ || (job_ != nullptr && job_number_ != seen); });
      if (stopping_) return;
      seen = job_number_;
      Job* job = job_;
      ++busy_;
      lock.unlock();
      job->work(runner);
      lock.lock();
      if (--busy_ == 0) done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<std::thread> threads_;
  Job* job_ = nullptr;
  std::uint64_t job_number_ = 0;
  int busy_ = 0;
  bool stopping_ = false;
};

struct Emulator {
  std::mutex mutex;  // one launch at a time
  BlockRunner caller;
  Helpers helpers;
};

Emulator& emulator() {
  static Emulator instance;
  return instance;
}

}  // namespace

Status launch(const LaunchRequest& request) {
  const Config& config = request.config;
  if (const std::string broken = broken_limit(config); !broken.empty()) {
    return Status::launch_failed(*request.kernel + ": invalid configuration, " + broken + ": " +
                                 describe(config));
  }
  if (BlockRunner::current() != nullptr) {
    return Status::launch_failed(*request.kernel + ": a kernel cannot launch a kernel on the host");
  }
  Job job;
  job.launch = {&request, schedule(), nullptr};
  job.order = block_order();
  job.blocks = std::uint64_t{config.grid.x} * config.grid.y * config.grid.z;

  Emulator& machine = emulator();
  const std::lock_guard lock(machine.mutex);
  if (request.checked) {
    const Status verdict =
        check_launch(request, machine.caller, job.launch, [&] { job.work(machine.caller); });
    if (!verdict.ok()) return verdict;
  } else if (const int helpers = workers() - 1; helpers > 0 && job.blocks > 1) {
    machine.helpers.run(job, helpers, machine.caller);
  } else {
    job.work(machine.caller);
  }
  if (job.failed) return Status::launch_failed(*request.kernel + ": " + job.failure);

  const auto extent = [](dim3 d) { return Extent3{d.x, d.y, d.z}; };
  launch_log().append(*request.kernel, extent(config.grid), extent(config.block), config.smem_bytes,
                      request.build);
  return Status::success();
}

}  // namespace seamgate::simt::host
