// Must not compile: a gradient asked of a bare tensor.
#include "tensor/autodiff/tracked_tensor.hpp"

bool has_grad(const seamgate::Tensor<seamgate::Cpu>& x, const seamgate::Gradients<seamgate::Cpu>& gradients) {
  return x.grad(gradients).has_value();
}
