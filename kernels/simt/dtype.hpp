// The element types that kernels and tensors are made of.
#pragma once

#include <cstddef>
#include <string_view>

namespace seamgate {

enum class DType { f32, bf16, f16 };

constexpr std::size_t size_of(DType dtype) { return dtype == DType::f32 ? 4 : 2; }

constexpr std::string_view to_string(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return "f32";
    case DType::bf16:
      return "bf16";
    case DType::f16:
      return "f16";
  }
  return "?";
}

}  // namespace seamgate
