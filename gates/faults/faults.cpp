// Implementations that go wrong without a wrong number.
#include "gates/faults/faults.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "gates/faults/faulty_kernels.hpp"

namespace seamgate::gates::faults {
namespace {

class Faulty final : public Implementation {
 public:
  Faulty(const Implementation& shipped, std::string_view fault)
      : shipped_(shipped),
        name_(std::string(prefix) + std::string(fault)),
        host_(table(Machine::cpu_plain, calls_on_host(fault))),
        gpu_(table(Machine::cuda, calls_on_gpu(fault))) {}

  std::string name() const override { return name_; }
  const kernels::Contract& contract() const override { return shipped_.contract(); }

  const kernels::KernelTable* kernels(Machine machine) const override {
    const kernels::KernelTable& own = machine == Machine::cuda ? gpu_ : host_;
    return own.forward == nullptr || shipped_.kernels(machine) == nullptr ? nullptr : &own;
  }

  std::vector<AnyTensor> ask(const std::vector<AnyTensor>& inputs, const seam::Request& request,
                             const seam::Machines* machines) const override {
    const seam::Machines own{kernels(Machine::cpu_plain), kernels(Machine::cuda)};
    return shipped_.ask(inputs, request, machines == nullptr ? &own : machines);
  }
  std::vector<AnyTensor> tensor_path(const std::vector<AnyTensor>& inputs, const seam::Request& request) const override {
    return shipped_.tensor_path(inputs, request);
  }
  seam::Counters& counters() const override { return shipped_.counters(); }

 private:
  kernels::KernelTable table(Machine machine, const Calls* calls) const {
    const kernels::KernelTable* shipped = shipped_.kernels(machine);
    if (shipped == nullptr || calls == nullptr) return {};
    return {calls->forward, calls->backward, shipped->workspace_bytes};
  }

  const Implementation& shipped_;
  std::string name_;
  kernels::KernelTable host_;
  kernels::KernelTable gpu_;
};

}  // namespace

const Calls* calls_on_host(std::string_view fault) { return find_calls(fault); }

#ifndef SEAMGATE_HAS_CUDA
const Calls* calls_on_gpu(std::string_view) { return nullptr; }
#endif

const Implementation* find(const Implementation& shipped, std::string_view name) {
  if (!name.starts_with(prefix)) return nullptr;
  const std::string_view fault = name.substr(prefix.size());
  if (calls_on_host(fault) == nullptr) return nullptr;
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<Implementation>> made;
  const std::lock_guard lock(mutex);
  auto& one = made[shipped.contract().op + " " + std::string(name)];
  if (one == nullptr) one = std::make_unique<Faulty>(shipped, fault);
  return one.get();
}

}  // namespace seamgate::gates::faults
