// What a host-compiled kernel calls: indices, barriers, warp operations, shared memory, the launch itself.
// Everything here is out of line, in files that are never instrumented. Kernel authors use simt.hpp instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/common/kernel_api.hpp"
#include "kernels/simt/config.hpp"

namespace seamgate::simt::host {

// Where a kernel called an intrinsic; taken by default arguments.
struct Place {
  const char* file = "";
  int line = 0;
};

// Marked const: within one kernel thread they never change, so the compiler may keep them in registers.
[[gnu::const]] uint3 thread_index();
[[gnu::const]] uint3 block_index();
[[gnu::const]] uint3 block_extent();
[[gnu::const]] uint3 grid_extent();

void barrier(Place place);

enum class WarpOp { sync, shuffle, shuffle_up, shuffle_down, shuffle_xor, ballot, any, all };

// Meets the lanes named in `mask` and exchanges up to eight bytes. A source lane that takes no part gives all
// ones.
std::uint64_t warp_operation(WarpOp op, unsigned mask, std::uint64_t value, int operand, int width,
                             Place place);

void fence(Place place);

// One static shared array of one kernel instantiation.
struct SharedSite {
  const char* name;
  std::size_t bytes;
  std::size_t alignment;
};
void* shared_array(const SharedSite& site);
void* dynamic_shared();

// Device-wide atomics, sequentially consistent on the host. Each returns the old value.
float atomic_add(float* address, float value, Place place);
int atomic_add(int* address, int value, Place place);
unsigned atomic_add(unsigned* address, unsigned value, Place place);
unsigned long long atomic_add(unsigned long long* address, unsigned long long value, Place place);
int atomic_compare_and_swap(int* address, int expected, int value, Place place);
unsigned atomic_compare_and_swap(unsigned* address, unsigned expected, unsigned value, Place place);
int atomic_exchange(int* address, int value, Place place);
unsigned atomic_exchange(unsigned* address, unsigned value, Place place);
int atomic_max(int* address, int value, Place place);
unsigned atomic_max(unsigned* address, unsigned value, Place place);

struct LaunchRequest {
  const std::string* kernel = nullptr;  // name as logged
  const char* build = "";               // SIMT_BUILD
  bool checked = false;
  Config config;
  void (*invoke)(const void* arguments) = nullptr;  // one kernel thread
  const void* arguments = nullptr;
  std::size_t argument_bytes = 0;
};

// Runs every block and logs the launch. launch_failed: a limit is broken (nothing ran), or the kernel was
// stopped by a deadlock, a divergent barrier or, when checked, an unsafe access.
kernels::Status launch(const LaunchRequest& request);

}  // namespace seamgate::simt::host
