// The handlers that `-fsanitize=alignment,bounds,signed-integer-overflow -fsanitize-recover=all` calls in a
// checked kernel: misaligned vector access, an index outside an array type, integer overflow. The memory
// hooks cannot see the first, because the compiler splits loads of structs. Outside a checked kernel they do
// nothing.
#include <cstdint>
#include <string>

#include "kernels/simt/launch_checker.hpp"

namespace {

using seamgate::simt::host::LaunchChecker;
using seamgate::simt::host::Place;

// As the compiler lays them out.
struct SourceLocation {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;

  Place place() const { return {file, static_cast<int>(line)}; }
};

struct TypeDescriptor {
  std::uint16_t kind;  // 0: integer
  std::uint16_t info;  // of an integer: bit 0 signed, then log2 of its bits
  char name[1];        // quoted, zero-terminated

  bool is_signed() const { return (info & 1U) != 0; }
  int bits() const { return 1 << (info >> 1); }
};

struct TypeMismatchData {
  SourceLocation location;
  const TypeDescriptor* type;
  unsigned char log_alignment;
  unsigned char check_kind;
};

struct OutOfBoundsData {
  SourceLocation location;
  const TypeDescriptor* array_type;
  const TypeDescriptor* index_type;
};

struct OverflowData {
  SourceLocation location;
  const TypeDescriptor* type;
};

// Integers up to 64 bits come in the handle itself, sign-extended or not as the type says.
long long integer_of(const TypeDescriptor& type, std::uintptr_t handle) {
  if (!type.is_signed() || type.bits() >= 64) return static_cast<long long>(handle);
  const int unused = 64 - type.bits();
  return static_cast<long long>(static_cast<std::uint64_t>(handle) << unused) >> unused;
}

void overflowed(const OverflowData& data, const char* sign, std::uintptr_t left, std::uintptr_t right) {
  if (LaunchChecker* checker = LaunchChecker::active; checker != nullptr) {
    const std::string text =
        std::to_string(integer_of(*data.type, left)) + sign + std::to_string(integer_of(*data.type, right));
    checker->overflow(text.c_str(), data.type->name, data.location.place());
  }
}

}  // namespace

#define SIMT_HANDLER extern "C" __attribute__((visibility("default"))) void

SIMT_HANDLER __ubsan_handle_type_mismatch_v1(TypeMismatchData* data, std::uintptr_t pointer) {
  if (LaunchChecker* checker = LaunchChecker::active; checker != nullptr) {
    const std::size_t alignment = std::size_t{1} << data->log_alignment;
    if (pointer % alignment != 0)
      checker->misaligned(pointer, alignment, data->type->name, data->location.place());
  }
}

SIMT_HANDLER __ubsan_handle_out_of_bounds(OutOfBoundsData* data, std::uintptr_t index) {
  if (LaunchChecker* checker = LaunchChecker::active; checker != nullptr) {
    checker->index_outside(data->array_type->name, integer_of(*data->index_type, index),
                           data->location.place());
  }
}

SIMT_HANDLER __ubsan_handle_add_overflow(OverflowData* data, std::uintptr_t left, std::uintptr_t right) {
  overflowed(*data, " + ", left, right);
}
SIMT_HANDLER __ubsan_handle_sub_overflow(OverflowData* data, std::uintptr_t left, std::uintptr_t right) {
  overflowed(*data, " - ", left, right);
}
SIMT_HANDLER __ubsan_handle_mul_overflow(OverflowData* data, std::uintptr_t left, std::uintptr_t right) {
  overflowed(*data, " * ", left, right);
}
SIMT_HANDLER __ubsan_handle_divrem_overflow(OverflowData* data, std::uintptr_t left, std::uintptr_t right) {
  overflowed(*data, " / ", left, right);
}
SIMT_HANDLER __ubsan_handle_negate_overflow(OverflowData* data, std::uintptr_t value) {
  overflowed(*data, " negated from ", 0, value);
}
