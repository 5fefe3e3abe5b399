// The out-of-line half of the host intrinsics: from a kernel thread to its block, and the atomics.
#include <atomic>

#include "kernels/simt/block_runner.hpp"
#include "kernels/simt/emulator.hpp"

namespace seamgate::simt::host {
namespace {

BlockRunner& block() {
  return *BlockRunner::current();
}

template <class T>
std::atomic_ref<T> announced(T* address, Place place) {
  block().before_atomic(address, sizeof(T), place);
  return std::atomic_ref<T>(*address);
}

template <class T>
T maximum(T* address, T value, Place place) {
  auto target = announced(address, place);
  T old = target.load();
  while (old < value && !target.compare_exchange_weak(old, value)) {
  }
  return old;
}

template <class T>
T swap_if_equal(T* address, T expected, T value, Place place) {
  announced(address, place).compare_exchange_strong(expected, value);
  return expected;
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
  std::atomic_thread_fence(std::memory_order_seq_cst);
  block().fence();
}

void* shared_array(const SharedSite& site) {
  return block().shared_array(site);
}
void* dynamic_shared() {
  return block().dynamic_shared();
}

float atomic_add(float* address, float value, Place place) {
  return announced(address, place).fetch_add(value);
}
int atomic_add(int* address, int value, Place place) {
  return announced(address, place).fetch_add(value);
}
unsigned atomic_add(unsigned* address, unsigned value, Place place) {
  return announced(address, place).fetch_add(value);
}
unsigned long long atomic_add(unsigned long long* address, unsigned long long value, Place place) {
  return announced(address, place).fetch_add(value);
}
int atomic_compare_and_swap(int* address, int expected, int value, Place place) {
  return swap_if_equal(address, expected, value, place);
}
unsigned atomic_compare_and_swap(unsigned* address, unsigned expected, unsigned value, Place place) {
  return swap_if_equal(address, expected, value, place);
}
int atomic_exchange(int* address, int value, Place place) {
  return announced(address, place).exchange(value);
}
unsigned atomic_exchange(unsigned* address, unsigned value, Place place) {
  return announced(address, place).exchange(value);
}
int atomic_max(int* address, int value, Place place) {
  return maximum(address, value, place);
}
unsigned atomic_max(unsigned* address, unsigned value, Place place) {
  return maximum(address, value, place);
}

}  // namespace seamgate::simt::host
