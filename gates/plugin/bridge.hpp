// A plug-in's functions as a KernelTable, and its seam: every call goes through here, is witnessed, and is
// watched.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gates/plugin/faults.hpp"
#include "include/seamgate/kernel.h"
#include "kernels/common/contract.hpp"
#include "kernels/common/kernel_api.hpp"

namespace seamgate::gates::plugin {

// From now on this kernel stands behind table(); `fault` may be null. Both must live on.
void set_kernel(const seamgate_kernel_info& kernel, const kernels::Contract& contract, const Fault* fault);

// Calls of forward and backward that returned SEAMGATE_OK are noted in the launch log as plugin.forward and
// plugin.backward, below any seam. What a call changes of this process is put back and noted
// (process_state.hpp); a message that was written beyond its end and a changed argument are noted too.
const kernels::KernelTable& table();

// What a function of a library returned, and its message.
struct Said {
  std::int32_t code = SEAMGATE_OK;
  std::string message;
};
kernels::Status status_of(const Said& said);

// A view as the header has it. `shape` and `strides` point into the view, which must live as long.
seamgate_tensor tensor_of(const kernels::View& view);
std::vector<seamgate_tensor> tensors_of(std::span<const kernels::View> views);

// A message of the library as one printable line; empty where it left none.
std::string printable(const char* message, std::size_t most);

}  // namespace seamgate::gates::plugin
