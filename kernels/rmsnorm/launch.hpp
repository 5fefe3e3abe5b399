// RMSNorm's calls: refuses what the contract does not serve, then launches. Compiled once for each machine.
#pragma once

#include "kernels/rmsnorm/launch_rows.hpp"

namespace seamgate::kernels::SIMT_BUILD::rmsnorm {

inline Status forward(const ForwardCall& call) {
  if (call.inputs.size() != 2 || call.outputs.size() != 1 || call.saved.size() != 1) {
    return refuse("forward got " + std::to_string(call.inputs.size()) + " inputs, " + std::to_string(call.outputs.size()) +
                  " outputs and " + std::to_string(call.saved.size()) + " saved tensors; allowed: 2 (x, w), 1 (y) and 1 (rstd)");
  }
  const View& x = call.inputs[0];
  const View& w = call.inputs[1];
  const View& y = call.outputs[0];
  const View& rstd = call.saved[0];
  const std::pair<const char*, const View*> named[] = {{"x", &x}, {"y", &y}};
  if (Status s = check_shapes(x, w, named); !s.ok()) return s;
  if (Status s = check_dtypes(call.attributes, x, w, y.dtype); !s.ok()) return s;
  if (Status s = check_eps(call.attributes.eps); !s.ok()) return s;
  if (rstd.dtype != DType::f32 || rstd.numel() != x.rows() || !is_packed(rstd)) {
    return refuse("rstd is " + describe(rstd) + "; allowed: " + std::to_string(x.rows()) + " adjacent f32 values");
  }
  return with_policy(call.attributes.variant, x.dtype, w.dtype, [&]<class Variant>(Variant) -> Status {
    using Source = RowInput<typename Variant::X>;
    ForwardArgs<Variant, Source> args{};
    args.x = {static_cast<const typename Variant::X*>(x.data), as_rows(x)->stride};
    args.w = static_cast<const typename Variant::W*>(w.data);
    args.y = static_cast<typename Variant::Y*>(y.data);
    args.rstd = static_cast<float*>(rstd.data);
    args.rows = x.rows();
    args.columns = x.columns();
    args.y_stride = as_rows(y)->stride;
    args.eps = call.attributes.eps;
    args.vector = quads_aligned(args.x.data, args.x.stride) && quads_aligned(args.w, 0) && quads_aligned(args.y, args.y_stride);
    return launch_forward(args, call.stream);
  });
}

inline Status backward(const BackwardCall& call) {
  if (call.inputs.size() != 2 || call.upstream.size() != 1 || call.saved.size() != 1 || call.grads.size() != 2) {
    return refuse("backward got " + std::to_string(call.inputs.size()) + " inputs, " + std::to_string(call.saved.size()) + " saved, " +
                  std::to_string(call.upstream.size()) + " upstream and " + std::to_string(call.grads.size()) +
                  " gradient tensors; allowed: 2 (x, w), 1 (rstd), 1 (gy) and 2 (dx, dw)");
  }
  const View& x = call.inputs[0];
  const View& w = call.inputs[1];
  const View& gy = call.upstream[0];
  const View& dx = call.grads[0];
  const View& dw = call.grads[1];
  const bool wants_dx = dx.data != nullptr;
  const bool wants_dw = dw.data != nullptr;
  if (!wants_dx && !wants_dw) return Status::success();
  const std::pair<const char*, const View*> named[] = {{"x", &x}, {"gy", &gy}, {"dx", wants_dx ? &dx : &x}};
  if (Status s = check_shapes(x, w, named); !s.ok()) return s;
  if (wants_dw && (dw.rank != 1 || dw.columns() != x.columns() || !is_packed(dw))) {
    return refuse("dw is " + describe(dw) + "; allowed: " + std::to_string(x.columns()) + " adjacent values");
  }
  if (Status s = check_dtypes(call.attributes, x, w, gy.dtype); !s.ok()) return s;
  if ((wants_dx && dx.dtype != x.dtype) || (wants_dw && dw.dtype != w.dtype)) {
    return refuse("dx is " + describe(dx) + " and dw is " + describe(dw) + "; allowed: the dtypes of x and w");
  }
  const int row_blocks = rmsnorm_row_blocks(x.rows(), call.plan);
  const auto needed = workspace_bytes(x.rows(), x.columns(), call.plan);
  if (wants_dw && static_cast<std::size_t>(call.workspace.numel()) * size_of(call.workspace.dtype) < needed) {
    return refuse("the workspace is " + describe(call.workspace) + "; allowed: at least " + std::to_string(needed) + " bytes");
  }
  return with_policy(call.attributes.variant, x.dtype, w.dtype, [&]<class Variant>(Variant) -> Status {
    AdjointArgs<Variant, RowGradient<typename Variant::X>> args{};
    args.x = static_cast<const typename Variant::X*>(x.data);
    args.w = static_cast<const typename Variant::W*>(w.data);
    args.gy = static_cast<const typename Variant::Y*>(gy.data);
    args.rstd = static_cast<const float*>(call.saved[0].data);
    args.rows = x.rows();
    args.columns = x.columns();
    args.x_stride = as_rows(x)->stride;
    args.gy_stride = as_rows(gy)->stride;
    args.vector = quads_aligned(args.x, args.x_stride) && quads_aligned(args.w, 0) && quads_aligned(args.gy, args.gy_stride);
    if (wants_dx) {
      args.dx = {static_cast<typename Variant::X*>(dx.data), as_rows(dx)->stride};
      args.vector = args.vector && quads_aligned(args.dx.data, args.dx.stride);
    }
    if (wants_dw) {
      args.partials = static_cast<float*>(call.workspace.data);
      args.second_level = args.partials + static_cast<std::int64_t>(row_blocks) * args.columns;
    }
    return launch_adjoint(args, row_blocks, dw, call.stream);
  });
}

inline const KernelTable& table() {
  static const KernelTable kernels = {&forward, &backward, &workspace_bytes};
  return kernels;
}

}  // namespace seamgate::kernels::SIMT_BUILD::rmsnorm
