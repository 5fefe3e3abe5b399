// The exact result of an op on one case, with the error scale S of every slice. The quad type stays out of
// this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/format.hpp"

namespace seamgate::reference {

// rows_by_columns: one value per row and column. columns: one per column, shared by all rows.
enum class Extent { rows_by_columns, columns };

struct TensorSpec {
  std::string name;
  Extent extent = Extent::rows_by_columns;
};

// The largest error that passes, and how far an inner value may be off before it is rounded, relatively.
inline constexpr double bar = 1e-6;

// An output in 16 bit is judged by its own magnitude, a gradient by S.
enum class Role : std::uint8_t { output, gradient };

// What an element must be. `number` is judged by its error; every other class is matched exactly.
enum class ElementClass : std::uint8_t { number, zero, nan, plus_infinity, minus_infinity };

// hi + lo is the value to 106 bits.
struct HiLo {
  double hi = 0;
  double lo = 0;
};

// Quad values behind a wall: whoever needs the quad itself includes reference/truth_values.hpp.
//
// Most elements have one exact value. Where an inner rounding could have gone either way an element has
// several, or a range; each is right, and a distance is the least over all of them.
class TruthValues {
 public:
  virtual ~TruthValues() = default;
  virtual std::size_t size() const = 0;
  // The value without its alternatives.
  virtual HiLo hi_lo(std::size_t i) const = 0;
  // Distance from `got` to the nearest value, subtracted in quad.
  virtual double absolute_error(std::size_t i, float got) const = 0;
  // Distance from a cell to the nearest value, over `scale`; without a scale over that value's magnitude.
  // Infinity where that is 0 and the distance is not.
  virtual double cell_error(std::size_t i, Interval cell, std::optional<double> scale) const = 0;
  // From the least to the largest value, each moved outward by bar * scale (without a scale by bar * its
  // magnitude) and then rounded to `format`, except to f32.
  virtual Interval hull(std::size_t i, Format format, std::optional<double> scale) const = 0;
};

struct WorstError {
  double error = 0;
  std::size_t index = 0;
};

// An output or a gradient: row-major, rows() x columns() values, or columns() values for Extent::columns.
//
// The slice of an element is its row, or itself for Extent::columns. S of a slice is a scale of the terms
// that meet in it: max|y| of the row for an output; for a gradient of extent rows_by_columns the largest
// adjoint with magnitudes in the row; for one of extent columns max(|value|, root of the sum over rows of the
// squared contributions).
class TruthTensor {
 public:
  TruthTensor(TensorSpec spec, std::int64_t rows, std::int64_t columns,
              std::shared_ptr<const TruthValues> values, std::vector<double> scales,
              std::vector<ElementClass> classes, Role role = Role::gradient, Format format = Format::f32);

  const std::string& name() const { return spec_.name; }
  Extent extent() const { return spec_.extent; }
  Role role() const { return role_; }
  // What a kernel stores it in: an output's by its variant, a gradient's that of its input.
  Format format() const { return format_; }
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  std::size_t size() const { return values_->size(); }

  double value(std::size_t i) const { return values_->hi_lo(i).hi; }
  HiLo hi_lo(std::size_t i) const { return values_->hi_lo(i); }
  ElementClass element_class(std::size_t i) const {
    return classes_.empty() ? ElementClass::number : classes_[i];
  }
  // Whether some element is of another class than `number`.
  bool has_special() const { return !classes_.empty(); }
  std::size_t slice(std::size_t i) const {
    return spec_.extent == Extent::columns ? i : i / static_cast<std::size_t>(columns_);
  }
  double scale(std::size_t i) const { return scales_[slice(i)]; }
  std::span<const double> scales() const { return scales_; }
  // Largest |value| and largest S over the elements of class `number`; 0 without any.
  double max_abs() const;
  double max_scale() const;

  // How far `got`, a number of `format`, is from truth; `bar` is the largest error that passes.
  //
  // f32: |got - truth| / S, from quad. Infinity where S = 0 and got is not what it must be.
  // 16 bit: the distance from truth to the reals that round to `got` in that format, over |truth| for an
  // output and over S for a gradient, so that an error up to the bar is RN(t - d) <= got <= RN(t + d), d =
  // bar
  // * |t| or bar * S. Subnormals and overflow included: an infinity may be the right rounding of a number.
  //
  // 0 where got is of the element's class and that class is not `number`; NaN where got is of another class
  // (a NaN, an infinity in f32, a number that should be one of these), so that no bar, not even infinity,
  // admits it. Throws std::invalid_argument for a value that `format` does not have.
  double error(std::size_t i, float got, Format format) const;
  double error(std::size_t i, float got) const { return error(i, got, format_); }
  void errors(std::span<const float> got, std::span<double> out, Format format) const;
  void errors(std::span<const float> got, std::span<double> out) const { errors(got, out, format_); }
  // The largest of `errors` and where; a NaN is larger than everything. Zero elements: {0, 0}.
  WorstError worst_error(std::span<const float> got, Format format) const;
  WorstError worst_error(std::span<const float> got) const { return worst_error(got, format_); }

  // The least and the largest value that passes; between them others may not, where there are alternatives.
  // An element that is no number allows that alone; {NaN, NaN} for a NaN.
  Interval allowed(std::size_t i, Format format) const;

  const TruthValues& values() const { return *values_; }

 private:
  void check_size(std::size_t size) const;
  std::optional<double> cell_scale(std::size_t i) const {
    return role_ == Role::output ? std::nullopt : std::optional(scale(i));
  }

  TensorSpec spec_;
  std::int64_t rows_;
  std::int64_t columns_;
  std::shared_ptr<const TruthValues> values_;
  std::vector<double> scales_;
  std::vector<ElementClass> classes_;  // empty: all numbers
  Role role_;
  Format format_;
};

// In the order of the definition's outputs() and inputs(); gradients are empty unless they were asked for.
struct Truth {
  std::vector<TruthTensor> outputs;
  std::vector<TruthTensor> gradients;
};

}  // namespace seamgate::reference
