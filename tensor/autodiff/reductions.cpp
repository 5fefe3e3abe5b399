// Sums and matmul on the tape: compute-bound, their outputs are kept.
#include "tensor/autodiff/prepare.hpp"
#include "tensor/autodiff/primitives.hpp"

namespace seamgate {

using autodiff::BackwardContext;
using autodiff::prepare;

template <class B, class S>
Tensor<Autodiff<B, S>> sum_dim(const Tensor<Autodiff<B, S>>& x, int dim) {
  auto prep = prepare<B, S>("sum_dim", {&x});
  prep.compute_bound();
  return prep.finish(sum_dim(x.inner(), dim), [shape = x.shape()](BackwardContext<B>& ctx) {
    ctx.set_grad(0, ctx.upstream().expand(shape));
  });
}

template <class B, class S>
Tensor<Autodiff<B, S>> mean_dim(const Tensor<Autodiff<B, S>>& x, int dim) {
  auto prep = prepare<B, S>("mean_dim", {&x});
  prep.compute_bound();
  const Tensor<B> mean = mean_dim(x.inner(), dim);
  const auto terms = static_cast<float>(x.shape()[normalised_dim(dim, x.rank(), "mean_dim")]);
  return prep.finish(mean, [shape = x.shape(), terms](BackwardContext<B>& ctx) {
    ctx.set_grad(0, div_scalar(ctx.upstream(), terms).expand(shape));
  });
}

template <class B, class S>
Tensor<Autodiff<B, S>> sum(const Tensor<Autodiff<B, S>>& x) {
  auto prep = prepare<B, S>("sum", {&x});
  prep.compute_bound();
  return prep.finish(sum(x.inner()), [shape = x.shape()](BackwardContext<B>& ctx) {
    ctx.set_grad(0, ctx.upstream().expand(shape));
  });
}

// da = g b^T, db = a^T g.
template <class B, class S>
Tensor<Autodiff<B, S>> matmul(const Tensor<Autodiff<B, S>>& a, const Tensor<Autodiff<B, S>>& b) {
  auto prep = prepare<B, S>("matmul", {&a, &b});
  prep.compute_bound();
  if (a.is_tracked()) prep.checkpoint(1);
  if (b.is_tracked()) prep.checkpoint(0);
  return prep.finish(matmul(a.inner(), b.inner()), [](BackwardContext<B>& ctx) {
    const Tensor<B> upstream = ctx.upstream();
    if (ctx.wants(0)) ctx.set_grad(0, matmul(upstream, ctx.parent(1).transpose(0, 1)));
    if (ctx.wants(1)) ctx.set_grad(1, matmul(ctx.parent(0).transpose(0, 1), upstream));
  });
}

#define SEAMGATE_DEFINE_REDUCTIONS(B, S)                                        \
  template Tensor<Autodiff<B, S>> sum_dim(const Tensor<Autodiff<B, S>>&, int);  \
  template Tensor<Autodiff<B, S>> mean_dim(const Tensor<Autodiff<B, S>>&, int); \
  template Tensor<Autodiff<B, S>> sum(const Tensor<Autodiff<B, S>>&);           \
  template Tensor<Autodiff<B, S>> matmul(const Tensor<Autodiff<B, S>>&, const Tensor<Autodiff<B, S>>&);
#define SEAMGATE_DEFINE_STRATEGIES(B)            \
  SEAMGATE_DEFINE_REDUCTIONS(B, NoCheckpointing) \
  SEAMGATE_DEFINE_REDUCTIONS(B, BalancedCheckpointing)
SEAMGATE_FOR_EACH_BACKEND(SEAMGATE_DEFINE_STRATEGIES)

}  // namespace seamgate
