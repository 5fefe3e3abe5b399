// The exact result of an op on one case, with the error scale S of every slice. The quad type stays out of
// this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seamgate::reference {

// rows_by_columns: one value per row and column. columns: one per column, shared by all rows.
enum class Extent { rows_by_columns, columns };

struct TensorSpec {
  std::string name;
  Extent extent = Extent::rows_by_columns;
};

// What an element must be. `number` is judged by its error; every other class is matched exactly.
enum class ElementClass : std::uint8_t { number, zero, nan, plus_infinity, minus_infinity };

// hi + lo is the value to 106 bits.
struct HiLo {
  double hi = 0;
  double lo = 0;
};

// Quad values behind a wall: whoever needs the quad itself includes reference/truth_values.hpp.
class TruthValues {
 public:
  virtual ~TruthValues() = default;
  virtual std::size_t size() const = 0;
  virtual HiLo hi_lo(std::size_t i) const = 0;
  // |got - truth|, subtracted in quad.
  virtual double absolute_error(std::size_t i, float got) const = 0;
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
              std::vector<ElementClass> classes);

  const std::string& name() const { return spec_.name; }
  Extent extent() const { return spec_.extent; }
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

  // |got - truth| / S, from quad. 0 where got is of the element's class and that class is not `number`, or
  // where S = 0 and got is +-0; infinity where S = 0 and got is another finite number; NaN where got is of
  // another class (a NaN, an infinity, a number that should be one of these), so that no bar, not even
  // infinity, admits it.
  double error(std::size_t i, float got) const;
  void errors(std::span<const float> got, std::span<double> out) const;
  // The largest of `errors` and where; a NaN is larger than everything. Zero elements: {0, 0}.
  WorstError worst_error(std::span<const float> got) const;

  const TruthValues& values() const { return *values_; }

 private:
  void check_size(std::size_t size) const;

  TensorSpec spec_;
  std::int64_t rows_;
  std::int64_t columns_;
  std::shared_ptr<const TruthValues> values_;
  std::vector<double> scales_;
  std::vector<ElementClass> classes_;  // empty: all numbers
};

// In the order of the definition's outputs() and inputs(); gradients are empty unless they were asked for.
struct Truth {
  std::vector<TruthTensor> outputs;
  std::vector<TruthTensor> gradients;
};

}  // namespace seamgate::reference
