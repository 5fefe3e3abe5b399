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
  // first; the gradients are those without that cast.
  template <class B>
  static std::vector<Tensor<B>> tensor_path(const std::vector<Tensor<B>>& inputs,
                                            const kernels::Attributes& attributes) {
    const DType dtype = inputs[0].dtype();
    const auto a = cast(inputs[0], DType::f32);
    const auto b = cast(inputs[1], DType::f32);
    const auto silu = mul(a, sigmoid(a));
    const auto y = mul(silu, b);
    if (attributes.variant != "hf" || dtype == DType::f32) return {cast(y, dtype)};
    return {cast(straight_through(y, mul(rounded(bare_of(silu), dtype), bare_of(b))), dtype)};
  }

  // da = gy * b * s * (1 + a * (1 - s)) and db = gy * silu(a), with s = sigmoid(a) and 1 - s = sigmoid(-a).
  template <class B>
  static std::vector<std::optional<Tensor<B>>> tensor_adjoint(const std::vector<Tensor<B>>& inputs,
                                                              const std::vector<Tensor<B>>&,
                                                              const std::vector<Tensor<B>>& upstream,
                                                              const std::vector<bool>& wants,
                                                              const kernels::Attributes&) {
    const auto a = cast(inputs[0], DType::f32);
    const auto gy = cast(upstream[0], DType::f32);
    const auto s = sigmoid(a);
    std::vector<std::optional<Tensor<B>>> grads(2);
    if (wants[0]) {
      const auto derivative = mul(s, add_scalar(mul(a, sigmoid(neg(a))), 1.0F));
      grads[0] = cast(mul(mul(gy, cast(inputs[1], DType::f32)), derivative), inputs[0].dtype());
    }
    if (wants[1]) grads[1] = cast(mul(gy, mul(a, s)), inputs[1].dtype());
    return grads;
  }
};

}  // namespace seamgate::seam::SEAM_BUILD
