// The plug-in that this process judges, for gates about libraries.
#pragma once

#include "gates/plugin/facts.hpp"

namespace seamgate::gates::plugin {

// Throw std::logic_error when there is none.
const seamgate_kernel_info& kernel_in_force();
const Facts& facts_in_force();

}  // namespace seamgate::gates::plugin
