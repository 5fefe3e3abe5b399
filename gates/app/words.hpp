// The words of the command line, and what is said when one is not among them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gates/backend.hpp"

namespace seamgate::gates {

// Throw std::invalid_argument with one line: what was given, what is allowed, where.
Backend parse_backend(std::string_view word);
Tier parse_tier(std::string_view word);
std::vector<Backend> parse_backends(std::string_view words);  // separated by commas

std::vector<std::string> split_commas(std::string_view text);

}  // namespace seamgate::gates
