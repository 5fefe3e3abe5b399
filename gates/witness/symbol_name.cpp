// Kernel names.
#include "gates/witness/symbol_name.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <regex>

#include "tensor/primitive_names.hpp"

namespace seamgate::gates {
namespace {

std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;  // a lone "a" would read as the type `signed char`
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : symbol;
}

// Up to the parameters: the first bracket outside angle brackets that does not open "(anonymous namespace)".
std::string without_parameters(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>') --depth;
    if (text[i] == '(' && depth == 0 && text.compare(i, 11, "(anonymous ") != 0) return text.substr(0, i);
  }
  return text;
}

}  // namespace

std::string name_of_symbol(const std::string& symbol) {
  const std::string whole = demangled(symbol);
  if (const auto primitive = primitive_of_kernel(whole); !primitive.empty()) return primitive;
  std::string name = without_parameters(whole);
  if (name.starts_with("void ")) name.erase(0, 5);
  static const std::regex build("\\bseamgate::kernels::\\w+::");
  static const std::regex ours("\\bseamgate::(kernels::)?");
  return std::regex_replace(std::regex_replace(name, build, ""), ours, "");
}

}  // namespace seamgate::gates
