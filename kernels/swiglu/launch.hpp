// SwiGLU's calls: refuses what the contract does not serve, then launches. Compiled once for each machine.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "kernels/common/rows.hpp"
#include "kernels/swiglu/adjoint.hpp"
#include "kernels/swiglu/forward.hpp"
#include "kernels/swiglu/swiglu.hpp"

namespace seamgate::kernels::SIMT_BUILD::swiglu {

inline Status refuse(const std::string& what) {
  return Status::invalid("swiglu: " + what);
}

// Checks that hold for both directions; `named` are all the tensors of the call, the first of them a.
inline Status check(const Attributes& attributes,
                    std::span<const std::pair<const char*, const View*>> named) {
  if (find_variant(swiglu_contract(), attributes.variant) == nullptr) {
    return Status::unsupported("swiglu: variant '" + std::string(attributes.variant) +
                               "' is not served; allowed: default, hf");
  }
  const View& a = *named.front().second;
  if (a.rank < 1 || a.rows() == 0 || a.columns() == 0) {
    return refuse("a is " + describe(a) + "; allowed: at least one row and one column");
  }
  if (a.columns() > swiglu_contract().max_columns) {
    return Status::unsupported("swiglu: a has " + std::to_string(a.columns()) +
                               " columns; allowed: at most " + std::to_string(swiglu_contract().max_columns));
  }
  for (const auto& [name, view] : named) {
    if (view->rank != a.rank || view->shape != a.shape || view->dtype != a.dtype) {
      return refuse(std::string(name) + " is " + describe(*view) + "; allowed: the dtype and shape of a, " +
                    describe(a));
    }
    if (!as_rows(*view)) {
      return Status::unsupported("swiglu: " + std::string(name) + " is " + describe(*view) +
                                 "; allowed: adjacent columns and one row stride");
    }
  }
  return Status::success();
}

inline Status too_many_rows(const View& a) {
  return Status::unsupported("swiglu: a is " + describe(a) + "; allowed: at most 2147483647 blocks of rows");
}

// A tensor of a call as a kernel addresses it: where it is, its row stride, and whether its quads are
// aligned.
template <class T>
void bind(const View& view, T*& data, std::int64_t& stride, bool& vector) {
  data = static_cast<T*>(view.data);
  stride = as_rows(view)->stride;
  vector = vector && quads_aligned(data, stride);
}

inline Status forward(const ForwardCall& call) {
  if (call.inputs.size() != 2 || call.outputs.size() != 1 || !call.saved.empty()) {
    return refuse("forward got " + std::to_string(call.inputs.size()) + " inputs, " +
                  std::to_string(call.outputs.size()) + " outputs and " + std::to_string(call.saved.size()) +
                  " saved tensors; allowed: 2 (a, b), 1 (y) and none");
  }
  const View& a = call.inputs[0];
  const View& b = call.inputs[1];
  const View& y = call.outputs[0];
  const std::pair<const char*, const View*> named[] = {{"a", &a}, {"b", &b}, {"y", &y}};
  if (Status s = check(call.attributes, named); !s.ok()) return s;
  return with_policy(call.attributes.variant, a.dtype, [&]<class Variant>(Variant) -> Status {
    ForwardArgs<Variant> args{};
    args.rows = a.rows();
    args.columns = a.columns();
    args.vector = true;
    bind(a, args.a, args.a_stride, args.vector);
    bind(b, args.b, args.b_stride, args.vector);
    bind(y, args.y, args.y_stride, args.vector);
    const auto grid = quad_grid(args.rows, args.columns, call.stream);
    return grid ? simt::launch<forward_kernel<Variant>>(*grid, args) : too_many_rows(a);
  });
}

inline Status backward(const BackwardCall& call) {
  if (call.inputs.size() != 2 || call.upstream.size() != 1 || !call.saved.empty() || call.grads.size() != 2) {
    return refuse("backward got " + std::to_string(call.inputs.size()) + " inputs, " +
                  std::to_string(call.saved.size()) + " saved, " + std::to_string(call.upstream.size()) +
                  " upstream and " + std::to_string(call.grads.size()) +
                  " gradient tensors; allowed: 2 (a, b), none, 1 (gy) and 2 (da, db)");
  }
  const View& a = call.inputs[0];
  const View& b = call.inputs[1];
  const View& gy = call.upstream[0];
  const View& da = call.grads[0];
  const View& db = call.grads[1];
  const bool wants_da = da.data != nullptr;
  const bool wants_db = db.data != nullptr;
  if (!wants_da && !wants_db) return Status::success();
  const std::pair<const char*, const View*> named[] = {
      {"a", &a}, {"b", &b}, {"gy", &gy}, {"da", wants_da ? &da : &a}, {"db", wants_db ? &db : &a}};
  if (Status s = check(call.attributes, named); !s.ok()) return s;
  return with_policy(call.attributes.variant, a.dtype, [&]<class Variant>(Variant) -> Status {
    AdjointArgs<typename Variant::Element> args{};
    args.rows = a.rows();
    args.columns = a.columns();
    args.vector = true;
    bind(a, args.a, args.a_stride, args.vector);
    bind(b, args.b, args.b_stride, args.vector);
    bind(gy, args.gy, args.gy_stride, args.vector);
    if (wants_da) bind(da, args.da, args.da_stride, args.vector);
    if (wants_db) bind(db, args.db, args.db_stride, args.vector);
    const auto grid = quad_grid(args.rows, args.columns, call.stream);
    return grid ? simt::launch<adjoint_kernel<typename Variant::Element>>(*grid, args) : too_many_rows(a);
  });
}

inline std::size_t workspace_bytes(std::int64_t, std::int64_t, LaunchPlan) {
  return 0;
}

inline const KernelTable& table() {
  static const KernelTable kernels = {&forward, &backward, &workspace_bytes};
  return kernels;
}

}  // namespace seamgate::kernels::SIMT_BUILD::swiglu
