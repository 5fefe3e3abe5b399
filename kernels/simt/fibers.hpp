// Fibers: stacks of a fixed pool, switched by Boost.Context's assembly, or by ucontext with the sanitizers'
// annotations when the program is built with a real sanitizer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace seamgate::simt::host {

// A suspended or running flow of control. The pool owns every fiber but the one of the OS thread itself.
struct Fiber;

// Stacks for the threads of one block. One OS thread at a time may use a pool.
class FiberPool {
 public:
  using Entry = void (*)(void* context, int slot);

  // Every fiber runs entry(context, slot), which must not return. Stacks are reserved now and touched when
  // used.
  FiberPool(int count, Entry entry, void* context);
  ~FiberPool();
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  // Suspends the OS thread's own flow and runs fiber `slot` until somebody switches back to the main flow.
  void enter(int slot);

  // From fiber `from`: hands over to fiber `to`, or to the main flow.
  void hand_over(int from, int to);
  void leave(int from);

  // Forgets where every fiber was suspended; each starts anew when next entered. From the main flow only.
  void reset();

  std::uintptr_t stacks_begin() const { return reinterpret_cast<std::uintptr_t>(memory_); }
  std::size_t stacks_bytes() const;

 private:
  void prepare(int slot);

  int count_;
  Entry entry_;
  void* context_;
  unsigned char* memory_ = nullptr;
  std::unique_ptr<Fiber[]> fibers_;  // fibers_[count_] is the main flow
};

}  // namespace seamgate::simt::host
