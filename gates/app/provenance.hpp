// Where a verdict comes from: sources, binary, machine.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace seamgate::gates {

nlohmann::ordered_json provenance_json();

// The part of it that is this program's own, wherever it runs: version, commit, dirty state, hashes of sources and binary.
nlohmann::ordered_json provenance_of_program();

// What a command prints, without the last line break; empty when it cannot be run.
std::string output_of(const std::string& command);

}  // namespace seamgate::gates
