// RMSNorm's kernels for a GPU.
#include "kernels/rmsnorm/launch.hpp"

namespace seamgate::kernels::SIMT_BUILD {

const KernelTable& rmsnorm_table() { return rmsnorm::table(); }

}  // namespace seamgate::kernels::SIMT_BUILD
