// Kernels that go wrong in ways that no comparison can see: one source for a GPU and for the emulator.
//
//   illegal_access   writes where nobody may
//   launch_refused   asks for more shared memory than a block has, so that it cannot start
//   never_ends       spins; on a GPU for a minute at most, so that nothing hangs for ever
#pragma once

#include <string_view>

#include "gates/faults/faults.hpp"
#include "kernels/simt/simt.hpp"

namespace seamgate::gates::faults {
inline namespace SIMT_BUILD {

inline constexpr std::size_t too_much_shared_bytes = std::size_t{1} << 20;
inline constexpr unsigned long long longest_spin_ns = 60'000'000'000ULL;

__global__ void illegal_access(float* nowhere) { nowhere[threadIdx.x] = 1.0F; }

__global__ void launch_refused(float* out) {
  SIMT_DYNAMIC_SHARED(float, shared);
  if (out != nullptr) out[threadIdx.x] = shared[threadIdx.x];
}

__global__ void never_ends(const volatile int* stop) {
#if defined(__CUDACC__)
  const auto now_ns = [] {
    unsigned long long ns = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
  };
  const unsigned long long began_ns = now_ns();
  while (stop == nullptr && now_ns() - began_ns < longest_spin_ns) {
  }
#else
  volatile int going = 1;
  while (going == 1 && stop == nullptr) {
  }
#endif
}

template <auto Kernel, class Argument>
kernels::Status go(kernels::Stream stream, std::size_t smem_bytes, Argument argument) {
  return simt::launch<Kernel>(simt::Config{dim3(1), dim3(32), smem_bytes, stream}, argument);
}

template <class Call>
kernels::Status start_illegal_access(const Call& call) {
  return go<illegal_access>(call.stream, 0, static_cast<float*>(nullptr));
}
template <class Call>
kernels::Status start_launch_refused(const Call& call) {
  return go<launch_refused>(call.stream, too_much_shared_bytes, static_cast<float*>(nullptr));
}
template <class Call>
kernels::Status start_never_ends(const Call& call) {
  return go<never_ends>(call.stream, 0, static_cast<const volatile int*>(nullptr));
}

// Null for a fault that does not exist.
inline const Calls* find_calls(std::string_view fault) {
  static const Calls illegal{start_illegal_access<kernels::ForwardCall>, start_illegal_access<kernels::BackwardCall>};
  static const Calls refused{start_launch_refused<kernels::ForwardCall>, start_launch_refused<kernels::BackwardCall>};
  static const Calls endless{start_never_ends<kernels::ForwardCall>, start_never_ends<kernels::BackwardCall>};
  if (fault == "illegal_access") return &illegal;
  if (fault == "launch_refused") return &refused;
  return fault == "never_ends" ? &endless : nullptr;
}

}  // namespace SIMT_BUILD
}  // namespace seamgate::gates::faults
