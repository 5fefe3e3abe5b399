// The interface of every op's truth: what it takes, what it gives, and its evaluation. Gates find an op here
// by name.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/truth.hpp"

namespace seamgate::reference {

struct VariantSpec {
  std::string name;
  float default_eps = 0.0F;
};

// eps is the kernel's exact f32 value, not the decimal text that it came from.
struct Attributes {
  std::string variant;
  float eps = 0.0F;
};

// A borrowed input: element (m, n) is data[m * row_stride + n], or data[n] for Extent::columns. f32 holds
// bf16 and f16 elements exactly, too.
struct TruthInput {
  const float* data = nullptr;
  std::int64_t row_stride = 0;  // in elements; any sign; not read for Extent::columns
  // Of the tensor that the kernel gets. Casts and the formats of the results follow it; an element that it
  // does not have is refused. Not read for an upstream gradient.
  Format format = Format::f32;
};

// M = rows, N = columns, either may be 0. `inputs` in the order of the definition's inputs(), `upstream` (one
// gradient per output, null data: zero) in that of outputs(). threads = 0 takes what the machine has; the
// result is the same bits for any number.
struct TruthRequest {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<TruthInput> inputs;
  std::vector<TruthInput> upstream;
  Attributes attributes;
  bool wants_gradients = true;
  int threads = 0;
};

class OpDefinition {
 public:
  virtual ~OpDefinition() = default;
  virtual std::string_view name() const = 0;
  virtual const std::vector<TensorSpec>& inputs() const = 0;
  virtual const std::vector<TensorSpec>& outputs() const = 0;
  virtual const std::vector<VariantSpec>& variants() const = 0;
  // Throws std::invalid_argument for a request that the op does not define, and std::domain_error for inputs
  // on which the contract does not say what the result is (so near an overflow that either side is right).
  virtual Truth evaluate(const TruthRequest& request) const = 0;
};

// Throws std::invalid_argument that lists the ops that exist.
const OpDefinition& find_definition(std::string_view op);
std::vector<std::string> definition_names();
// For an op from outside this folder; a name taken twice throws std::invalid_argument.
void register_definition(std::unique_ptr<const OpDefinition> definition);

}  // namespace seamgate::reference
