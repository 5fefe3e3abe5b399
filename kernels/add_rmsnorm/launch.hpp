// Fused add + RMSNorm's calls: refuses what the contract does not serve, then launches RMSNorm's kernels over a summed row.
#pragma once

#include <string>

#include "kernels/add_rmsnorm/add_rmsnorm.hpp"
#include "kernels/add_rmsnorm/rows.hpp"
#include "kernels/rmsnorm/launch_rows.hpp"

namespace seamgate::kernels::SIMT_BUILD::add_rmsnorm {

using rmsnorm::AdjointArgs;
using rmsnorm::ForwardArgs;

inline Status refuse(const std::string& what) { return Status::invalid("add_rmsnorm: " + what); }

// The dtypes of x and the residual agree, and the rest is RMSNorm's.
inline Status check_dtypes(const Attributes& attributes, const View& x, const View& residual, const View& w, DType y) {
  if (find_variant(add_rmsnorm_contract(), attributes.variant) == nullptr) {
    return Status::unsupported("add_rmsnorm: variant '" + std::string(attributes.variant) + "' is not served; allowed: torch");
  }
  if (residual.dtype != x.dtype) {
    return refuse("residual is " + describe(residual) + "; allowed: the dtype of x, " + std::string(to_string(x.dtype)));
  }
  return rmsnorm::check_dtypes(attributes, x, w, y);
}

inline Status forward(const ForwardCall& call) {
  if (call.inputs.size() != 3 || call.outputs.size() != 2 || call.saved.size() != 1) {
    return refuse("forward got " + std::to_string(call.inputs.size()) + " inputs, " + std::to_string(call.outputs.size()) +
                  " outputs and " + std::to_string(call.saved.size()) +
                  " saved tensors; allowed: 3 (x, residual, w), 2 (y, sum) and 1 (rstd)");
  }
  const View& x = call.inputs[0];
  const View& residual = call.inputs[1];
  const View& w = call.inputs[2];
  const View& y = call.outputs[0];
  const View& sum = call.outputs[1];
  const View& rstd = call.saved[0];
  const std::pair<const char*, const View*> named[] = {{"x", &x}, {"residual", &residual}, {"y", &y}, {"sum", &sum}};
  if (Status s = rmsnorm::check_shapes(x, w, named); !s.ok()) return s;
  if (Status s = check_dtypes(call.attributes, x, residual, w, y.dtype); !s.ok()) return s;
  if (Status s = rmsnorm::check_eps(call.attributes.eps); !s.ok()) return s;
  if (sum.dtype != x.dtype) return refuse("sum is " + describe(sum) + "; allowed: the dtype of x, " + std::string(to_string(x.dtype)));
  if (rstd.dtype != DType::f32 || rstd.numel() != x.rows() || !is_packed(rstd)) {
    return refuse("rstd is " + describe(rstd) + "; allowed: " + std::to_string(x.rows()) + " adjacent f32 values");
  }
  return rmsnorm::with_one_cast(x.dtype, w.dtype, [&]<class Variant>(Variant) -> Status {
    using X = typename Variant::X;
    ForwardArgs<Variant, SummedInput<X>> args{};
    args.x = {static_cast<const X*>(x.data), static_cast<const X*>(residual.data), static_cast<X*>(sum.data),
              as_rows(x)->stride,            as_rows(residual)->stride,            as_rows(sum)->stride};
    args.w = static_cast<const typename Variant::W*>(w.data);
    args.y = static_cast<typename Variant::Y*>(y.data);
    args.rstd = static_cast<float*>(rstd.data);
    args.rows = x.rows();
    args.columns = x.columns();
    args.y_stride = as_rows(y)->stride;
    args.eps = call.attributes.eps;
    args.vector = quads_aligned(args.x.x, args.x.x_stride) && quads_aligned(args.x.residual, args.x.residual_stride) &&
                  quads_aligned(args.x.sum, args.x.sum_stride) && quads_aligned(args.w, 0) && quads_aligned(args.y, args.y_stride);
    return rmsnorm::launch_forward(args, call.stream);
  });
}

inline Status backward(const BackwardCall& call) {
  if (call.inputs.size() != 3 || call.upstream.size() != 2 || call.saved.size() != 2 || call.grads.size() != 3) {
    return refuse("backward got " + std::to_string(call.inputs.size()) + " inputs, " + std::to_string(call.saved.size()) + " saved, " +
                  std::to_string(call.upstream.size()) + " upstream and " + std::to_string(call.grads.size()) +
                  " gradient tensors; allowed: 3 (x, residual, w), 2 (rstd, sum), 2 (gy, gsum) and 3 (dx, dresidual, dw)");
  }
  const View& sum = call.saved[1];
  const View& w = call.inputs[2];
  const View& gy = call.upstream[0];
  const View& gsum = call.upstream[1];
  const View& dx = call.grads[0];
  const View& dresidual = call.grads[1];
  const View& dw = call.grads[2];
  const bool wants_dx = dx.data != nullptr;
  const bool wants_dresidual = dresidual.data != nullptr;
  const bool wants_dw = dw.data != nullptr;
  if (!wants_dx && !wants_dresidual && !wants_dw) return Status::success();
  const std::pair<const char*, const View*> named[] = {{"sum", &sum},
                                                       {"gy", &gy},
                                                       {"gsum", &gsum},
                                                       {"dx", wants_dx ? &dx : &sum},
                                                       {"dresidual", wants_dresidual ? &dresidual : &sum}};
  if (Status s = rmsnorm::check_shapes(sum, w, named); !s.ok()) return s;
  if (Status s = check_dtypes(call.attributes, sum, call.inputs[1], w, gy.dtype); !s.ok()) return s;
  if (gsum.dtype != sum.dtype || (wants_dx && dx.dtype != sum.dtype) || (wants_dresidual && dresidual.dtype != sum.dtype) ||
      (wants_dw && dw.dtype != w.dtype)) {
    return refuse("gsum, dx or dresidual is not of the dtype of x, or dw not of that of w");
  }
  if (wants_dw && (dw.rank != 1 || dw.columns() != sum.columns() || !is_packed(dw))) {
    return refuse("dw is " + describe(dw) + "; allowed: " + std::to_string(sum.columns()) + " adjacent values");
  }
  const int row_blocks = rmsnorm_row_blocks(sum.rows(), call.plan);
  const auto needed = rmsnorm::workspace_bytes(sum.rows(), sum.columns(), call.plan);
  if (wants_dw && static_cast<std::size_t>(call.workspace.numel()) * size_of(call.workspace.dtype) < needed) {
    return refuse("the workspace is " + describe(call.workspace) + "; allowed: at least " + std::to_string(needed) + " bytes");
  }
  return rmsnorm::with_one_cast(sum.dtype, w.dtype, [&]<class Variant>(Variant) -> Status {
    using X = typename Variant::X;
    AdjointArgs<Variant, SummedGradient<X>> args{};
    args.x = static_cast<const X*>(sum.data);
    args.w = static_cast<const typename Variant::W*>(w.data);
    args.gy = static_cast<const typename Variant::Y*>(gy.data);
    args.rstd = static_cast<const float*>(call.saved[0].data);
    args.rows = sum.rows();
    args.columns = sum.columns();
    args.x_stride = as_rows(sum)->stride;
    args.gy_stride = as_rows(gy)->stride;
    args.dx.gsum = static_cast<const X*>(gsum.data);
    args.dx.gsum_stride = as_rows(gsum)->stride;
    args.vector = quads_aligned(args.x, args.x_stride) && quads_aligned(args.w, 0) && quads_aligned(args.gy, args.gy_stride) &&
                  quads_aligned(args.dx.gsum, args.dx.gsum_stride);
    if (wants_dx) {
      args.dx.dx = static_cast<X*>(dx.data);
      args.dx.dx_stride = as_rows(dx)->stride;
      args.vector = args.vector && quads_aligned(args.dx.dx, args.dx.dx_stride);
    }
    if (wants_dresidual) {
      args.dx.dresidual = static_cast<X*>(dresidual.data);
      args.dx.dresidual_stride = as_rows(dresidual)->stride;
      args.vector = args.vector && quads_aligned(args.dx.dresidual, args.dx.dresidual_stride);
    }
    if (wants_dw) {
      args.partials = static_cast<float*>(call.workspace.data);
      args.second_level = args.partials + static_cast<std::int64_t>(row_blocks) * args.columns;
    }
    return rmsnorm::launch_adjoint(args, row_blocks, dw, call.stream);
  });
}

inline const KernelTable& table() {
  static const KernelTable kernels = {&forward, &backward, &rmsnorm::workspace_bytes};
  return kernels;
}

}  // namespace seamgate::kernels::SIMT_BUILD::add_rmsnorm
