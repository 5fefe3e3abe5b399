// The second pass over a reverse tape: adjoints with magnitudes, in which nothing cancels.
#pragma once

#include <cmath>
#include <type_traits>

#include "reference/real.hpp"
#include "reference/reverse_tape.hpp"

namespace seamgate::reference {
namespace tape_detail {

template <class M, class T>
M size_as(const T& value) {
  if constexpr (std::is_same_v<M, Magnitude>) {
    return magnitude_of(value);
  } else {
    return std::abs(static_cast<M>(value));
  }
}

}  // namespace tape_detail

template <class T>
template <class M>
void ReverseTape<T>::propagate_magnitudes(std::vector<M>& magnitudes) const {
  magnitudes.assign(values_.size(), M(0));
  for (const Seed& s : seeds_) magnitudes[s.index] += tape_detail::size_as<M>(s.derivative);
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (!(magnitudes[i] == M(0))) propagate_node_magnitude(i, nodes_[i], magnitudes);
  }
}

template <class T>
template <class M>
void ReverseTape<T>::propagate_node_magnitude(std::size_t index, const Node& node,
                                              std::vector<M>& magnitudes) const {
  const M magnitude = magnitudes[index];
  const auto size_of_value = [this](std::size_t i) { return tape_detail::size_as<M>(values_[i]); };
  switch (node.operation) {
    case Operation::leaf:
      return;
    case Operation::add:
    case Operation::subtract:
      magnitudes[node.a] += magnitude;
      magnitudes[node.b] += magnitude;
      return;
    case Operation::multiply:
      magnitudes[node.a] += magnitude * size_of_value(node.b);
      magnitudes[node.b] += magnitude * size_of_value(node.a);
      return;
    case Operation::divide: {
      const M by_numerator = magnitude / size_of_value(node.b);
      magnitudes[node.a] += by_numerator;
      magnitudes[node.b] += by_numerator * size_of_value(index);
      return;
    }
    case Operation::negate:
    case Operation::cast:
      magnitudes[node.a] += magnitude;
      return;
    case Operation::square_root:
      magnitudes[node.a] += magnitude / (2 * size_of_value(index));
      return;
    case Operation::exponential:
      magnitudes[node.a] += magnitude * size_of_value(index);
      return;
    case Operation::sum:
      for (std::uint32_t k = 0; k < node.b; ++k) magnitudes[many_[node.a + k]] += magnitude;
      return;
    case Operation::sum_of_squares:
      for (std::uint32_t k = 0; k < node.b; ++k) {
        const std::uint32_t parent = many_[node.a + k];
        magnitudes[parent] += 2 * magnitude * size_of_value(parent);
      }
      return;
  }
}

}  // namespace seamgate::reference
