// Fused add and RMSNorm's truth, compiled once.
#include "reference/add_rmsnorm.hpp"

#include "builtin_definitions.hpp"
#include "reference/scalar_op.hpp"

namespace seamgate::reference {

std::unique_ptr<const OpDefinition> make_add_rmsnorm_definition() {
  return std::make_unique<const ScalarOp<AddRmsNorm>>();
}

}  // namespace seamgate::reference
