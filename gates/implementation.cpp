// The implementations that this program was linked with.
#include "gates/implementation.hpp"

#include <algorithm>
#include <stdexcept>

#include "gates/faults/faults.hpp"
#include "gates/plugin/host.hpp"
#include "gates/plugin/reference.hpp"

namespace seamgate::gates {
namespace {

std::vector<std::unique_ptr<Implementation>>& registered() {
  static std::vector<std::unique_ptr<Implementation>> implementations;
  return implementations;
}

std::vector<MutantInfo>& mutants() {
  static std::vector<MutantInfo> list;
  return list;
}

}  // namespace

RegisterImplementation::RegisterImplementation(std::unique_ptr<Implementation> implementation, const MutantInfo* mutant) {
  if (implementation != nullptr) registered().push_back(std::move(implementation));
  if (mutant == nullptr) return;
  mutants().push_back(*mutant);
  std::sort(mutants().begin(), mutants().end(), [](const auto& a, const auto& b) { return a.op + a.id < b.op + b.id; });
}

const std::vector<MutantInfo>& all_mutants() { return mutants(); }

const Implementation& find_implementation(std::string_view op, std::string_view name) {
  if (plugin::is_reference(name)) return plugin::find_plugin(std::string(op), std::string(name));
  std::vector<std::string> known;
  for (const auto& implementation : registered()) {
    if (implementation->contract().op != op) continue;
    if (implementation->name() == name) return *implementation;
    if (implementation->name() == shipped_name) {
      if (const auto* fault = faults::find(*implementation, name)) return *fault;
    }
    known.push_back(implementation->name());
  }
  std::sort(known.begin(), known.end());
  std::string list;
  for (const auto& text : known) list += (list.empty() ? "" : ", ") + text;
  throw std::invalid_argument("implementation of " + std::string(op) + " is '" + std::string(name) + "'; allowed: " + list);
}

}  // namespace seamgate::gates
