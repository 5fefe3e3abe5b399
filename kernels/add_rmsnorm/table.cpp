// Fused add + RMSNorm's kernels for one host build. SIMT_BUILD says which.
#include "kernels/add_rmsnorm/launch.hpp"

namespace seamgate::kernels::SIMT_BUILD {

const KernelTable& add_rmsnorm_table() { return add_rmsnorm::table(); }

}  // namespace seamgate::kernels::SIMT_BUILD
