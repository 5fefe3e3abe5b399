// SwiGLU's kernels for a GPU.
#include "kernels/swiglu/launch.hpp"

namespace seamgate::kernels::SIMT_BUILD {

const KernelTable& swiglu_table() { return swiglu::table(); }

}  // namespace seamgate::kernels::SIMT_BUILD
