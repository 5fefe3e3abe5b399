// Elementwise operations on the tape: each the bare operation, its retro-forward and its backward.
#include "tensor/autodiff/prepare.hpp"
#include "tensor/autodiff/primitives.hpp"

namespace seamgate {
namespace {

using autodiff::BackwardContext;
using autodiff::prepare;

// One parent. `forward` maps a bare tensor to the output; `gradient(upstream, x)` gives dx. Linear operations
// do not need x and pass `checkpoints` false; their `gradient` gets the upstream in its place.
template <class B, class S, class Forward, class Gradient>
Tensor<Autodiff<B, S>> unary(const char* op, const Tensor<Autodiff<B, S>>& x, bool checkpoints,
                             Forward forward, Gradient gradient) {
  auto prep = prepare<B, S>(op, {&x});
  prep.memory_bound([forward](std::span<const Tensor<B>> parents) { return forward(parents[0]); });
  if (checkpoints) prep.checkpoint(0);
  return prep.finish(forward(x.inner()), [gradient, checkpoints](BackwardContext<B>& ctx) {
    const Tensor<B> upstream = ctx.upstream();
    ctx.set_grad(0, gradient(upstream, checkpoints ? ctx.parent(0) : upstream));
  });
}

// Sets a parent's gradient where it is tracked, summed back over broadcast dimensions.
template <class B, class Gradient>
void give(BackwardContext<B>& ctx, int i, const Shape& shape, Gradient gradient) {
  if (ctx.wants(i)) ctx.set_grad(i, sum_to(gradient(), shape));
}

}  // namespace

template <class B, class S>
Tensor<Autodiff<B, S>> add(const Tensor<Autodiff<B, S>>& lhs, const Tensor<Autodiff<B, S>>& rhs) {
  auto prep = prepare<B, S>("add", {&lhs, &rhs});
  prep.memory_bound([](std::span<const Tensor<B>> parents) { return add(parents[0], parents[1]); });
  return prep.finish(add(lhs.inner(), rhs.inner()),
                     [a = lhs.shape(), b = rhs.shape()](BackwardContext<B>& ctx) {
                       const Tensor<B> upstream = ctx.upstream();
                       give(ctx, 0, a, [&] { return upstream; });
                       give(ctx, 1, b, [&] { return upstream; });
                     });
}

template <class B, class S>
Tensor<Autodiff<B, S>> sub(const Tensor<Autodiff<B, S>>& lhs, const Tensor<Autodiff<B, S>>& rhs) {
  auto prep = prepare<B, S>("sub", {&lhs, &rhs});
  prep.memory_bound([](std::span<const Tensor<B>> parents) { return sub(parents[0], parents[1]); });
  return prep.finish(sub(lhs.inner(), rhs.inner()),
                     [a = lhs.shape(), b = rhs.shape()](BackwardContext<B>& ctx) {
                       const Tensor<B> upstream = ctx.upstream();
                       give(ctx, 0, a, [&] { return upstream; });
                       give(ctx, 1, b, [&] { return neg(upstream); });
                     });
}

// d lhs = g * rhs, d rhs = g * lhs: each factor is needed only if the other is tracked.
template <class B, class S>
Tensor<Autodiff<B, S>> mul(const Tensor<Autodiff<B, S>>& lhs, const Tensor<Autodiff<B, S>>& rhs) {
  auto prep = prepare<B, S>("mul", {&lhs, &rhs});
  prep.memory_bound([](std::span<const Tensor<B>> parents) { return mul(parents[0], parents[1]); });
  if (lhs.is_tracked()) prep.checkpoint(1);
  if (rhs.is_tracked()) prep.checkpoint(0);
  return prep.finish(mul(lhs.inner(), rhs.inner()),
                     [a = lhs.shape(), b = rhs.shape()](BackwardContext<B>& ctx) {
                       const Tensor<B> upstream = ctx.upstream();
                       give(ctx, 0, a, [&] { return mul(upstream, ctx.parent(1)); });
                       give(ctx, 1, b, [&] { return mul(upstream, ctx.parent(0)); });
                     });
}

// d lhs = g / rhs, d rhs = -g * lhs / rhs^2.
template <class B, class S>
Tensor<Autodiff<B, S>> div(const Tensor<Autodiff<B, S>>& lhs, const Tensor<Autodiff<B, S>>& rhs) {
  auto prep = prepare<B, S>("div", {&lhs, &rhs});
  prep.memory_bound([](std::span<const Tensor<B>> parents) { return div(parents[0], parents[1]); });
  if (prep.tracked()) prep.checkpoint(1);
  if (rhs.is_tracked()) prep.checkpoint(0);
  return prep.finish(div(lhs.inner(), rhs.inner()),
                     [a = lhs.shape(), b = rhs.shape()](BackwardContext<B>& ctx) {
                       const Tensor<B> divisor = ctx.parent(1);
                       const Tensor<B> scaled = div(ctx.upstream(), divisor);
                       give(ctx, 0, a, [&] { return scaled; });
                       give(ctx, 1, b, [&] { return neg(div(mul(scaled, ctx.parent(0)), divisor)); });
                     });
}

template <class B, class S>
Tensor<Autodiff<B, S>> neg(const Tensor<Autodiff<B, S>>& x) {
  using T = Tensor<B>;
  return unary(
      "neg", x, false, [](const T& v) { return neg(v); }, [](const T& g, const T&) { return neg(g); });
}

template <class B, class S>
Tensor<Autodiff<B, S>> square(const Tensor<Autodiff<B, S>>& x) {
  using T = Tensor<B>;
  return unary(
      "square", x, true, [](const T& v) { return square(v); },
      [](const T& g, const T& v) { return mul(mul_scalar(v, 2.0F), g); });
}

// g / (2 * sqrt(x)).
template <class B, class S>
Tensor<Autodiff<B, S>> sqrt(const Tensor<Autodiff<B, S>>& x) {
  using T = Tensor<B>;
  return unary(
      "sqrt", x, true, [](const T& v) { return sqrt(v); },
      [](const T& g, const T& v) { return div(mul_scalar(g, 0.5F), sqrt(v)); });
}

// -g / x^2, as two divisions: x^2 may overflow.
template <class B, class S>
Tensor<Autodiff<B, S>> recip(const Tensor<Autodiff<B, S>>& x) {
  using T = Tensor<B>;
  return unary(
      "recip", x, true, [](const T& v) { return recip(v); },
      [](const T& g, const T& v) { return neg(div(div(g, v), v)); });
}

template <class B, class S>
Tensor<Autodiff<B, S>> exp(const Tensor<Autodiff<B, S>>& x) {
  using T = Tensor<B>;
  return unary(
      "exp", x, true, [](const T& v) { return exp(v); },
      [](const T& g, const T& v) { return mul(g, exp(v)); });
}

// g * s(x) * s(-x): s(-x) is 1 - s(x) without its cancellation.
template <class B, class S>
Tensor<Autodiff<B, S>> sigmoid(const Tensor<Autodiff<B, S>>& x) {
  using T = Tensor<B>;
  return unary(
      "sigmoid", x, true, [](const T& v) { return sigmoid(v); },
      [](const T& g, const T& v) { return mul(g, mul(sigmoid(v), sigmoid(neg(v)))); });
}

template <class B, class S>
Tensor<Autodiff<B, S>> add_scalar(const Tensor<Autodiff<B, S>>& x, float scalar) {
  using T = Tensor<B>;
  return unary(
      "add_scalar", x, false, [scalar](const T& v) { return add_scalar(v, scalar); },
      [](const T& g, const T&) { return g; });
}

template <class B, class S>
Tensor<Autodiff<B, S>> mul_scalar(const Tensor<Autodiff<B, S>>& x, float scalar) {
  using T = Tensor<B>;
  return unary(
      "mul_scalar", x, false, [scalar](const T& v) { return mul_scalar(v, scalar); },
      [scalar](const T& g, const T&) { return mul_scalar(g, scalar); });
}

template <class B, class S>
Tensor<Autodiff<B, S>> div_scalar(const Tensor<Autodiff<B, S>>& x, float scalar) {
  using T = Tensor<B>;
  return unary(
      "div_scalar", x, false, [scalar](const T& v) { return div_scalar(v, scalar); },
      [scalar](const T& g, const T&) { return div_scalar(g, scalar); });
}

#define SEAMGATE_DEFINE_ELEMENTWISE(B, S)                                                            \
  template Tensor<Autodiff<B, S>> add(const Tensor<Autodiff<B, S>>&, const Tensor<Autodiff<B, S>>&); \
  template Tensor<Autodiff<B, S>> sub(const Tensor<Autodiff<B, S>>&, const Tensor<Autodiff<B, S>>&); \
  template Tensor<Autodiff<B, S>> mul(const Tensor<Autodiff<B, S>>&, const Tensor<Autodiff<B, S>>&); \
  template Tensor<Autodiff<B, S>> div(const Tensor<Autodiff<B, S>>&, const Tensor<Autodiff<B, S>>&); \
  template Tensor<Autodiff<B, S>> neg(const Tensor<Autodiff<B, S>>&);                                \
  template Tensor<Autodiff<B, S>> square(const Tensor<Autodiff<B, S>>&);                             \
  template Tensor<Autodiff<B, S>> sqrt(const Tensor<Autodiff<B, S>>&);                               \
  template Tensor<Autodiff<B, S>> recip(const Tensor<Autodiff<B, S>>&);                              \
  template Tensor<Autodiff<B, S>> exp(const Tensor<Autodiff<B, S>>&);                                \
  template Tensor<Autodiff<B, S>> sigmoid(const Tensor<Autodiff<B, S>>&);                            \
  template Tensor<Autodiff<B, S>> add_scalar(const Tensor<Autodiff<B, S>>&, float);                  \
  template Tensor<Autodiff<B, S>> mul_scalar(const Tensor<Autodiff<B, S>>&, float);                  \
  template Tensor<Autodiff<B, S>> div_scalar(const Tensor<Autodiff<B, S>>&, float);
#define SEAMGATE_DEFINE_STRATEGIES(B)             \
  SEAMGATE_DEFINE_ELEMENTWISE(B, NoCheckpointing) \
  SEAMGATE_DEFINE_ELEMENTWISE(B, BalancedCheckpointing)
SEAMGATE_FOR_EACH_BACKEND(SEAMGATE_DEFINE_STRATEGIES)

}  // namespace seamgate
