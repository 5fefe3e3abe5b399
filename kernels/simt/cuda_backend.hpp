// The vocabulary on a GPU: CUDA's own, and a launch that never fails in silence.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

#include "kernels/common/kernel_api.hpp"
#include "kernels/simt/config.hpp"
#include "kernels/simt/kernel_name.hpp"

// `__shared__ type name dims`, e.g. SIMT_SHARED(float, partial, [32]).
#define SIMT_SHARED(type, name, dims) __shared__ type name dims

// One untyped array of one name: CUDA wants every `extern __shared__` of a program to agree.
#define SIMT_DYNAMIC_SHARED(type, name)                                      \
  extern __shared__ __align__(16) unsigned char simt_dynamic_shared_bytes[]; \
  type* name = reinterpret_cast<type*>(simt_dynamic_shared_bytes)

#define SIMT_STRINGIFY_(text) #text
#define SIMT_STRINGIFY(text) SIMT_STRINGIFY_(text)

namespace seamgate::simt {

namespace cuda_detail {

inline std::string describe(const Config& c) {
  const auto triple = [](dim3 d) {
    return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
  };
  return "grid " + triple(c.grid) + " block " + triple(c.block) + " smem " + std::to_string(c.smem_bytes) +
         " bytes";
}

inline kernels::Status failed(const std::string& kernel, const Config& config, cudaError_t error) {
  (void)cudaGetLastError();  // a configuration error is not sticky: do not leave it to the next caller
  return kernels::Status::launch_failed(kernel + ": " + cudaGetErrorName(error) + ", " +
                                        cudaGetErrorString(error) + ": " + describe(config));
}

template <class Arguments, std::size_t... I>
cudaError_t start(const void* kernel, const Config& config, Arguments& arguments, std::index_sequence<I...>) {
  std::array<void*, sizeof...(I) + 1> pointers{static_cast<void*>(&std::get<I>(arguments))..., nullptr};
  return cudaLaunchKernel(kernel, config.grid, config.block, pointers.data(), config.smem_bytes,
                          static_cast<cudaStream_t>(config.stream));
}

template <class... Params, class... Args>
kernels::Status launch(void (*kernel)(Params...), const std::string& name, const Config& config,
                       Args&&... args) {
  static_assert(sizeof...(Params) == sizeof...(Args), "a launch takes one argument per kernel parameter");
  const void* address = reinterpret_cast<const void*>(kernel);
  if (config.smem_bytes > max_static_shared_bytes) {
    const cudaError_t error = cudaFuncSetAttribute(address, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                   static_cast<int>(config.smem_bytes));
    if (error != cudaSuccess) return failed(name, config, error);
  }
  std::tuple<std::decay_t<Params>...> arguments(std::forward<Args>(args)...);
  const cudaError_t error = start(address, config, arguments, std::index_sequence_for<Params...>{});
  if (error != cudaSuccess) return failed(name, config, error);
  return kernels::Status::success();
}

}  // namespace cuda_detail

// The kernel's name as the logs have it, e.g. "rmsnorm::forward_kernel<float>".
template <auto Kernel>
const std::string& name_of() {
  static const std::string name = kernel_name(__PRETTY_FUNCTION__, SIMT_STRINGIFY(SIMT_BUILD));
  return name;
}

// Starts Kernel on config.stream of the current device. launch_failed: CUDA refused (its error's name and
// text, with grid, block and shared memory), or an earlier asynchronous fault surfaced here. Faults while
// running surface at the next synchronisation.
template <auto Kernel, class... Args>
kernels::Status launch(const Config& config, Args&&... args) {
  return cuda_detail::launch(Kernel, name_of<Kernel>(), config, std::forward<Args>(args)...);
}

}  // namespace seamgate::simt
