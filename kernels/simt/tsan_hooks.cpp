// The functions that `-fsanitize=thread` makes a checked kernel call. Outside a checked kernel they do
// nothing. The compiler's own names:
// <https://github.com/llvm/llvm-project/blob/main/compiler-rt/lib/tsan/rtl/tsan_interface.h>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kernels/simt/launch_checker.hpp"

namespace {

using seamgate::simt::host::LaunchChecker;

inline void touch(const void* address, std::size_t size, bool is_write, void* pc) {
  if (LaunchChecker* checker = LaunchChecker::active; checker != nullptr) {
    checker->access(reinterpret_cast<std::uintptr_t>(address), size, is_write,
                    reinterpret_cast<std::uint64_t>(pc));
  }
}

}  // namespace

#define SIMT_HOOK extern "C" __attribute__((visibility("default"))) void
#define SIMT_PC __builtin_return_address(0)

#define SIMT_ACCESS_HOOKS(size)                                    \
  SIMT_HOOK __tsan_read##size(void* address) {                     \
    touch(address, size, false, SIMT_PC);                          \
  }                                                                \
  SIMT_HOOK __tsan_write##size(void* address) {                    \
    touch(address, size, true, SIMT_PC);                           \
  }                                                                \
  SIMT_HOOK __tsan_unaligned_read##size(void* address) {           \
    touch(address, size, false, SIMT_PC);                          \
  }                                                                \
  SIMT_HOOK __tsan_unaligned_write##size(void* address) {          \
    touch(address, size, true, SIMT_PC);                           \
  }                                                                \
  SIMT_HOOK __tsan_volatile_read##size(void* address) {            \
    touch(address, size, false, SIMT_PC);                          \
  }                                                                \
  SIMT_HOOK __tsan_volatile_write##size(void* address) {           \
    touch(address, size, true, SIMT_PC);                           \
  }                                                                \
  SIMT_HOOK __tsan_unaligned_volatile_read##size(void* address) {  \
    touch(address, size, false, SIMT_PC);                          \
  }                                                                \
  SIMT_HOOK __tsan_unaligned_volatile_write##size(void* address) { \
    touch(address, size, true, SIMT_PC);                           \
  }

SIMT_ACCESS_HOOKS(1)
SIMT_ACCESS_HOOKS(2)
SIMT_ACCESS_HOOKS(4)
SIMT_ACCESS_HOOKS(8)
SIMT_ACCESS_HOOKS(16)

SIMT_HOOK __tsan_read_range(void* address, std::size_t size) {
  touch(address, size, false, SIMT_PC);
}
SIMT_HOOK __tsan_write_range(void* address, std::size_t size) {
  touch(address, size, true, SIMT_PC);
}
SIMT_HOOK __tsan_vptr_update(void** address, void*) {
  touch(address, sizeof(void*), true, SIMT_PC);
}
SIMT_HOOK __tsan_vptr_read(void** address) {
  touch(address, sizeof(void*), false, SIMT_PC);
}
SIMT_HOOK __tsan_init() {}
SIMT_HOOK __tsan_func_entry(void*) {}
SIMT_HOOK __tsan_func_exit() {}

// Atomics of host code that happens to be instrumented, such as the guards of local statics. Kernels use
// atomicAdd and its like, which the emulator announces itself.
#define SIMT_ATOMIC_HOOKS(bits, type)                                                                       \
  extern "C" type __tsan_atomic##bits##_load(const volatile type* a, int) {                                 \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                            \
  }                                                                                                         \
  SIMT_HOOK __tsan_atomic##bits##_store(volatile type* a, type v, int) {                                    \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                               \
  }                                                                                                         \
  extern "C" type __tsan_atomic##bits##_exchange(volatile type* a, type v, int) {                           \
    return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                                     \
  }                                                                                                         \
  extern "C" type __tsan_atomic##bits##_fetch_add(volatile type* a, type v, int) {                          \
    return __atomic_fetch_add(a, v, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                         \
  extern "C" type __tsan_atomic##bits##_fetch_sub(volatile type* a, type v, int) {                          \
    return __atomic_fetch_sub(a, v, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                         \
  extern "C" type __tsan_atomic##bits##_fetch_and(volatile type* a, type v, int) {                          \
    return __atomic_fetch_and(a, v, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                         \
  extern "C" type __tsan_atomic##bits##_fetch_or(volatile type* a, type v, int) {                           \
    return __atomic_fetch_or(a, v, __ATOMIC_SEQ_CST);                                                       \
  }                                                                                                         \
  extern "C" type __tsan_atomic##bits##_fetch_xor(volatile type* a, type v, int) {                          \
    return __atomic_fetch_xor(a, v, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                         \
  extern "C" type __tsan_atomic##bits##_fetch_nand(volatile type* a, type v, int) {                         \
    return __atomic_fetch_nand(a, v, __ATOMIC_SEQ_CST);                                                     \
  }                                                                                                         \
  extern "C" int __tsan_atomic##bits##_compare_exchange_strong(volatile type* a, type* c, type v, int,      \
                                                               int) {                                       \
    return __atomic_compare_exchange_n(a, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                 \
  }                                                                                                         \
  extern "C" int __tsan_atomic##bits##_compare_exchange_weak(volatile type* a, type* c, type v, int, int) { \
    return __atomic_compare_exchange_n(a, c, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                  \
  }

SIMT_ATOMIC_HOOKS(8, unsigned char)
SIMT_ATOMIC_HOOKS(16, unsigned short)
SIMT_ATOMIC_HOOKS(32, unsigned)
SIMT_ATOMIC_HOOKS(64, unsigned long long)

SIMT_HOOK __tsan_atomic_thread_fence(int) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
SIMT_HOOK __tsan_atomic_signal_fence(int) {
  std::atomic_signal_fence(std::memory_order_seq_cst);
}
