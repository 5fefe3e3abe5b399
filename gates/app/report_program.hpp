// Where the program that decides is: beside this program's build, or where the package was installed.
#pragma once

#include <string>
#include <vector>

namespace seamgate::gates {

// Throws std::runtime_error when it is in neither place.
std::string report_program();

// Runs it with these arguments and returns its exit code. Throws std::runtime_error when it did not exit by itself.
int run_report_program(const std::vector<std::string>& arguments);

}  // namespace seamgate::gates
