// Fused add + RMSNorm for the seam: its contract, and the same mathematics by tensor operations.
#pragma once

#include <optional>
#include <vector>

#include "kernels/add_rmsnorm/add_rmsnorm.hpp"
#include "seam/modules/rms_norm.hpp"

namespace seamgate::seam::SEAM_BUILD {

struct AddRmsNorm {
  static const kernels::Contract& contract() { return kernels::add_rmsnorm_contract(); }

  // sum = cast(x + residual), y = the norm of the sum.
  template <class B>
  static std::vector<Tensor<B>> tensor_path(const std::vector<Tensor<B>>& inputs, const kernels::Attributes& attributes) {
    const DType dtype = inputs[0].dtype();
    const auto exact = add(inputs[0], inputs[1]);
    const auto sum = inner_cast(exact, dtype);
    const auto w = cast(inputs[2], DType::f32);
    const auto rstd = recip(sqrt(add_scalar(mean_dim(mul(sum, sum), -1), attributes.eps)));
    return {cast(mul(mul(sum, rstd), w), dtype), cast(sum, dtype)};
  }

  // dx = dresidual = the norm's own dx at the sum, and gsum after it; dw as RMSNorm's.
  template <class B>
  static std::vector<std::optional<Tensor<B>>> tensor_adjoint(const std::vector<Tensor<B>>& inputs,
                                                              const std::vector<Tensor<B>>& saved,
                                                              const std::vector<Tensor<B>>& upstream,
                                                              const std::vector<bool>& wants,
                                                              const kernels::Attributes& attributes) {
    const Tensor<B> sum = cast(saved[1], DType::f32);
    const auto norm = RmsNorm::tensor_adjoint<B>({sum, inputs[2]}, {saved[0]}, {upstream[0]}, {wants[0] || wants[1], wants[2]},
                                                 {"torch", attributes.eps});
    std::vector<std::optional<Tensor<B>>> grads(3);
    if (wants[0] || wants[1]) {
      const Tensor<B> dsum = cast(add(*norm[0], upstream[1]), inputs[0].dtype());
      for (const std::size_t i : {0, 1}) {
        if (wants[i]) grads[i] = dsum;
      }
    }
    grads[2] = norm[1];
    return grads;
  }
};

}  // namespace seamgate::seam::SEAM_BUILD
