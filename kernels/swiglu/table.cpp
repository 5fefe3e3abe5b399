// SwiGLU's kernels for one host build. SIMT_BUILD says which.
#include "kernels/swiglu/launch.hpp"

namespace seamgate::kernels::SIMT_BUILD {

const KernelTable& swiglu_table() {
  return swiglu::table();
}

}  // namespace seamgate::kernels::SIMT_BUILD
