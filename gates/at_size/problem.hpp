// Truth for tensors that only the device can hold: what is asked and what is answered. Host-callable, without
// CUDA; an op's evaluation is compiled in gates/ops/OP_at_size.cpp (host) and OP_at_size.cu (GPU) from the
// page reference/OP_at_size.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gates/backend.hpp"
#include "kernels/simt/dtype.hpp"
#include "reference/double_double.hpp"

namespace seamgate::gates {

// Packed tensors of one dtype, in the order of the op's contract, where the evaluation runs: `on_host` takes
// host memory and `on_gpu` that of the current device. `outputs` and `gradients` are what is judged.
struct ProblemAtSize {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  double eps = 0;
  DType dtype = DType::f32;  // f32 or bf16
  std::vector<const void*> inputs{};
  std::vector<const void*> upstream{};
  std::vector<const void*> outputs{};
  std::vector<const void*> gradients{};
  double bar = 0;
  // At most 16 rows whose values come back, to be held against float128.
  std::vector<std::int64_t> sampled{};
};

// The largest error of one tensor. Errors are those of reference::TruthTensor::error: f32 |got - t| / S, 16
// bit the distance from t to the reals that round to `got`, over |t| for an output and over S for a gradient;
// infinity where `got` is not finite or S = 0 and it is not exact.
struct WorstAtSize {
  double error = 0;
  std::int64_t row = -1;  // -1: nothing was compared, or a tensor per column
  std::int64_t column = -1;
  std::int64_t slices_over = 0;  // rows, or columns of a tensor per column, with an error over the bar or NaN
  std::int64_t slices = 0;       // compared
};

// Values of the sampled rows, row after row, or of a tensor per column the sums over the sampled rows alone;
// with S of each slice (of a sum of these rows alone, too).
struct SampledAtSize {
  std::vector<reference::DoubleDouble> values{};
  std::vector<double> scales{};
};

struct EvaluationAtSize {
  std::vector<WorstAtSize> outputs{};
  std::vector<WorstAtSize> gradients{};
  std::vector<SampledAtSize> sampled_outputs{};
  std::vector<SampledAtSize> sampled_gradients{};
  // Of gradients per column over all rows, and S of each; else empty.
  std::vector<std::vector<reference::DoubleDouble>> sums{};
  std::vector<std::vector<double>> sum_scales{};
  double seconds = 0;  // of evaluation and comparison
};

// Throws std::runtime_error with the device's own words, std::invalid_argument for a problem that it does not
// take.
using EvaluateAtSize = EvaluationAtSize (*)(const ProblemAtSize& problem);

// What an op brings. `variant` is the one that its page says, `distribution` one on which no row is special.
struct PageAtSize {
  std::string op;
  std::string variant;
  std::string distribution;
  EvaluateAtSize on_host = nullptr;
};

struct RegisterPageAtSize {
  explicit RegisterPageAtSize(PageAtSize page);
};
struct RegisterGpuAtSize {
  RegisterGpuAtSize(std::string op, EvaluateAtSize on_gpu);
};

// Null where the op brings none; the second also where the program has no CUDA part.
const PageAtSize* find_page_at_size(std::string_view op);
EvaluateAtSize gpu_at_size(std::string_view op);

// What the next function counts on.
inline constexpr std::int64_t bytes_of_row = 64;
inline constexpr int most_column_inputs = 4;
// Bytes that an evaluation takes beside the tensors, at most.
std::int64_t workspace_at_size(std::int64_t rows, std::int64_t columns);

}  // namespace seamgate::gates
