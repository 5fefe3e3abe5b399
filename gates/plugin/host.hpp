// How an op lends its seam to somebody else's kernel: the same module, with the plug-in's contract in place
// of the op's.
#pragma once

#include <memory>
#include <string>

#include "gates/implementation.hpp"

namespace seamgate::gates::plugin {

// The contract of the plug-in in force. Throws std::logic_error when there is none.
const kernels::Contract& contract_in_force();

// A module of the op that asks under the plug-in's contract.
template <class Op>
struct Hosted : Op {
  static const kernels::Contract& contract() { return contract_in_force(); }
};

using Host = std::unique_ptr<Implementation> (*)(const kernels::KernelTable* cpu,
                                                 const kernels::KernelTable* cuda);

// One static object in an op's subject adds it.
struct RegisterHost {
  RegisterHost(const char* op, Host host);
};

// Opens the library that `name` refers to (gates/plugin/reference.hpp) and puts it in force. A second call
// with the same name gives the same object. Throws std::invalid_argument with one line.
const Implementation& find_plugin(const std::string& op, const std::string& name);

}  // namespace seamgate::gates::plugin
