// Where the program that decides is: beside this program's build, or where the package was installed.
#pragma once

#include <string>

namespace seamgate::gates {

// Throws std::runtime_error when it is in neither place.
std::string report_program();

}  // namespace seamgate::gates
