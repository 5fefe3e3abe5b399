// Must not compile: tensors of two strategies in one operation.
#include "tensor/autodiff/primitives.hpp"

using Balanced = seamgate::Tensor<seamgate::Autodiff<seamgate::Cpu, seamgate::BalancedCheckpointing>>;
using Keeping = seamgate::Tensor<seamgate::Autodiff<seamgate::Cpu, seamgate::NoCheckpointing>>;

Balanced product(const Balanced& x, const Keeping& y) {
  return seamgate::mul(x, y);
}
