// Faults planted around somebody else's kernel from outside: what it computes is right, and what comes out is
// not. They show that the gates can fail on this library, judged as mutants are.
#pragma once

#include <string>
#include <vector>

#include "gates/ops/op_traits.hpp"
#include "kernels/common/kernel_api.hpp"

namespace seamgate::gates::plugin {

using Forward = kernels::Status (*)(const kernels::ForwardCall&);
using Backward = kernels::Status (*)(const kernels::BackwardCall&);

struct Fault {
  std::string id;
  std::string title;
  std::string defect;  // the public reports of the same kind
  std::string expected_gate;
  kernels::Status (*forward)(const kernels::ForwardCall&, Forward next) = nullptr;
  kernels::Status (*backward)(const kernels::BackwardCall&, Backward next) = nullptr;
};

// Those that mean something for what the op, as the library restricts it, serves and promises.
std::vector<Fault> faults_of(const OpTraits& op);

// The one of this id; throws std::invalid_argument that lists them all. Lives as long as the program.
const Fault& find_fault(const OpTraits& op, const std::string& id);

// On the device that the tensors of the faults below live on.
void set_fault_backend(bool cuda);

}  // namespace seamgate::gates::plugin
