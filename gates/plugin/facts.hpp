// What a library says of one of its kernels, checked against the op: the plug-in's own contract, and by which
// it is judged.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "gates/backend.hpp"
#include "gates/ops/op_traits.hpp"
#include "include/seamgate/kernel.h"

namespace seamgate::gates::plugin {

struct Facts {
  std::string library;  // as it calls itself
  std::string version;
  std::string kernel;
  Backend backend = Backend::cpu;
  kernels::Contract contract;
  Promises promises;
  std::vector<std::int64_t> column_thresholds{};
  std::vector<std::int64_t> row_thresholds{};
  bool counts_launches = true;  // whether the witness knows what to look for
  bool own_seam = false;
  std::string switch_name;
  std::vector<std::string> off_words{};
  std::vector<std::string> on_words{};
};

// The kernel of the op that is called `name`, for `backend`; where either is empty, it has no say. Throws
// std::invalid_argument: none is left, or several.
const seamgate_kernel_info& choose_kernel(const seamgate_library& library, const std::string& op,
                                          const std::string& name, const std::string& backend = {});

// `variant`: that one alone; empty: all that are served. Throws std::invalid_argument with one line in the
// words of include/seamgate/kernel.h for a contract that contradicts itself or the op.
Facts facts_of(const seamgate_library& library, const seamgate_kernel_info& kernel, const OpTraits& op,
               const std::string& variant);

// How facts come from the process that loaded the library to the one that did not.
nlohmann::ordered_json facts_json(const Facts& facts);
Facts facts_from_json(const nlohmann::ordered_json& json, const OpTraits& op);

// The op as the facts restrict it. A process judges one plug-in: the contract of an OpTraits is a plain
// function, so the facts of a second one throw std::logic_error. The reference stays.
const OpTraits& put_in_force(const OpTraits& op, const Facts& facts);

}  // namespace seamgate::gates::plugin
