// The environment variables that turn a fused kernel off or choose its backward.
#include "seam/kill_switch.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace seamgate::seam {
namespace {

constexpr std::array<std::string_view, 4> off_words = {"0", "false", "off", "no"};
constexpr std::array<std::string_view, 4> on_words = {"1", "true", "on", "yes"};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool is_one_of(const std::string& word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

[[noreturn]] void refuse(const std::string& name, const std::string& value, const std::string& allowed) {
  throw std::invalid_argument(name + "='" + value + "' is not understood; allowed: " + allowed);
}

}  // namespace

bool switch_allows(const std::string& name, const std::string& value) {
  const auto word = lower_case(value);
  if (is_one_of(word, on_words)) return true;
  if (is_one_of(word, off_words)) return false;
  refuse(name, value, "0, false, off, no (declines); 1, true, on, yes, or unset (allows)");
}

bool switch_allows(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr || switch_allows(name, value);
}

Adjoint adjoint_choice(const std::string& name, const std::string& value) {
  const auto word = lower_case(value);
  if (word == "fused") return Adjoint::fused;
  if (word == "tensor") return Adjoint::tensor;
  refuse(name, value, "fused, tensor, or unset (fused)");
}

Adjoint adjoint_choice(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? Adjoint::fused : adjoint_choice(name, value);
}

}  // namespace seamgate::seam
