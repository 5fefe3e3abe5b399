// Reverse-mode differentiation over any number type: record one row, seed the results, read the leaves'
// adjoints.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace seamgate::reference {

template <class T>
class ReverseTape;

// A recorded number. Mixed arithmetic takes double, which holds every f32 and every column count exactly.
template <class T>
struct Var {
  ReverseTape<T>* tape = nullptr;
  std::uint32_t index = 0;

  const T& value() const { return tape->value(*this); }
};

// The arena keeps its capacity over `clear`, so that only the longest row so far allocates.
//
// Two passes run over one record. `propagate` gives the adjoints. `propagate_magnitudes` does the same with
// the absolute value of every local derivative and of every seed: nothing cancels in it, so it measures how
// large the terms are that meet in an adjoint. M is the type of the second pass; a few digits do.
template <class T>
class ReverseTape {
 public:
  void clear();
  Var<T> leaf(const T& value) { return push(Operation::leaf, 0, 0, value); }
  const T& value(Var<T> v) const { return values_[v.index]; }

  // The derivative of the loss by a recorded number; seeds of one number add.
  void seed(Var<T> v, const T& derivative);
  void propagate();
  T adjoint(Var<T> v) const {
    return v.index < touched_.size() && touched_[v.index] ? adjoints_[v.index] : T(0);
  }

  // After `seed` and before or after `propagate`.
  template <class M>
  void propagate_magnitudes(std::vector<M>& magnitudes) const;

  // After `propagate`: between which offsets from `adjoint` the derivative by a number lies, for numbers that
  // a cast with alternatives multiplies. In ascending order of `index`.
  struct Slack {
    std::uint32_t index;
    T lo;  // <= 0
    T hi;  // >= 0
  };
  void collect_slack(std::vector<Slack>& slack) const;

  std::size_t size() const { return values_.size(); }
  // A number between lo and hi is as right as `rounded`; the derivative by v is 1.
  Var<T> push_cast(Var<T> v, const T& rounded, const T& lo, const T& hi);

  // Bytes held; constant once the longest row has been seen.
  std::size_t arena_bytes() const;

  enum class Operation : std::uint8_t {
    leaf,
    add,
    subtract,
    multiply,
    divide,
    negate,
    square_root,
    exponential,
    cast,
    sum,
    sum_of_squares
  };
  Var<T> push(Operation operation, std::uint32_t a, std::uint32_t b, const T& value);
  // One node with many parents; `operation` is sum or sum_of_squares.
  Var<T> push_many(Operation operation, std::span<const Var<T>> parents, const T& value);

 private:
  struct Node {
    Operation operation;
    std::uint32_t a;  // first parent, or first position in many_
    std::uint32_t b;  // second parent, or number of positions in many_
  };
  struct Seed {
    std::uint32_t index;
    T derivative;
  };
  struct OpenCast {
    std::uint32_t index;
    T lo;
    T hi;
  };
  void accumulate(std::uint32_t index, const T& term);
  const OpenCast* find_open(std::uint32_t index) const;
  void propagate_node(std::size_t index, const Node& node);
  template <class M>
  void propagate_node_magnitude(std::size_t index, const Node& node, std::vector<M>& magnitudes) const;

  std::vector<Node> nodes_;
  std::vector<T> values_;
  std::vector<T> adjoints_;
  std::vector<std::uint8_t>
      touched_;  // whether an adjoint has received a term: the first one is stored, not added
  std::vector<std::uint32_t> many_;
  std::vector<Seed> seeds_;
  std::vector<OpenCast> open_casts_;  // those with alternatives, in order
};

template <class T>
void ReverseTape<T>::clear() {
  nodes_.clear();
  values_.clear();
  touched_.clear();
  many_.clear();
  seeds_.clear();
  open_casts_.clear();
}

template <class T>
Var<T> ReverseTape<T>::push(Operation operation, std::uint32_t a, std::uint32_t b, const T& value) {
  nodes_.push_back({operation, a, b});
  values_.push_back(value);
  return {this, static_cast<std::uint32_t>(values_.size() - 1)};
}

template <class T>
Var<T> ReverseTape<T>::push_many(Operation operation, std::span<const Var<T>> parents, const T& value) {
  const auto first = static_cast<std::uint32_t>(many_.size());
  for (const Var<T>& parent : parents) many_.push_back(parent.index);
  return push(operation, first, static_cast<std::uint32_t>(parents.size()), value);
}

template <class T>
Var<T> ReverseTape<T>::push_cast(Var<T> v, const T& rounded, const T& lo, const T& hi) {
  const Var<T> result = push(Operation::cast, v.index, 0, rounded);
  if (lo < hi) open_casts_.push_back({result.index, lo, hi});
  return result;
}

template <class T>
void ReverseTape<T>::seed(Var<T> v, const T& derivative) {
  seeds_.push_back({v.index, derivative});
}

template <class T>
void ReverseTape<T>::accumulate(std::uint32_t index, const T& term) {
  if (touched_[index]) {
    adjoints_[index] += term;
  } else {
    adjoints_[index] = term;
    touched_[index] = 1;
  }
}

template <class T>
void ReverseTape<T>::propagate() {
  touched_.assign(values_.size(), 0);
  if (adjoints_.size() < values_.size()) adjoints_.resize(values_.size());
  for (const Seed& s : seeds_) accumulate(s.index, s.derivative);
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (touched_[i]) propagate_node(i, nodes_[i]);
  }
}

template <class T>
void ReverseTape<T>::propagate_node(std::size_t index, const Node& node) {
  const T adjoint = adjoints_[index];
  switch (node.operation) {
    case Operation::leaf:
      return;
    case Operation::add:
      accumulate(node.a, adjoint);
      accumulate(node.b, adjoint);
      return;
    case Operation::subtract:
      accumulate(node.a, adjoint);
      accumulate(node.b, -adjoint);
      return;
    case Operation::multiply:
      accumulate(node.a, adjoint * values_[node.b]);
      accumulate(node.b, adjoint * values_[node.a]);
      return;
    case Operation::divide: {
      const T by_numerator = adjoint / values_[node.b];
      accumulate(node.a, by_numerator);
      accumulate(node.b, -(by_numerator * values_[index]));
      return;
    }
    case Operation::negate:
      accumulate(node.a, -adjoint);
      return;
    case Operation::square_root:
      accumulate(node.a, adjoint / (values_[index] + values_[index]));
      return;
    case Operation::exponential:
      accumulate(node.a, adjoint * values_[index]);
      return;
    case Operation::cast:
      accumulate(node.a, adjoint);
      return;
    case Operation::sum:
      for (std::uint32_t k = 0; k < node.b; ++k) accumulate(many_[node.a + k], adjoint);
      return;
    case Operation::sum_of_squares: {
      const T twice = adjoint + adjoint;
      for (std::uint32_t k = 0; k < node.b; ++k) {
        const std::uint32_t parent = many_[node.a + k];
        accumulate(parent, twice * values_[parent]);
      }
      return;
    }
  }
}

template <class T>
std::size_t ReverseTape<T>::arena_bytes() const {
  return nodes_.capacity() * sizeof(Node) + (values_.capacity() + adjoints_.capacity()) * sizeof(T) +
         touched_.capacity() + many_.capacity() * sizeof(std::uint32_t) + seeds_.capacity() * sizeof(Seed) +
         open_casts_.capacity() * sizeof(OpenCast);
}

}  // namespace seamgate::reference

#include "reference/tape_magnitudes.hpp"
#include "reference/tape_slack.hpp"
