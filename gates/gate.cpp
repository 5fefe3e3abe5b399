// The gates that this program was linked with.
#include "gates/gate.hpp"

#include <algorithm>
#include <stdexcept>

namespace seamgate::gates {
namespace {

std::vector<const Gate*>& registered() {
  static std::vector<const Gate*> gates;
  return gates;
}

}  // namespace

RegisterGate::RegisterGate(Gate gate) {
  registered().push_back(new Gate(std::move(gate)));  // lives as long as the program
  std::sort(registered().begin(), registered().end(), [](auto* a, auto* b) { return a->id < b->id; });
}

const std::vector<const Gate*>& all_gates() { return registered(); }

const Gate& find_gate(std::string_view id) {
  std::string known;
  for (const Gate* gate : registered()) {
    if (gate->id == id) return *gate;
    known += (known.empty() ? "" : ", ") + gate->id;
  }
  throw std::invalid_argument("gate is '" + std::string(id) + "'; allowed: " + known);
}

}  // namespace seamgate::gates
