// A case: one printable point of a sweep, complete enough to be run again on the same bits.
//
//   rmsnorm/torch/f32/64x4096/normal/s7                     op / variant / dtypes / shape / distribution / seed
//   rmsnorm/torch/f32/64x4096/normal/s7/strided/e1e-05/p8   then, where they are not the default: layout, eps, launch plan
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/common/contract.hpp"
#include "kernels/common/kernel_api.hpp"

namespace seamgate::gates {

struct Case {
  std::string op;
  std::string variant;
  std::vector<DType> dtypes;  // one per input of the op; printed once when all are the same, else as "bf16+f32"
  std::vector<std::int64_t> shape;
  std::string distribution = "normal";
  std::uint64_t seed = 0;
  std::string layout = "packed";
  float eps = 0.0F;
  kernels::LaunchPlan plan;

  std::int64_t columns() const { return shape.back(); }
  std::int64_t rows() const;
  std::string str() const;
  bool operator==(const Case& other) const { return str() == other.str(); }
};

// The case that `text` prints as. Throws std::invalid_argument with one line: what was given, what is allowed, where.
Case parse_case(std::string_view text);

// A packed f32-like case of the op's first dtypes, with the variant's default eps.
Case make_case(const kernels::Contract& contract, std::string_view variant, std::vector<std::int64_t> shape,
               std::string distribution, std::uint64_t seed);

// The dtype of the op's outputs and their upstream gradients; the first input's where the kernel does not serve the case.
DType output_dtype(const kernels::Contract& contract, const Case& c);

float default_eps(const kernels::Contract& contract, std::string_view variant);

}  // namespace seamgate::gates
