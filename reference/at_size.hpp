// The vocabulary of an op's page at size: the op and its gradients row by row, as templates on the number
// type that host and device code share. It is for tensors that only the device can hold, where the tape of
// scalar_definition.hpp would need gigabytes a row; what it says is checked against that tape on sampled
// rows, so the page need not be believed.
//
//   struct OpAtSize {
//     static constexpr int inputs, outputs;
//     static constexpr bool per_column(int i);         whether input i has one value per column, shared by
//     all rows static constexpr int passes, sums;               sums over a row that the elements need, pass
//     by pass template <class T> struct Row;                   what the elements of a row share template
//     <class T, class Cast> static void add_terms(int pass, const double* in, const double* upstream, const
//     Row<T>&, Cast, T* totals); template <class T> static void finish(int pass, const T* totals, double
//     columns, double eps, Row<T>&); template <class T, class Cast> static void element(const double* in,
//     const double* upstream, const Row<T>&, Cast, T* out, T* gradients, double* sizes);
//   };
//
// `in[i]` and `upstream[j]` are the element's inputs and upstream gradients, exact. `gradients[i]` of an
// input per column is the row's contribution; `sizes[i]` is the adjoint with magnitudes, of which S is made
// (truth.hpp). `cast.stored(value)` rounds to the inputs' format, for a value that goes through memory.
// Ordinary rows only: what `classify` of the definition would call special has no page.
#pragma once

#include "reference/double_double.hpp"
#include "reference/format.hpp"

namespace seamgate::reference {

// For the number type DoubleDouble.
template <Format format>
struct StoredAs {
  static constexpr FormatLimits limits = limits_of(format);

  SEAMGATE_HOST_DEVICE DoubleDouble stored(DoubleDouble value) const {
    return round_to(value, limits.digits, limits.min_exponent, limits.max_exponent);
  }
};

}  // namespace seamgate::reference
