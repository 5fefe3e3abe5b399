// A known way of getting an op wrong: what comes out then, so that a failure can be compared with it. Told by
// an op beside its traits (gates/ops/OP_mistakes.cpp); nobody else knows the op's formula.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace seamgate::gates {

// The numbers of a case, in logical order.
struct Numbers {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::string variant;
  float eps = 0.0F;
  const std::vector<std::vector<float>>& inputs;
  const std::vector<std::vector<float>>& upstream;  // of the outputs

  float at(const std::vector<float>& values, std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
};

struct Mistake {
  std::string tensor;  // the result that it shows in: "y", "dx"
  std::string text;    // "the projection term is left out"
  std::string defect;  // the public reports of the same kind; may be empty
  // The whole tensor, in double.
  std::function<std::vector<double>(const Numbers&)> values;
};

const std::vector<Mistake>& mistakes_of(std::string_view op);

// One static object in an op's own file adds them.
struct RegisterMistakes {
  RegisterMistakes(std::string op, std::vector<Mistake> mistakes);
};

}  // namespace seamgate::gates
