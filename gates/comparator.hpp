// The two comparisons of seamgate, each with the bar's owner: an error that is not `<= bar` fails, NaN included.
//
// Misuse to know about: comparing a buffer with itself, swapping got and want, letting NaN stand for anything, dividing by the
// largest element so that a small wrong slice hides. Each is refused or fails here, and the tests play them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/simt/dtype.hpp"

namespace seamgate::gates {

// The largest error that passes, and why it is that one. Throws std::invalid_argument for NaN or a negative bar.
class Bar {
 public:
  explicit Bar(double value, std::string source = "design");
  double value() const { return value_; }
  const std::string& source() const { return source_; }
  bool admits(double error) const { return error <= value_; }  // false for NaN

 private:
  double value_;
  std::string source_;
};

struct Comparison {
  bool passed = false;
  double error = 0.0;            // the largest, infinity where a class differs
  std::int64_t failing = 0;      // elements over the bar
  std::int64_t worst = -1;       // index of the largest error
  double got = 0.0;
  double want = 0.0;
  std::string message;           // empty when passed
};

// What the truth says of one element.
struct Expected {
  double value = 0.0;       // rounded to double, for messages
  double error = 0.0;       // |got - truth| / S, computed in float128; infinity where S = 0 and got is not +-0
  bool class_agrees = true; // finite, NaN and +-Inf as the truth has them
};

// What a tensor is beside its values.
struct Form {
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape{};
};

// Empty where both agree; else "got bf16 [6,40], want f32 [6,40]".
std::string differing_form(const Form& got, const Form& want);

// Every element of `got` against truth. `expected(i, got[i])` is asked for each; nothing is sampled.
Comparison compare_with_truth(std::span<const float> got, std::int64_t want_count,
                              const std::function<Expected(std::int64_t, float)>& expected, const Bar& bar);

// Parity: max|got - want| / max|want|, whole tensor. Fails when a shape differs, when nothing is compared, when either side is
// not finite, when want is all zero and got is not, and when the two sides share memory. `scale` stands in place of max|want|
// where neither side is the truth.
Comparison compare_parity(std::span<const float> got, std::span<const float> want, const Bar& bar,
                          std::optional<double> scale = std::nullopt);

// Bit for bit, NaN payloads included. Fails on empty, differing sizes and shared memory.
Comparison compare_bits(std::span<const float> got, std::span<const float> want);

}  // namespace seamgate::gates
