// A loss by which backward gives every output of a module its own upstream gradient.
#pragma once

#include <optional>
#include <vector>

#include "tensor/autodiff/primitives.hpp"

namespace seamgate::gates {

// The sum over outputs of <output, its upstream gradient>: backward from it gives each output that gradient
// exactly.
template <class Tracked, class Bare>
Tracked cotangent_loss(const std::vector<Tracked>& outputs, const std::vector<Bare>& seeds) {
  std::optional<Tracked> loss;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Tracked term = sum(mul(outputs[i], Tracked::from_inner(seeds[i])));
    loss = loss ? add(*loss, term) : term;
  }
  return *loss;
}

}  // namespace seamgate::gates
