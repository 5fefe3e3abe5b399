// The witness of a GPU. CUPTI's concurrent-kernel records alone, for tracing graphs hides the kernels in them; synchronise, then
// flush; dropped records are asked for every time. Each look launches a kernel of the witness's own and must find it, so that
// "no kernels" is never what a blind witness says.
#pragma once

#include "gates/witness/cupti_library.hpp"
#include "gates/witness/device_hooks.hpp"
#include "gates/witness/witness.hpp"

namespace seamgate::gates {

// One at a time in a process, as CUPTI is.
class CuptiWitness : public Witness {
 public:
  // Throws NoWitness; another holder of CUPTI in this process is named as such.
  CuptiWitness(CuptiLibrary library, DeviceHooks hooks);
  ~CuptiWitness() override;
  CuptiWitness(const CuptiWitness&) = delete;
  CuptiWitness& operator=(const CuptiWitness&) = delete;

  std::uint64_t mark() override;
  KernelsSeen since(std::uint64_t mark) override;

 private:
  void look();
  void must(cupti::Result result, const char* call) const;

  CuptiLibrary library_;
  DeviceHooks hooks_;
  void* subscriber_ = nullptr;
};

}  // namespace seamgate::gates
