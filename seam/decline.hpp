// Why an ask went to the tensor path.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace seamgate::seam {

enum class Decline { switched_off, device, strategy, dtype, empty, shape, layout };

inline constexpr std::array all_declines = {Decline::switched_off, Decline::device, Decline::strategy, Decline::dtype,
                                            Decline::empty,        Decline::shape,  Decline::layout};
inline constexpr std::size_t decline_count = all_declines.size();

constexpr std::string_view to_string(Decline reason) {
  switch (reason) {
    case Decline::switched_off:
      return "switch";
    case Decline::device:
      return "device";
    case Decline::strategy:
      return "strategy";
    case Decline::dtype:
      return "dtype";
    case Decline::empty:
      return "empty";
    case Decline::shape:
      return "shape";
    case Decline::layout:
      return "layout";
  }
  return "?";
}

}  // namespace seamgate::seam
