// RMSNorm's calls: refuses what the contract does not serve, then launches. Compiled once for each machine.
#pragma once

#include <algorithm>
#include <string>

#include "kernels/common/rows.hpp"
#include "kernels/rmsnorm/adjoint.hpp"
#include "kernels/rmsnorm/forward.hpp"
#include "kernels/rmsnorm/rmsnorm.hpp"

namespace seamgate::kernels::SIMT_BUILD::rmsnorm {

// Threads that share a row: about 16 columns each, a power of two from one warp to max_row_threads.
inline unsigned row_threads(std::int64_t columns) {
  unsigned threads = warp_lanes;
  while (threads < max_row_threads && threads * 16 < columns) threads *= 2;
  return threads;
}

inline Status refuse(const std::string& what) { return Status::invalid("rmsnorm: " + what); }

// Checks that hold for both directions; `named` are the row tensors that must agree with x.
inline Status check_shapes(const View& x, const View& w, std::span<const std::pair<const char*, const View*>> named) {
  const std::int64_t n = x.columns();
  if (x.rank < 1 || x.rows() == 0 || n == 0) return refuse("x is " + describe(x) + "; allowed: at least one row and one column");
  if (n > rmsnorm_contract().max_columns) {
    return Status::unsupported("rmsnorm: x has " + std::to_string(n) + " columns; allowed: at most " +
                               std::to_string(rmsnorm_contract().max_columns));
  }
  if (w.rank != 1 || w.columns() != n) {
    return refuse("w is " + describe(w) + "; allowed: one value for each of the " + std::to_string(n) + " columns of x");
  }
  if (!as_rows(w)) return Status::unsupported("rmsnorm: w is " + describe(w) + "; allowed: adjacent columns");
  for (const auto& [name, view] : named) {
    if (view->rank != x.rank || view->shape != x.shape) {
      return refuse(std::string(name) + " is " + describe(*view) + "; allowed: the shape of x, " + describe(x));
    }
    if (!as_rows(*view)) {
      return Status::unsupported("rmsnorm: " + std::string(name) + " is " + describe(*view) +
                                 "; allowed: adjacent columns and one row stride");
    }
  }
  return Status::success();
}

inline Status check_dtypes(const Attributes& attributes, const View& x, const View& w, DType y) {
  const auto* variant = find_variant(rmsnorm_contract(), attributes.variant);
  if (variant == nullptr) {
    std::string known;
    for (const auto& spec : rmsnorm_contract().variants) known += (known.empty() ? "" : ", ") + spec.name;
    return Status::unsupported("rmsnorm: variant '" + std::string(attributes.variant) + "' is not served; allowed: " + known);
  }
  const DType inputs[] = {x.dtype, w.dtype};
  const auto* served = find_dtypes(*variant, inputs);
  if (served != nullptr && served->output == y) return Status::success();
  std::string known;
  for (const auto& row : variant->dtypes) {
    known += (known.empty() ? "" : "; ") + std::string(to_string(row.inputs[0])) + " with " + std::string(to_string(row.inputs[1])) +
             " to " + std::string(to_string(row.output));
  }
  return Status::unsupported("rmsnorm " + variant->name + ": x " + std::string(to_string(x.dtype)) + " with w " +
                             std::string(to_string(w.dtype)) + " to y " + std::string(to_string(y)) + " is not served; allowed: " + known);
}

inline Status check_eps(float eps) {
  if (eps > 0.0F && eps < __builtin_huge_valf()) return Status::success();
  return refuse("eps is " + std::to_string(eps) + "; allowed: a positive finite number");
}

template <class Variant, class Source>
Status launch_forward(const ForwardArgs<Variant, Source>& args, Stream stream) {
  const unsigned threads = row_threads(args.columns);
  const unsigned block_rows = threads == warp_lanes ? 4 : 1;
  const auto blocks = (args.rows + block_rows - 1) / block_rows;
  if (blocks > simt::max_grid_x) {
    return refuse("x has " + std::to_string(args.rows) + " rows; allowed: at most " + std::to_string(simt::max_grid_x));
  }
  return simt::launch<forward_kernel<Variant, Source>>(
      simt::Config{.grid = {static_cast<unsigned>(blocks), 1, 1}, .block = {threads, block_rows, 1}, .stream = stream}, args);
}

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

inline std::size_t workspace_bytes(std::int64_t rows, std::int64_t columns, LaunchPlan plan) {
  return 2 * sizeof(float) * static_cast<std::size_t>(rmsnorm_row_blocks(rows, plan)) * static_cast<std::size_t>(columns);
}

template <class Variant, class Sink>
Status launch_rows(const AdjointArgs<Variant, Sink>& args, int row_blocks, Stream stream) {
  const unsigned threads = row_threads(args.columns);
  const simt::Config config{.grid = {static_cast<unsigned>(row_blocks), 1, 1}, .block = {threads, 1, 1}, .stream = stream};
#if !defined(__CUDACC__)
  // Registers are no matter on the host; one instantiation compiles faster than four.
  return simt::launch<adjoint_rows_kernel<Variant, Sink, max_quads>>(config, args);
#else
  const auto quads = (args.columns + threads * quad_width - 1) / (threads * quad_width);
  if (quads <= 1) return simt::launch<adjoint_rows_kernel<Variant, Sink, 1>>(config, args);
  if (quads == 2) return simt::launch<adjoint_rows_kernel<Variant, Sink, 2>>(config, args);
  if (quads <= 4) return simt::launch<adjoint_rows_kernel<Variant, Sink, 4>>(config, args);
  return simt::launch<adjoint_rows_kernel<Variant, Sink, max_quads>>(config, args);
#endif
}

// Both launches: the rows, and the sum of dw's partials where dw is wanted.
template <class Variant, class Sink>
Status launch_adjoint(const AdjointArgs<Variant, Sink>& args, int row_blocks, const View& dw, Stream stream) {
  if (Status s = launch_rows(args, row_blocks, stream); !s.ok() || args.partials == nullptr) return s;
  const auto blocks = static_cast<unsigned>((args.columns + reduce_lanes - 1) / reduce_lanes);
  return simt::launch<adjoint_reduce_kernel<typename Variant::W>>(
      simt::Config{.grid = {blocks, 1, 1}, .block = {reduce_lanes, reduce_strips, 1}, .stream = stream},
      static_cast<const float*>(args.partials), static_cast<std::int64_t>(row_blocks), args.columns,
      static_cast<typename Variant::W*>(dw.data));
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
