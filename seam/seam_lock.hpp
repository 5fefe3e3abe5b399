// The one lock of a process under which counters are read or reset.
//
// Misuse to know about: a test that resets, asks and reads without holding the lock throughout sees its neighbours' asks. So
// reading asks for a lock by type, and an ask by a thread that the holder did not start is found out at the next read.
//
//   SeamLock lock;
//   counters.reset(lock);
//   std::thread worker([&] { SeamLock::Participant joined(lock); module.forward(...); });
//   worker.join();
//   auto c = counters.read(lock);
#pragma once

#include <cstdint>
#include <mutex>

namespace seamgate::seam {

class SeamLock {
 public:
  SeamLock();
  ~SeamLock();
  SeamLock(const SeamLock&) = delete;
  SeamLock& operator=(const SeamLock&) = delete;

  // Lets another thread ask on the holder's account while this object lives.
  class Participant {
   public:
    explicit Participant(const SeamLock& lock);
    ~Participant();
    Participant(const Participant&) = delete;
    Participant& operator=(const Participant&) = delete;

   private:
    std::uint64_t before_;
  };

  // True when somebody holds the lock and this thread asks on its own account. Takes no lock.
  static bool this_ask_is_foreign();

 private:
  std::unique_lock<std::mutex> held_;
  std::uint64_t ticket_;
};

}  // namespace seamgate::seam
