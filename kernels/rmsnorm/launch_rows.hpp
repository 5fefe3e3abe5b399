// What RMSNorm's calls and those of ops built on it share: checks, the shape of a launch, the launches.
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

}  // namespace seamgate::kernels::SIMT_BUILD::rmsnorm
