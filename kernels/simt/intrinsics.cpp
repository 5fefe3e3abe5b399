// The out-of-line half of the host intrinsics: from a kernel thread to its block, and the atomics.
#include <atomic>
#include <utility>

#include "kernels/simt/block_runner.hpp"
#include "kernels/simt/emulator.hpp"

namespace seamgate::simt::host {
namespace {

BlockRunner& block() {
  return *BlockRunner::current();
}

// Announces, operates, and tells whether the memory changed: `operation` takes the atomic and returns the old
// value.
template <class T, class Operation>
T read_modify_write(T* address, Place place, Operation operation) {
  block().before_atomic(address, sizeof(T), place);
  std::atomic_ref<T> target(*address);
  const auto [old, changed] = operation(target);
  block().after_atomic(address, changed, place);
  return old;
}

template <class T>
T add(T* address, T value, Place place) {
  return read_modify_write(address, place, [value](std::atomic_ref<T>& target) {
    return std::pair{target.fetch_add(value), value != T{}};
  });
}

template <class T>
T maximum(T* address, T value, Place place) {
  return read_modify_write(address, place, [value](std::atomic_ref<T>& target) {
    T old = target.load();
    while (old < value && !target.compare_exchange_weak(old, value)) {
    }
    return std::pair{old, old < value};
  });
}

template <class T>
T exchange(T* address, T value, Place place) {
  return read_modify_write(address, place, [value](std::atomic_ref<T>& target) {
    const T old = target.exchange(value);
    return std::pair{old, old != value};
  });
}

template <class T>
T swap_if_equal(T* address, T expected, T value, Place place) {
  return read_modify_write(address, place, [expected, value](std::atomic_ref<T>& target) {
    T old = expected;
    const bool swapped = target.compare_exchange_strong(old, value);
    return std::pair{old, swapped && expected != value};
  });
}

// ThreadSanitizer knows no fences; an operation on one shared word orders the same.
void full_fence() {
#if defined(__SANITIZE_THREAD__)
  static std::atomic<int> word;
  word.fetch_add(1);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace

uint3 thread_index() {
  return block().thread_index();
}
uint3 block_index() {
  return block().block_index();
}
uint3 block_extent() {
  return block().block_extent();
}
uint3 grid_extent() {
  return block().grid_extent();
}

void barrier(Place place) {
  block().barrier(place);
}

std::uint64_t warp_operation(WarpOp op, unsigned mask, std::uint64_t value, int operand, int width,
                             Place place) {
  return block().warp_operation(op, mask, value, operand, width, place);
}

void fence(Place) {
  full_fence();
  block().fence();
}

void* shared_array(const SharedSite& site) {
  return block().shared_array(site);
}
void* dynamic_shared() {
  return block().dynamic_shared();
}

float atomic_add(float* address, float value, Place place) {
  return add(address, value, place);
}
int atomic_add(int* address, int value, Place place) {
  return add(address, value, place);
}
unsigned atomic_add(unsigned* address, unsigned value, Place place) {
  return add(address, value, place);
}
unsigned long long atomic_add(unsigned long long* address, unsigned long long value, Place place) {
  return add(address, value, place);
}
int atomic_compare_and_swap(int* address, int expected, int value, Place place) {
  return swap_if_equal(address, expected, value, place);
}
unsigned atomic_compare_and_swap(unsigned* address, unsigned expected, unsigned value, Place place) {
  return swap_if_equal(address, expected, value, place);
}
int atomic_exchange(int* address, int value, Place place) {
  return exchange(address, value, place);
}
unsigned atomic_exchange(unsigned* address, unsigned value, Place place) {
  return exchange(address, value, place);
}
int atomic_max(int* address, int value, Place place) {
  return maximum(address, value, place);
}
unsigned atomic_max(unsigned* address, unsigned value, Place place) {
  return maximum(address, value, place);
}

}  // namespace seamgate::simt::host
