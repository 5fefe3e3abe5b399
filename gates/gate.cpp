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

bool is_clear_refusal(const Context& context, const std::string& message, std::initializer_list<std::string_view> words) {
  if (message.empty() || message.find('\n') != std::string::npos) return false;
  if (context.implementation().traits() != nullptr) return true;
  return message.find("allowed") != std::string::npos &&
         std::all_of(words.begin(), words.end(), [&](auto word) { return message.find(word) != std::string::npos; });
}

bool is_within(const OpTraits& op, const Case& c) {
  const Promises& promises = op.promises;
  const int rank = static_cast<int>(c.shape.size());
  if (rank < promises.least_rank || rank > promises.most_rank) return false;
  const auto* variant = kernels::find_variant(op.contract(), c.variant);
  if (variant == nullptr || kernels::find_dtypes(*variant, c.dtypes) == nullptr) return false;
  if (c.columns() > op.contract().max_columns) return false;
  if (promises.max_elements > 0 && c.rows() * c.columns() > promises.max_elements) return false;
  if (c.layout == "strided" && !op.contract().serves_strided_rows) return false;
  std::int64_t offset = c.layout.starts_with("odd") ? 1 : c.layout.starts_with("offset") ? c.layout.back() - '0' : 0;
  for (const DType dtype : c.dtypes) {
    const auto size = static_cast<std::int64_t>(size_of(dtype));
    if (promises.alignment_bytes <= size) continue;
    if (offset * size % promises.alignment_bytes != 0) return false;
    // Rows follow each other, or have padding of a number that is odd.
    const bool many = c.rows() > 1;
    if (many && (c.layout == "strided" || c.columns() * size % promises.alignment_bytes != 0)) return false;
  }
  return true;
}

std::vector<Case> cases_of(const Gate& gate, const Plan& plan) {
  std::vector<Case> cases = gate.cases(plan);
  // A gate about a seam asks for what is not served, to see it declined.
  if (gate.reach == Reach::kernels || gate.reach == Reach::node || gate.reach == Reach::library) {
    std::erase_if(cases, [&](const Case& c) { return !is_within(plan.op, c); });
  }
  return cases;
}

std::string out_of_reach(const Gate& gate, const std::optional<LibrarySeam>& library) {
  const bool asked_of_libraries = gate.reach == Reach::library || gate.reach == Reach::own_seam || gate.reach == Reach::own_switch;
  if (!library) return asked_of_libraries ? "asked of libraries from outside alone (seamgate check)" : "";
  const std::string no_seam = "the library has no seam of its own (seamgate_kernel_info.seam)";
  switch (gate.reach) {
    case Reach::kernels:
    case Reach::node:
    case Reach::library:
      return "";
    case Reach::own_seam:
      return library->any ? "" : no_seam;
    case Reach::own_switch:
      return !library->any ? no_seam : library->has_switch ? "" : "the library's seam names no switch (seamgate_seam.switch_name)";
    case Reach::seam:
      return library->any ? "judges seamgate's own seam; the library's has gates of its own" : no_seam;
    case Reach::source:
      return "needs the kernel's source, compiled for the checked emulator";
    case Reach::house:
      return "judges seamgate itself, which `seamgate run` does";
  }
  return "";
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
