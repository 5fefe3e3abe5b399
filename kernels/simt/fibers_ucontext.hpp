// Fibers by ucontext with the annotations that AddressSanitizer and ThreadSanitizer need to follow a change
// of stacks. Included by fibers.cpp alone.
#pragma once

#include <pthread.h>
#include <ucontext.h>

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace seamgate::simt::host {

struct Fiber {
  ucontext_t suspended{};
  bool is_started = false;
  FiberPool::Entry entry = nullptr;
  void* context = nullptr;
  int slot = 0;
  const void* stack = nullptr;
  std::size_t stack_bytes = 0;
  void* fake_stack = nullptr;  // AddressSanitizer's
  void* tsan_fiber = nullptr;  // ThreadSanitizer's
  bool owns_tsan_fiber = false;
};

namespace {

// The fiber being switched to; makecontext cannot carry a pointer portably.
thread_local Fiber* arriving = nullptr;

[[gnu::noinline]] void finish_switch(Fiber* self) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(self->fake_stack, nullptr, nullptr);
#endif
  (void)self;
}

[[gnu::noinline]] void start() {
  Fiber* self = arriving;
  finish_switch(self);
  self->entry(self->context, self->slot);
}

void create(Fiber& fiber, unsigned char* stack, std::size_t bytes) {
  getcontext(&fiber.suspended);
  fiber.suspended.uc_stack.ss_sp = stack;
  fiber.suspended.uc_stack.ss_size = bytes;
  fiber.suspended.uc_link = nullptr;
  makecontext(&fiber.suspended, &start, 0);
  fiber.stack = stack;
  fiber.stack_bytes = bytes;
  fiber.fake_stack = nullptr;
  fiber.is_started = true;
#if defined(__SANITIZE_THREAD__)
  fiber.tsan_fiber = __tsan_create_fiber(0);
  fiber.owns_tsan_fiber = true;
#endif
}

void forget(Fiber& fiber) {
#if defined(__SANITIZE_THREAD__)
  if (fiber.owns_tsan_fiber) __tsan_destroy_fiber(fiber.tsan_fiber);
  fiber.owns_tsan_fiber = false;
#endif
  fiber.is_started = false;
}

bool started(const Fiber& fiber) {
  return fiber.is_started;
}

void switch_fibers(Fiber& from, Fiber& to) {
  arriving = &to;
#if defined(__SANITIZE_THREAD__)
  __tsan_switch_to_fiber(to.tsan_fiber, 0);
#endif
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&from.fake_stack, to.stack, to.stack_bytes);
#endif
  swapcontext(&from.suspended, &to.suspended);
  finish_switch(&from);
}

void adopt_thread(Fiber& main_flow) {
#if defined(__SANITIZE_THREAD__)
  main_flow.tsan_fiber = __tsan_get_current_fiber();
#endif
#if defined(__SANITIZE_ADDRESS__)
  pthread_attr_t attributes;
  void* stack = nullptr;
  std::size_t bytes = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &stack, &bytes);
  pthread_attr_destroy(&attributes);
  main_flow.stack = stack;
  main_flow.stack_bytes = bytes;
#endif
  (void)main_flow;
}

}  // namespace
}  // namespace seamgate::simt::host
