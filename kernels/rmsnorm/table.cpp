// RMSNorm's kernels for one host build. SIMT_BUILD says which.
#include "kernels/rmsnorm/launch.hpp"

namespace seamgate::kernels::SIMT_BUILD {

const KernelTable& rmsnorm_table() { return rmsnorm::table(); }

}  // namespace seamgate::kernels::SIMT_BUILD
