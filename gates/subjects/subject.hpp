// An op's seam and kernels of one build, as an implementation. Compiled once for the shipped sources and once for each mutant,
// with the mutant's copy of a file before the shipped one on the include path.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gates/implementation.hpp"
#include "seam/ask.hpp"

namespace seamgate::gates::SEAM_BUILD {

struct Tables {
  const kernels::KernelTable* cpu_plain = nullptr;
  const kernels::KernelTable* cpu_checked = nullptr;
  const kernels::KernelTable* cuda = nullptr;
};

template <class Op>
class Subject final : public Implementation {
 public:
  Subject(std::string name, Tables tables) : name_(std::move(name)), tables_(tables) {}

  std::string name() const override { return name_; }
  const kernels::Contract& contract() const override { return Op::contract(); }

  const kernels::KernelTable* kernels(Machine machine) const override {
    switch (machine) {
      case Machine::cpu_plain:
        return tables_.cpu_plain;
      case Machine::cpu_checked:
        return tables_.cpu_checked;
      case Machine::cuda:
        return tables_.cuda;
    }
    return nullptr;
  }

  std::vector<AnyTensor> ask(const std::vector<AnyTensor>& inputs, const seam::Request& request,
                const seam::Machines* machines) const override {
    const seam::Machines own{tables_.cpu_plain, tables_.cuda};
    return Seam(machines == nullptr ? own : *machines, request).forward(inputs);
  }

  std::vector<AnyTensor> tensor_path(const std::vector<AnyTensor>& inputs, const seam::Request& request) const override {
    return visit(inputs[0], [&]<class T>(const T&) {
      return seam::pack(Op::tensor_path(seam::unpack<T>(inputs), kernels::Attributes{request.variant, request.eps}));
    });
  }

  seam::Counters& counters() const override { return Seam::counters(); }

 private:
  using Seam = seam::SEAM_BUILD::Seam<Op>;

  std::string name_;
  Tables tables_;
};

}  // namespace seamgate::gates::SEAM_BUILD
