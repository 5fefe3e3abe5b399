// From the symbol of a kernel, as CUPTI has it, to the name that the emulator's log gives the same kernel.
#pragma once

#include <string>

namespace seamgate::gates {

// The name of the demangled function with its template arguments, without return type and parameters, seamgate's own outer
// namespaces and the build's: "rmsnorm::forward_kernel<rmsnorm::Torch<float, float>>". A primitive tensor operation has the name
// that the backend Cpu notes, "primitive.neg". What is no C++ symbol stays as it is.
std::string name_of_symbol(const std::string& symbol);

}  // namespace seamgate::gates
