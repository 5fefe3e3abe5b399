// Must not compile: a tracked tensor handed to a raw launch.
#include "tensor/raw_view.hpp"

using Tracked = seamgate::Tensor<seamgate::Autodiff<seamgate::Cpu, seamgate::BalancedCheckpointing>>;

seamgate::kernels::View launch_argument(const Tracked& x) {
  return seamgate::raw_view(x);
}
