// How commands and records name a plug-in.
#include "gates/plugin/reference.hpp"

#include <stdexcept>

namespace seamgate::gates::plugin {
namespace {

// Takes ",key=value" off the end of `text`; empty where it does not stand there.
std::string take(std::string& text, const std::string& key) {
  const auto at = text.rfind("," + key + "=");
  if (at == std::string::npos) return {};
  std::string value = text.substr(at + key.size() + 2);
  text.erase(at);
  return value;
}

}  // namespace

bool is_reference(std::string_view text) {
  return text.starts_with(prefix) || text.starts_with(wrapped_prefix);
}

Reference parse_reference(std::string_view text) {
  Reference reference;
  std::string rest(text);
  if (rest.starts_with(wrapped_prefix)) {
    rest.erase(0, wrapped_prefix.size());
    const auto colon = rest.find(':');
    reference.fault = rest.substr(0, colon);
    rest.erase(0, colon == std::string::npos ? rest.size() : colon + 1);
  }
  if (rest.starts_with(prefix)) {
    rest.erase(0, prefix.size());
    reference.variant = take(rest, "variant");
    reference.kernel = take(rest, "kernel");
    reference.path = rest;
  }
  if (reference.path.empty()) {
    throw std::invalid_argument("implementation is '" + std::string(text) +
                                "'; allowed: plugin:PATH[,kernel=NAME][,variant=NAME]");
  }
  return reference;
}

std::string Reference::name() const {
  return std::string(prefix) + path + (kernel.empty() ? "" : ",kernel=" + kernel) +
         (variant.empty() ? "" : ",variant=" + variant);
}

std::string wrapped_name(std::string_view fault, std::string_view plugin) {
  return std::string(wrapped_prefix) + std::string(fault) + ":" + std::string(plugin);
}

}  // namespace seamgate::gates::plugin
