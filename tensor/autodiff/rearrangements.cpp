// Casts and rearrangements on the tape: memory-bound, and their gradients rearrange back.
#include <utility>

#include "tensor/autodiff/prepare.hpp"
#include "tensor/autodiff/primitives.hpp"

namespace seamgate {
namespace {

using autodiff::BackwardContext;
using autodiff::prepare;

// `forward` maps a bare tensor to the output, `back` the upstream gradient to one of x's shape.
template <class B, class S, class Forward, class Back>
Tensor<Autodiff<B, S>> rearrange(const char* op, const Tensor<Autodiff<B, S>>& x, Forward forward,
                                 Back back) {
  auto prep = prepare<B, S>(op, {&x});
  prep.memory_bound([forward](std::span<const Tensor<B>> parents) { return forward(parents[0]); });
  return prep.finish(forward(x.inner()),
                     [back](BackwardContext<B>& ctx) { ctx.set_grad(0, back(ctx.upstream())); });
}

}  // namespace

// Identity: the tape itself rounds a gradient to its tensor's dtype, once.
template <class B, class S>
Tensor<Autodiff<B, S>> cast(const Tensor<Autodiff<B, S>>& x, DType dtype) {
  using T = Tensor<B>;
  return rearrange(
      "cast", x, [dtype](const T& v) { return v.cast(dtype); }, [](const T& g) { return g; });
}

template <class B, class S>
Tensor<Autodiff<B, S>> reshape(const Tensor<Autodiff<B, S>>& x, const Shape& shape) {
  using T = Tensor<B>;
  return rearrange(
      "reshape", x, [shape](const T& v) { return v.reshape(shape); },
      [from = x.shape()](const T& g) { return g.reshape(from); });
}

template <class B, class S>
Tensor<Autodiff<B, S>> slice(const Tensor<Autodiff<B, S>>& x, int dim, std::int64_t begin, std::int64_t end,
                             std::int64_t step) {
  using T = Tensor<B>;
  return rearrange(
      "slice", x, [=](const T& v) { return v.slice(dim, begin, end, step); },
      [=, from = x.shape()](const T& g) {
        const T whole = T::zeros(from, g.dtype(), g.device());
        whole.slice(dim, begin, end, step).copy_from(g);
        return whole;
      });
}

template <class B, class S>
Tensor<Autodiff<B, S>> transpose(const Tensor<Autodiff<B, S>>& x, int a, int b) {
  using T = Tensor<B>;
  return rearrange(
      "transpose", x, [=](const T& v) { return v.transpose(a, b); },
      [=](const T& g) { return g.transpose(a, b); });
}

template <class B, class S>
Tensor<Autodiff<B, S>> expand(const Tensor<Autodiff<B, S>>& x, const Shape& shape) {
  using T = Tensor<B>;
  return rearrange(
      "expand", x, [shape](const T& v) { return v.expand(shape); },
      [from = x.shape()](const T& g) { return sum_to(g, from); });
}

template <class B, class S>
Tensor<Autodiff<B, S>> contiguous(const Tensor<Autodiff<B, S>>& x) {
  using T = Tensor<B>;
  return rearrange(
      "contiguous", x, [](const T& v) { return v.contiguous(); }, [](const T& g) { return g; });
}

#define SEAMGATE_DEFINE_REARRANGEMENTS(B, S)                                                            \
  template Tensor<Autodiff<B, S>> cast(const Tensor<Autodiff<B, S>>&, DType);                           \
  template Tensor<Autodiff<B, S>> reshape(const Tensor<Autodiff<B, S>>&, const Shape&);                 \
  template Tensor<Autodiff<B, S>> slice(const Tensor<Autodiff<B, S>>&, int, std::int64_t, std::int64_t, \
                                        std::int64_t);                                                  \
  template Tensor<Autodiff<B, S>> transpose(const Tensor<Autodiff<B, S>>&, int, int);                   \
  template Tensor<Autodiff<B, S>> expand(const Tensor<Autodiff<B, S>>&, const Shape&);                  \
  template Tensor<Autodiff<B, S>> contiguous(const Tensor<Autodiff<B, S>>&);
#define SEAMGATE_DEFINE_STRATEGIES(B)                \
  SEAMGATE_DEFINE_REARRANGEMENTS(B, NoCheckpointing) \
  SEAMGATE_DEFINE_REARRANGEMENTS(B, BalancedCheckpointing)
SEAMGATE_FOR_EACH_BACKEND(SEAMGATE_DEFINE_STRATEGIES)

}  // namespace seamgate
