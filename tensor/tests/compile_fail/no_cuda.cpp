// Must not compile without SEAMGATE_HAS_CUDA: a tensor on a backend that the build lacks.
#include "tensor/tensor.hpp"

std::int64_t count(const seamgate::Tensor<seamgate::Cuda>& x) {
  return x.numel();
}
