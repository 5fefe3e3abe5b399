// The modules of the trainer's model by tensor operations.
#include "gates/trainer/modules.hpp"

#include "tensor/autodiff/primitives.hpp"
#include "tensor/primitives.hpp"

namespace seamgate::gates::trainer {
namespace {

template <class T>
T norm(const T& x, const T& w) {
  const T mean_square = mean_dim(mul(x, x), -1);
  return mul(mul(x, recip(sqrt(add_scalar(mean_square, 1e-6F)))), w);
}

template <class T>
T gate_unit(const T& a, const T& b) {
  return mul(mul(a, sigmoid(a)), b);
}

}  // namespace

Modules tensor_modules() {
  return {.norm =
              [](const std::vector<AnyTensor>& inputs) {
                return visit(inputs[0], [&]<class T>(const T& x) {
                  return std::vector<AnyTensor>{norm(x, *inputs[1].template as<T>())};
                });
              },
          .gate_unit =
              [](const std::vector<AnyTensor>& inputs) {
                return visit(inputs[0], [&]<class T>(const T& a) {
                  return std::vector<AnyTensor>{gate_unit(a, *inputs[1].template as<T>())};
                });
              },
          .add_norm = {}};
}

}  // namespace seamgate::gates::trainer
