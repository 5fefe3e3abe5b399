// The faulty kernels for a GPU.
#include "gates/faults/faulty_kernels.hpp"

namespace seamgate::gates::faults {

const Calls* calls_on_gpu(std::string_view fault) { return find_calls(fault); }

}  // namespace seamgate::gates::faults
