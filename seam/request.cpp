// What a module asks for, and the checks and declines that the contract decides before any launch.
#include "seam/request.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/common/rows.hpp"

namespace seamgate::seam {
namespace {

// The tensor's geometry without its memory: a tracked tensor has no raw view.
kernels::View geometry(const AnyTensor& tensor) {
  kernels::View view;
  view.dtype = tensor.dtype();
  view.rank = tensor.shape().rank();
  for (int d = 0; d < view.rank; ++d) {
    view.shape[d] = tensor.shape()[d];
    view.strides[d] = tensor.strides()[d];
  }
  return view;
}

[[noreturn]] void refuse(const kernels::Contract& contract, const std::string& what) {
  throw std::invalid_argument(contract.op + ": " + what);
}

std::string variant_names(const kernels::Contract& contract) {
  std::string names;
  for (const auto& variant : contract.variants) names += (names.empty() ? "" : ", ") + variant.name;
  return names;
}

std::string kind_of(const AnyTensor& tensor) {
  return to_string(tensor.device()) + (tensor.on_tape() ? ", on a tape (" + std::string(to_string(tensor.strategy())) + ")" : ", bare");
}

}  // namespace

void check_inputs(const kernels::Contract& contract, const std::vector<AnyTensor>& inputs, const Request& request) {
  if (inputs.size() != contract.inputs.size()) {
    refuse(contract, "got " + std::to_string(inputs.size()) + " inputs; allowed: " + std::to_string(contract.inputs.size()));
  }
  if (contract.has_eps && (!(request.eps > 0.0F) || std::isinf(request.eps))) {
    refuse(contract, "eps is " + std::to_string(request.eps) + "; allowed: a positive finite number");
  }
  if (kernels::find_variant(contract, request.variant) == nullptr) refuse(contract, "variant is '" + request.variant + "'; allowed: " + variant_names(contract));
  const auto& first = inputs[0];
  const auto first_view = geometry(first);
  const auto& first_name = contract.inputs[0].name;
  if (first_view.rank < 1) refuse(contract, first_name + " has rank 0; allowed: 1 to 4");
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    const auto view = geometry(inputs[i]);
    const auto& name = contract.inputs[i].name;
    if (inputs[i].device() != first.device() || inputs[i].variant().index() != first.variant().index()) {
      refuse(contract, name + " is on " + kind_of(inputs[i]) + "; allowed: as " + first_name + ", on " + kind_of(first));
    }
    if (contract.inputs[i].extent == kernels::Extent::columns) {
      if (view.rank == 1 && view.columns() == first_view.columns()) continue;
      refuse(contract, name + " is " + describe(view) + "; allowed: one value for each of the " +
                           std::to_string(first_view.columns()) + " columns of " + first_name);
    }
    if (view.rank != first_view.rank || view.shape != first_view.shape) {
      refuse(contract, name + " is " + describe(view) + "; allowed: the shape of " + first_name + ", " + describe(first_view));
    }
  }
}

std::optional<Decline> why_declined(const kernels::Contract& contract, const Machines& machines,
                                    const std::vector<AnyTensor>& inputs, const Request& request, bool switch_allows) {
  if (!switch_allows) return Decline::switched_off;
  if (machines.on(inputs[0].device()) == nullptr) return Decline::device;
  std::vector<DType> dtypes;
  for (const auto& input : inputs) {
    if (input.on_tape() && input.tags().device != input.device()) return Decline::device;
    if (!input.tags_agree()) return Decline::strategy;
    dtypes.push_back(input.dtype());
  }
  if (kernels::find_dtypes(*kernels::find_variant(contract, request.variant), dtypes) == nullptr) return Decline::dtype;
  const auto first = geometry(inputs[0]);
  if (first.numel() == 0 && !contract.serves_empty) return Decline::empty;
  if (first.columns() > contract.max_columns) return Decline::shape;
  for (const auto& input : inputs) {
    const auto view = geometry(input);
    if (!kernels::as_rows(view)) return Decline::layout;
    if (!contract.serves_strided_rows && !kernels::is_packed(view)) return Decline::layout;
  }
  return std::nullopt;
}

Shape shape_of(kernels::Extent extent, const Shape& x) {
  switch (extent) {
    case kernels::Extent::rows_by_columns:
      return x;
    case kernels::Extent::columns:
      return {x[x.rank() - 1]};
    case kernels::Extent::rows: {
      std::int64_t rows = 1;
      for (int d = 0; d + 1 < x.rank(); ++d) rows *= x[d];
      return {rows};
    }
  }
  return x;
}

}  // namespace seamgate::seam
