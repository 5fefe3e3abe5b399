// Where a verdict comes from: sources, binary, machine.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace seamgate::gates {

nlohmann::ordered_json provenance_json();

// What a command prints, without the last line break; empty when it cannot be run.
std::string output_of(const std::string& command);

}  // namespace seamgate::gates
