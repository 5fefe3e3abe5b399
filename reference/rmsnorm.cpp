// RMSNorm's truth, compiled once.
#include "reference/rmsnorm.hpp"

#include "builtin_definitions.hpp"
#include "reference/scalar_op.hpp"

namespace seamgate::reference {

std::unique_ptr<const OpDefinition> make_rmsnorm_definition() {
  return std::make_unique<const ScalarOp<RmsNorm>>();
}

}  // namespace seamgate::reference
