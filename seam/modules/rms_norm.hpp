// RMSNorm for the seam: its contract, and the same mathematics by tensor operations.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/rmsnorm/rmsnorm.hpp"
#include "seam/ask.hpp"
#include "tensor/autodiff/primitives.hpp"
#include "tensor/primitives.hpp"
#include "tensor/straight_through.hpp"
#include "tensor/tensor.hpp"

namespace seamgate::seam::SEAM_BUILD {

struct RmsNorm {
  static const kernels::Contract& contract() { return kernels::rmsnorm_contract(); }

  // A variant's rounding rules, as behaviours state them (kernels/rmsnorm/rmsnorm.hpp).
  struct Rules {
    DType inner = DType::f32;   // the cast of x * r; f32: none
    DType output = DType::f32;
    bool centred = false;       // the weight is 1 + w
    bool stepwise = false;      // burn: root, quotient and product each rounded to x's dtype
  };

  static Rules rules_of(std::string_view variant, DType x, DType w) {
    if (variant == "llama") return {x, w == x ? x : DType::f32, false, false};
    if (variant == "t5") return {w, w, false, false};
    if (variant == "gemma") return {DType::f32, x, true, false};
    if (variant == "burn") return {DType::f32, x, false, x != DType::f32};
    return {DType::f32, x, false, false};
  }

  // For a bare backend or one on a tape. r = 1 / sqrt(mean(x * x) + eps), y = cast((x * r) * w) with the variant's casts,
  // which differentiate as identity.
  template <class B>
  static std::vector<Tensor<B>> tensor_path(const std::vector<Tensor<B>>& inputs, const kernels::Attributes& attributes) {
    const Rules rules = rules_of(attributes.variant, inputs[0].dtype(), inputs[1].dtype());
    const auto x = cast(inputs[0], DType::f32);
    const auto w = weight(cast(inputs[1], DType::f32), rules);
    const auto root = sqrt(add_scalar(mean_dim(mul(x, x), -1), attributes.eps));
    const auto xhat = mul(x, recip(root));
    if (!rules.stepwise) return {cast(mul(inner_cast(xhat, rules.inner), w), rules.output)};
    const auto quotient = rounded(div(bare_of(x), rounded(bare_of(root), rules.output)), rules.output);
    return {cast(straight_through(mul(xhat, w), mul(quotient, bare_of(w))), rules.output)};
  }

  // dx = r * (g - xhat * mean(g * xhat)) and dw = sum over rows of gy * xhat, with g = gy * w and xhat = x * r.
  template <class B>
  static std::vector<std::optional<Tensor<B>>> tensor_adjoint(const std::vector<Tensor<B>>& inputs,
                                                              const std::vector<Tensor<B>>& saved,
                                                              const std::vector<Tensor<B>>& upstream,
                                                              const std::vector<bool>& wants,
                                                              const kernels::Attributes& attributes) {
    const Rules rules = rules_of(attributes.variant, inputs[0].dtype(), inputs[1].dtype());
    const std::int64_t columns = inputs[0].shape()[inputs[0].rank() - 1];
    const std::int64_t rows = inputs[0].numel() / columns;
    const auto x = reshape(cast(inputs[0], DType::f32), {rows, columns});
    const auto gy = reshape(cast(upstream[0], DType::f32), {rows, columns});
    const auto rstd = reshape(saved[0], {rows, 1});
    const auto xhat = mul(x, rstd);
    std::vector<std::optional<Tensor<B>>> grads(2);
    if (wants[0]) {
      const auto g = mul(gy, weight(cast(inputs[1], DType::f32), rules));
      const auto dx = mul(sub(g, mul(xhat, mean_dim(mul(g, xhat), -1))), rstd);
      grads[0] = cast(reshape(dx, inputs[0].shape()), inputs[0].dtype());
    }
    if (wants[1]) {
      grads[1] = cast(reshape(sum_dim(mul(gy, inner_cast(xhat, rules.inner)), 0), {columns}), inputs[1].dtype());
    }
    return grads;
  }

 private:
  template <class T>
  static T weight(const T& w, const Rules& rules) {
    return rules.centred ? add_scalar(w, 1.0F) : w;
  }
};

}  // namespace seamgate::seam::SEAM_BUILD
