// What gates are run on: the shipped kernel and seam of an op, or a mutant of them. Gates see this and nothing behind it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gates/backend.hpp"
#include "kernels/common/contract.hpp"
#include "seam/counters.hpp"
#include "seam/request.hpp"
#include "tensor/any_tensor.hpp"

namespace seamgate::gates {

struct OpTraits;

class Implementation {
 public:
  virtual ~Implementation() = default;

  virtual std::string name() const = 0;  // "seamgate", "mutant:eps_dropped"
  virtual const kernels::Contract& contract() const = 0;
  // Null where that build does not exist in this program.
  virtual const kernels::KernelTable* kernels(Machine machine) const = 0;

  // One module forward through the seam: the op's outputs. `machines` stands in for the implementation's own kernels where it is given.
  virtual std::vector<AnyTensor> ask(const std::vector<AnyTensor>& inputs, const seam::Request& request,
                                     const seam::Machines* machines = nullptr) const = 0;
  // The same mathematics by tensor operations, without asking.
  virtual std::vector<AnyTensor> tensor_path(const std::vector<AnyTensor>& inputs, const seam::Request& request) const = 0;
  virtual seam::Counters& counters() const = 0;
  // Of somebody else's: the op as its contract restricts it. Null for ours, which serve the op as it is.
  virtual const OpTraits* traits() const { return nullptr; }
};

struct MutantInfo {
  std::string id;
  std::string op;
  std::string title;
  std::string defect;         // the public reports of the same kind
  std::string expected_gate;
  std::string not_built;      // why this program has no such implementation; empty when it has
};

inline constexpr std::string_view shipped_name = "seamgate";

// A name that begins with plugin: or wrapped: opens a library (gates/plugin). Throws std::invalid_argument that lists what
// this program was linked with for the op, or says in one line what is wrong with the library.
const Implementation& find_implementation(std::string_view op, std::string_view name);
const std::vector<MutantInfo>& all_mutants();

// One static object in a subject's own file adds it. A mutant that was not built is known without an implementation.
struct RegisterImplementation {
  RegisterImplementation(std::unique_ptr<Implementation> implementation, const MutantInfo* mutant);
};

}  // namespace seamgate::gates
