// Which backends this build has.
#pragma once

#include "tensor/backend_cpu.hpp"
#include "tensor/backend_cuda.hpp"

namespace seamgate {

#if defined(SEAMGATE_HAS_CUDA)
inline constexpr bool has_cuda = true;
#else
inline constexpr bool has_cuda = false;
#endif

template <class B>
inline constexpr bool backend_is_built = B::kind == DeviceKind::cpu || has_cuda;

}  // namespace seamgate

// Instantiates `MACRO(backend)` for every backend of this build.
#if defined(SEAMGATE_HAS_CUDA)
#define SEAMGATE_FOR_EACH_BACKEND(MACRO) MACRO(::seamgate::Cpu) MACRO(::seamgate::Cuda)
#else
#define SEAMGATE_FOR_EACH_BACKEND(MACRO) MACRO(::seamgate::Cpu)
#endif
