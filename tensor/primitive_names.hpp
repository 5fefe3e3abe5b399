// What the backend Cuda's kernels are called in the launch log's words.
#pragma once

#include <string>
#include <string_view>

namespace seamgate {

// "primitive.neg" for the demangled symbol of the bulk kernel of `elementwise::Neg`, as the backend Cpu notes the same operation;
// empty for a kernel that is no primitive operation (tensor/cuda_operations.cuh).
std::string primitive_of_kernel(std::string_view demangled);

}  // namespace seamgate
