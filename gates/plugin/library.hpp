// A library of somebody else's, opened in this process. Only a child process does that: see
// gates/app/check.cpp.
#pragma once

#include <string>

#include "include/seamgate/kernel.h"

namespace seamgate::gates::plugin {

// Opens the file, calls seamgate_kernel() and looks whether the description can be read at all. The library
// is never closed. Throws std::invalid_argument with one line: no such file, not a library, no symbol,
// another version, null.
const seamgate_library& open_library(const std::string& path);

}  // namespace seamgate::gates::plugin
