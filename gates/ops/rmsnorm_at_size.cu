// RmsNorm's truth at size, on a GPU.
#include "reference/rmsnorm_at_size.hpp"

#include "gates/at_size/on_gpu.cuh"

namespace seamgate::gates {
namespace {

const RegisterGpuAtSize registered("rmsnorm", at_size::on_gpu<reference::RmsNormAtSize>);

}  // namespace
}  // namespace seamgate::gates
