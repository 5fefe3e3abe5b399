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
  const bool everywhere = std::all_of(all_backends.begin(), all_backends.end(),
                                      [&](Backend backend) { return is_declared_for(gate, backend); });
  if (everywhere != gate.backends_reason.empty()) {
    throw std::invalid_argument("gate '" + gate.id + "': backends_reason is '" + gate.backends_reason +
                                "'; " +
                                (everywhere ? "none is allowed where all backends are declared"
                                            : "it must say why not all backends are declared"));
  }
  if (gate.witnessed && gate.alone) {
    throw std::invalid_argument("gate '" + gate.id + "' is witnessed and alone; allowed: one of them, for the witness takes time");
  }
  registered().push_back(new Gate(std::move(gate)));  // lives as long as the program
  std::sort(registered().begin(), registered().end(), [](auto* a, auto* b) { return a->id < b->id; });
}

const std::vector<const Gate*>& all_gates() {
  return registered();
}

const Gate& find_gate(std::string_view id) {
  std::string known;
  for (const Gate* gate : registered()) {
    if (gate->id == id) return *gate;
    known += (known.empty() ? "" : ", ") + gate->id;
  }
  throw std::invalid_argument("gate is '" + std::string(id) + "'; allowed: " + known);
}

bool is_declared_for(const Gate& gate, Backend backend) {
  return std::find(gate.backends.begin(), gate.backends.end(), backend) != gate.backends.end();
}

std::string too_few_gpus(const Gate& gate, Backend backend, int gpus) {
  if (backend != Backend::cuda || gpus < 1 || gpus >= gate.gpus) return {};
  return "this machine has " + std::to_string(gpus) + (gpus == 1 ? " GPU" : " GPUs") + "; the gate needs " + std::to_string(gate.gpus);
}

std::string answered_once(const OpTraits& op) {
  const auto& first = all_ops().front()->name;
  return op.name == first ? "" : "the answer is the same for every op; it is asked once, with " + first;
}

}  // namespace seamgate::gates
