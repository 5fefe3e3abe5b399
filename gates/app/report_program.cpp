// Where the program that decides is.
#include "gates/app/report_program.hpp"

#include <filesystem>
#include <stdexcept>

#include "gates/app/places.hpp"
#include "gates/app/spawn.hpp"

namespace seamgate::gates {

std::string report_program() {
  const auto found = find_beside_program("reports/seamgate_report.py");
  if (std::filesystem::exists(found)) return found.string();
  throw std::runtime_error("the report program is not beside '" + own_program() + "'; expected ../share/seamgate/reports");
}

int run_report_program(const std::vector<std::string>& arguments) {
  constexpr double timeout_s = 300;
  std::vector<std::string> command = {"/usr/bin/env", "python3", report_program()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const ChildResult result = Child(command, {}, timeout_s).wait();
  if (result.exit_code < 0) throw std::runtime_error("the report program ended by " + result.describe());
  return result.exit_code;
}

}  // namespace seamgate::gates
