// SwiGLU for the seam: its contract, and the same mathematics by tensor operations.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/swiglu/swiglu.hpp"
#include "seam/ask.hpp"
#include "tensor/autodiff/primitives.hpp"
#include "tensor/primitives.hpp"
#include "tensor/straight_through.hpp"
#include "tensor/tensor.hpp"

namespace seamgate::seam::SEAM_BUILD {

struct SwiGlu {
  static const kernels::Contract& contract() { return kernels::swiglu_contract(); }

  // y = cast(silu(a) * b), silu(a) = a * sigmoid(a), for a bare backend or one on a tape. `hf` casts silu(a)
  // first, which differentiates as identity.
  template <class B>
  static std::vector<Tensor<B>> tensor_path(const std::vector<Tensor<B>>& inputs,
                                            const kernels::Attributes& attributes) {
    return {cast(mul(gate(inputs[0], attributes), cast(inputs[1], DType::f32)), inputs[0].dtype())};
  }

  // da = gy * b * s * (1 + a * (1 - s)) and db = gy * silu(a), with s = sigmoid(a) and 1 - s = sigmoid(-a).
  template <class B>
  static std::vector<std::optional<Tensor<B>>> tensor_adjoint(const std::vector<Tensor<B>>& inputs,
                                                              const std::vector<Tensor<B>>&,
                                                              const std::vector<Tensor<B>>& upstream,
                                                              const std::vector<bool>& wants,
                                                              const kernels::Attributes& attributes) {
    const auto gy = cast(upstream[0], DType::f32);
    std::vector<std::optional<Tensor<B>>> grads(2);
    if (wants[0]) {
      const auto a = cast(inputs[0], DType::f32);
      const auto derivative = mul(sigmoid(a), add_scalar(mul(a, sigmoid(neg(a))), 1.0F));
      grads[0] = cast(mul(mul(gy, cast(inputs[1], DType::f32)), derivative), inputs[0].dtype());
    }
    if (wants[1]) grads[1] = cast(mul(gy, gate(inputs[0], attributes)), inputs[1].dtype());
    return grads;
  }

 private:
  // silu(a) as the variant hands it on, in f32.
  template <class B>
  static Tensor<B> gate(const Tensor<B>& input, const kernels::Attributes& attributes) {
    const auto a = cast(input, DType::f32);
    const auto silu = mul(a, sigmoid(a));
    return inner_cast(silu, attributes.variant == "hf" ? input.dtype() : DType::f32);
  }
};

}  // namespace seamgate::seam::SEAM_BUILD
