// SwiGLU's truth, compiled once.
#include "reference/swiglu.hpp"

#include "builtin_definitions.hpp"
#include "reference/scalar_op.hpp"

namespace seamgate::reference {

std::unique_ptr<const OpDefinition> make_swiglu_definition() {
  return std::make_unique<const ScalarOp<SwiGlu>>();
}

}  // namespace seamgate::reference
