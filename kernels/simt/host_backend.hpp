// The vocabulary on the host: CUDA's keywords vanish, shared memory is a slot in the block's arena, and a
// launch runs each thread as a fiber.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kernels/common/kernel_api.hpp"
#include "kernels/simt/config.hpp"
#include "kernels/simt/emulator.hpp"
#include "kernels/simt/host_intrinsics.hpp"
#include "kernels/simt/kernel_name.hpp"
#include "kernels/simt/schedule.hpp"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)

// An exact-bounds slot with a red zone, filled with NaN when the block starts.
#define SIMT_SHARED(type, name, dims)                                      \
  using simt_type_of_##name = type dims;                                   \
  static constexpr ::seamgate::simt::host::SharedSite simt_site_of_##name{ \
      #name, sizeof(simt_type_of_##name), alignof(simt_type_of_##name)};   \
  simt_type_of_##name& name =                                              \
      *static_cast<simt_type_of_##name*>(::seamgate::simt::host::shared_array(simt_site_of_##name))

#define SIMT_DYNAMIC_SHARED(type, name) \
  type* name = static_cast<type*>(::seamgate::simt::host::dynamic_shared())

#define SIMT_STRINGIFY_(text) #text
#define SIMT_STRINGIFY(text) SIMT_STRINGIFY_(text)

namespace seamgate::simt {

namespace host {

template <auto Kernel, class Signature = decltype(Kernel)>
struct KernelCall;

template <auto Kernel, class... Params>
struct KernelCall<Kernel, void (*)(Params...)> {
  using Arguments = std::tuple<std::decay_t<Params>...>;
  static constexpr std::size_t count = sizeof...(Params);

  // Never inlined into the emulator, never instrumented: its loads are the launch's, not the kernel's.
  [[gnu::noinline, gnu::no_sanitize("thread")]] static void invoke(const void* arguments) {
    call(*static_cast<const Arguments*>(arguments), std::index_sequence_for<Params...>{});
  }

 private:
  template <std::size_t... I>
  [[gnu::noinline, gnu::no_sanitize("thread")]] static void call(const Arguments& arguments,
                                                                 std::index_sequence<I...>) {
    Kernel(std::get<I>(arguments)...);
  }
};

}  // namespace host

// The kernel's name as the logs have it, e.g. "rmsnorm::forward_kernel<float>".
template <auto Kernel>
const std::string& name_of() {
  static const std::string name = kernel_name(__PRETTY_FUNCTION__, SIMT_STRINGIFY(SIMT_BUILD));
  return name;
}

// Runs Kernel to its end, blocks over the worker threads (a checked launch: on this thread), and logs it.
// Launches of one process run one after the other. launch_failed: an invalid configuration (nothing ran), a
// deadlock, a divergent barrier, or an unsafe access found by the checker. Results do not depend on the
// number of workers unless the kernel races.
template <auto Kernel, class... Args>
kernels::Status launch(const Config& config, Args&&... args) {
  using Call = host::KernelCall<Kernel>;
  static_assert(Call::count == sizeof...(Args), "a launch takes one argument per kernel parameter");
  const typename Call::Arguments arguments(std::forward<Args>(args)...);
  host::LaunchRequest request;
  request.kernel = &name_of<Kernel>();
  request.build = SIMT_STRINGIFY(SIMT_BUILD);
  request.checked = SIMT_CHECKED != 0;
  request.config = config;
  request.invoke = &Call::invoke;
  request.arguments = &arguments;
  request.argument_bytes = sizeof(arguments);
  return host::launch(request);
}

}  // namespace seamgate::simt
