// The witness of the CPU, and the one of this process for each backend.
#include "gates/witness/witness.hpp"

#include <map>

#include "gates/witness/cupti_witness.hpp"
#include "gates/witness/device_hooks.hpp"
#include "kernels/simt/launch_log.hpp"

namespace seamgate::gates {
namespace {

class EmulatorWitness : public Witness {
 public:
  std::uint64_t mark() override { return simt::launch_log().mark(); }

  KernelsSeen since(std::uint64_t mark) override {
    KernelsSeen seen;
    try {
      for (const auto& record : simt::launch_log().since(mark)) seen.names.push_back(record.kernel);
    } catch (const std::runtime_error& forgotten) {
      throw NoWitness(forgotten.what());
    }
    return seen;
  }
};

// Never destroyed: at the end of a process the driver may be gone before the witness is.
CuptiWitness*& gpu_witness() {
  static CuptiWitness* witness = nullptr;
  return witness;
}

}  // namespace

std::size_t KernelsSeen::count_of(std::string_view substring) const {
  std::size_t count = 0;
  for (const auto& name : names) {
    if (name.find(substring) != std::string::npos) ++count;
  }
  return count;
}

std::string KernelsSeen::str() const {
  std::map<std::string, int> counts;
  // Template arguments are left out: the function says enough, and a line stays a line.
  for (const auto& name : names) ++counts[name.substr(0, name.find('<'))];
  std::string text;
  for (const auto& [name, count] : counts) text += (text.empty() ? "" : ", ") + name + " x" + std::to_string(count);
  return text.empty() ? "none" : text;
}

Witness& take_witness(Backend backend) {
  if (backend == Backend::cuda && gpu_witness() == nullptr) {
    gpu_witness() = new CuptiWitness(CuptiLibrary::open_in_this_environment(), gpu_hooks());
  }
  return *witness_in_hand(backend);
}

Witness* witness_in_hand(Backend backend) {
  static EmulatorWitness emulator;
  if (backend == Backend::cpu) return &emulator;
  return gpu_witness();
}

}  // namespace seamgate::gates
