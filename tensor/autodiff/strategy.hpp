// The decorator Autodiff, the checkpointing strategies, and the tags by which a tape says at run time what it
// is.
#pragma once

#include <string_view>

#include "tensor/device.hpp"

namespace seamgate {

enum class StrategyTag { none, no_checkpointing, balanced };  // none: bare, no tape

constexpr std::string_view to_string(StrategyTag tag) {
  switch (tag) {
    case StrategyTag::none:
      return "none";
    case StrategyTag::no_checkpointing:
      return "no_checkpointing";
    case StrategyTag::balanced:
      return "balanced";
  }
  return "?";
}

// Keeps every value that a backward step needs.
struct NoCheckpointing {
  static constexpr StrategyTag tag = StrategyTag::no_checkpointing;
  static constexpr bool recomputes = false;
};

// Drops the outputs of memory-bound operations and computes them once more during backward. The output of an
// operation with an untracked parent is kept.
struct BalancedCheckpointing {
  static constexpr StrategyTag tag = StrategyTag::balanced;
  static constexpr bool recomputes = true;
};

// Tensor<Autodiff<B, Strategy>> is a tensor of B that may stand on a tape.
template <class B, class Strategy>
struct Autodiff {
  using Inner = B;
};

// What a tape says of itself at run time. It may disagree with the static type, as when a trainer's type
// names one strategy and its device another; operations hand the tags on, and a module must notice before it
// launches anything.
struct TapeTags {
  Device device;
  StrategyTag strategy = StrategyTag::none;
  friend constexpr bool operator==(const TapeTags&, const TapeTags&) = default;
};

}  // namespace seamgate
