// AddRmsNorm's truth at size, on a GPU.
#include "reference/add_rmsnorm_at_size.hpp"

#include "gates/at_size/on_gpu.cuh"

namespace seamgate::gates {
namespace {

const RegisterGpuAtSize registered("add_rmsnorm", at_size::on_gpu<reference::AddRmsNormAtSize>);

}  // namespace
}  // namespace seamgate::gates
