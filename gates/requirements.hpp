// The rows that must hold, by id. Gates say which of them they answer.
#pragma once

#include <string>
#include <vector>

#include "gates/gate.hpp"

namespace seamgate::gates {

struct Requirement {
  std::string id;
  std::string title;
};

const std::vector<Requirement>& all_requirements();

// The gates that answer a row, in the order of their ids.
std::vector<const Gate*> gates_of(const std::string& row);

}  // namespace seamgate::gates
