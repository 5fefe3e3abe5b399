// How messages spell places, indices and operations.
#pragma once

#include <string>
#include <string_view>

#include "kernels/simt/emulator.hpp"

namespace seamgate::simt::host {

// "forward.hpp:41": the file's last component is enough to find it, and the same on every machine.
inline std::string place_text(Place place) {
  std::string_view file = place.file;
  if (const auto slash = file.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
  return std::string(file) + ":" + std::to_string(place.line);
}

// "5" when only x is used, else "(5,1,0)".
inline std::string index_text(uint3 index, uint3 extent) {
  if (extent.y == 1 && extent.z == 1) return std::to_string(index.x);
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," + std::to_string(index.z) + ")";
}

inline const char* warp_op_text(WarpOp op) {
  switch (op) {
    case WarpOp::sync:
      return "__syncwarp";
    case WarpOp::shuffle:
      return "__shfl_sync";
    case WarpOp::shuffle_up:
      return "__shfl_up_sync";
    case WarpOp::shuffle_down:
      return "__shfl_down_sync";
    case WarpOp::shuffle_xor:
      return "__shfl_xor_sync";
    case WarpOp::ballot:
      return "__ballot_sync";
    case WarpOp::any:
      return "__any_sync";
    case WarpOp::all:
      return "__all_sync";
  }
  return "?";
}

}  // namespace seamgate::simt::host
