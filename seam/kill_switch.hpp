// The environment variables that turn a fused kernel off or choose its backward. Read at every ask, never cached.
#pragma once

#include <string>

namespace seamgate::seam {

// False for 0, false, off, no; true when unset and for 1, true, on, yes; any case. Throws std::invalid_argument that names
// the variable, its value and the allowed words for anything else, the empty string too.
bool switch_allows(const std::string& name);
// The same of a value that is not in the environment.
bool switch_allows(const std::string& name, const std::string& value);

enum class Adjoint { fused, tensor };

// `fused` (also when unset) or `tensor`, any case. Throws like switch_allows.
Adjoint adjoint_choice(const std::string& name);
Adjoint adjoint_choice(const std::string& name, const std::string& value);

}  // namespace seamgate::seam
