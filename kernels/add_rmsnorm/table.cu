// Fused add + RMSNorm's kernels for a GPU.
#include "kernels/add_rmsnorm/launch.hpp"

namespace seamgate::kernels::SIMT_BUILD {

const KernelTable& add_rmsnorm_table() { return add_rmsnorm::table(); }

}  // namespace seamgate::kernels::SIMT_BUILD
