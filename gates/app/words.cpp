// The words of the command line.
#include "gates/app/words.hpp"

#include <algorithm>
#include <stdexcept>

namespace seamgate::gates {

Backend parse_backend(std::string_view word) {
  for (const Backend backend : all_backends) {
    if (word == to_string(backend)) return backend;
  }
  throw std::invalid_argument("backend is '" + std::string(word) + "'; allowed: cpu, cuda");
}

Tier parse_tier(std::string_view word) {
  for (const Tier tier : all_tiers) {
    if (word == to_string(tier)) return tier;
  }
  throw std::invalid_argument("tier is '" + std::string(word) + "'; allowed: smoke, premerge, nightly");
}

std::vector<std::string> split_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

std::vector<Backend> parse_backends(std::string_view words) {
  std::vector<Backend> backends;
  for (const auto& word : split_commas(words)) {
    const Backend backend = parse_backend(word);
    if (std::find(backends.begin(), backends.end(), backend) == backends.end()) backends.push_back(backend);
  }
  if (backends.empty()) throw std::invalid_argument("--require is empty; allowed: cpu, cuda, or both separated by a comma");
  return backends;
}

}  // namespace seamgate::gates
