// What the small trainer asks for: the modules of its model that a fused kernel may serve.
#pragma once

#include <functional>
#include <vector>

#include "tensor/any_tensor.hpp"

namespace seamgate::gates::trainer {

// One module forward: the op's inputs, on a tape, to its outputs on the same tape.
using Module = std::function<std::vector<AnyTensor>(const std::vector<AnyTensor>&)>;

struct Modules {
  Module norm;       // x [M, N] and w [N] to y [M, N]
  Module gate_unit;  // a [M, H] and b [M, H] to y [M, H]
  // x [M, N], residual [M, N] and w [N] to norm(x + residual, w) and the sum x + residual. Where it is empty,
  // the model adds and asks `norm`.
  Module add_norm;
};

// RMSNorm (eps 1e-6) and SwiGLU, and no add_norm, by tensor operations of the tape, without a seam.
Modules tensor_modules();

}  // namespace seamgate::gates::trainer
