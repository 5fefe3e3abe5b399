// A plug-in as an implementation that gates judge.
#include <map>
#include <optional>
#include <stdexcept>

#include "gates/plugin/bridge.hpp"
#include "gates/plugin/facts.hpp"
#include "gates/plugin/host.hpp"
#include "gates/plugin/in_force.hpp"
#include "gates/plugin/library.hpp"
#include "gates/plugin/reference.hpp"

namespace seamgate::gates::plugin {
namespace {

std::map<std::string, Host>& hosts() {
  static std::map<std::string, Host> all;
  return all;
}

// The kernel is the library's, the seam and the tape are ours.
class Plugin final : public Implementation {
 public:
  Plugin(std::string name, const seamgate_kernel_info& kernel, Facts facts, const OpTraits& traits,
         std::unique_ptr<Implementation> host)
      : name_(std::move(name)),
        kernel_(kernel),
        facts_(std::move(facts)),
        traits_(traits),
        host_(std::move(host)) {}

  std::string name() const override { return name_; }
  const kernels::Contract& contract() const override { return traits_.contract(); }
  const kernels::KernelTable* kernels(Machine machine) const override {
    const Machine own = facts_.backend == Backend::cpu ? Machine::cpu_plain : Machine::cuda;
    return machine == own ? &table() : nullptr;
  }
  std::vector<AnyTensor> ask(const std::vector<AnyTensor>& inputs, const seam::Request& request,
                             const seam::Machines* machines) const override {
    return host_->ask(inputs, request, machines);
  }
  std::vector<AnyTensor> tensor_path(const std::vector<AnyTensor>& inputs,
                                     const seam::Request& request) const override {
    return host_->tensor_path(inputs, request);
  }
  seam::Counters& counters() const override { return host_->counters(); }
  const OpTraits* traits() const override { return &traits_; }

  const seamgate_kernel_info& kernel() const { return kernel_; }
  const Facts& facts() const { return facts_; }

 private:
  std::string name_;
  const seamgate_kernel_info& kernel_;
  Facts facts_;
  const OpTraits& traits_;
  std::unique_ptr<Implementation> host_;
};

std::unique_ptr<Plugin>& loaded() {
  static std::unique_ptr<Plugin> plugin;
  return plugin;
}

}  // namespace

RegisterHost::RegisterHost(const char* op, Host host) {
  hosts().emplace(op, host);
}

const kernels::Contract& contract_in_force() {
  if (loaded() == nullptr) throw std::logic_error("no plug-in is in force");
  return loaded()->contract();
}

const seamgate_kernel_info& kernel_in_force() {
  if (loaded() == nullptr) throw std::logic_error("no plug-in is in force");
  return loaded()->kernel();
}

const Facts& facts_in_force() {
  if (loaded() == nullptr) throw std::logic_error("no plug-in is in force");
  return loaded()->facts();
}

const Implementation& find_plugin(const std::string& op, const std::string& name) {
  if (loaded() != nullptr) {
    if (loaded()->name() == name && loaded()->contract().op == op) return *loaded();
    throw std::logic_error("a process judges one plug-in, and " + loaded()->name() + " is in force");
  }
  const Reference reference = parse_reference(name);
  const OpTraits& known = find_op(op);
  const auto host = hosts().find(op);
  if (host == hosts().end()) throw std::logic_error("op " + op + " has no seam for a plug-in");
  const seamgate_library& library = open_library(reference.path);
  const seamgate_kernel_info& kernel = choose_kernel(library, op, reference.kernel);
  Facts facts = facts_of(library, kernel, known, reference.variant);
  const OpTraits& traits = put_in_force(known, facts);
  const Fault* fault = reference.fault.empty() ? nullptr : &find_fault(traits, reference.fault);
  set_fault_backend(facts.backend == Backend::cuda);
  set_kernel(kernel, traits.contract(), fault);
  const auto* cpu = facts.backend == Backend::cpu ? &table() : nullptr;
  const auto* cuda = facts.backend == Backend::cuda ? &table() : nullptr;
  loaded() = std::make_unique<Plugin>(name, kernel, std::move(facts), traits, host->second(cpu, cuda));
  return *loaded();
}

}  // namespace seamgate::gates::plugin
