// Names of primitive operations.
#include "tensor/primitive_names.hpp"

#include <cctype>

namespace seamgate {
namespace {

std::string_view word_after(std::string_view text, std::string_view prefix) {
  const auto at = text.find(prefix);
  if (at == std::string_view::npos) return {};
  const auto rest = text.substr(at + prefix.size());
  std::size_t end = 0;
  while (end < rest.size() && (std::isalnum(static_cast<unsigned char>(rest[end])) != 0 || rest[end] == '_')) ++end;
  return rest.substr(0, end);
}

// "MulScalar" to "mul_scalar".
std::string snake(std::string_view camel) {
  std::string text;
  for (const char c : camel) {
    const bool upper = std::isupper(static_cast<unsigned char>(c)) != 0;
    if (upper && !text.empty()) text += '_';
    text += upper ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : c;
  }
  return text;
}

}  // namespace

std::string primitive_of_kernel(std::string_view demangled) {
  const auto operation = word_after(demangled, "cuda_operations::");
  if (operation.empty()) return {};
  if (operation == "CopyBits") return "primitive.copy";
  if (operation == "SumBlock") return "primitive.sum_blocks";
  const auto functor = operation == "Unary" || operation == "Binary" ? word_after(demangled, "elementwise::") : operation;
  return "primitive." + snake(functor);
}

}  // namespace seamgate
