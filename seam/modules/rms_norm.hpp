// RMSNorm for the seam: its contract, and the same mathematics by tensor operations.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/rmsnorm/rmsnorm.hpp"
#include "seam/ask.hpp"
#include "tensor/autodiff/primitives.hpp"
#include "tensor/primitives.hpp"
#include "tensor/tensor.hpp"

namespace seamgate::seam::SEAM_BUILD {

struct RmsNorm {
  static const kernels::Contract& contract() { return kernels::rmsnorm_contract(); }

  // y = cast((x * r) * w), r = 1 / sqrt(mean(x * x) + eps), for a bare backend or one on a tape.
  template <class B>
  static std::vector<Tensor<B>> tensor_path(const std::vector<Tensor<B>>& inputs, const kernels::Attributes& attributes) {
    const auto x = cast(inputs[0], DType::f32);
    const auto w = cast(inputs[1], DType::f32);
    const auto rstd = recip(sqrt(add_scalar(mean_dim(mul(x, x), -1), attributes.eps)));
    return {cast(mul(mul(x, rstd), w), inputs[0].dtype())};
  }

  // dx = r * (g - xhat * mean(g * xhat)) and dw = sum over rows of gy * xhat, with g = gy * w and xhat = x * r.
  template <class B>
  static std::vector<std::optional<Tensor<B>>> tensor_adjoint(const std::vector<Tensor<B>>& inputs,
                                                              const std::vector<Tensor<B>>& saved, const std::vector<Tensor<B>>& upstream,
                                                              const std::vector<bool>& wants, const kernels::Attributes&) {
    const std::int64_t columns = inputs[0].shape()[inputs[0].rank() - 1];
    const std::int64_t rows = inputs[0].numel() / columns;
    const auto x = reshape(cast(inputs[0], DType::f32), {rows, columns});
    const auto gy = reshape(cast(upstream[0], DType::f32), {rows, columns});
    const auto rstd = reshape(saved[0], {rows, 1});
    const auto xhat = mul(x, rstd);
    std::vector<std::optional<Tensor<B>>> grads(2);
    if (wants[0]) {
      const auto g = mul(gy, cast(inputs[1], DType::f32));
      const auto dx = mul(sub(g, mul(xhat, mean_dim(mul(g, xhat), -1))), rstd);
      grads[0] = cast(reshape(dx, inputs[0].shape()), inputs[0].dtype());
    }
    if (wants[1]) grads[1] = cast(reshape(sum_dim(mul(gy, xhat), 0), {columns}), inputs[1].dtype());
    return grads;
  }
};

}  // namespace seamgate::seam::SEAM_BUILD
