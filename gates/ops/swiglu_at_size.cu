// SwiGlu's truth at size, on a GPU.
#include "reference/swiglu_at_size.hpp"

#include "gates/at_size/on_gpu.cuh"

namespace seamgate::gates {
namespace {

const RegisterGpuAtSize registered("swiglu", at_size::on_gpu<reference::SwiGluAtSize>);

}  // namespace
}  // namespace seamgate::gates
