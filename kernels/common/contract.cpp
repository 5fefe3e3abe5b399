// Looking things up in a contract.
#include "kernels/common/contract.hpp"

#include <algorithm>

namespace seamgate::kernels {

const VariantSpec* find_variant(const Contract& contract, std::string_view name) {
  const auto found = std::find_if(contract.variants.begin(), contract.variants.end(),
                                  [&](const VariantSpec& variant) { return variant.name == name; });
  return found == contract.variants.end() ? nullptr : &*found;
}

const ServedDtypes* find_dtypes(const VariantSpec& variant, std::span<const DType> inputs) {
  const auto found = std::find_if(variant.dtypes.begin(), variant.dtypes.end(), [&](const ServedDtypes& served) {
    return std::equal(served.inputs.begin(), served.inputs.end(), inputs.begin(), inputs.end());
  });
  return found == variant.dtypes.end() ? nullptr : &*found;
}

}  // namespace seamgate::kernels
