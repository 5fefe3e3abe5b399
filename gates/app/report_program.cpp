// Where the program that decides is.
#include "gates/app/report_program.hpp"

#include <filesystem>
#include <stdexcept>

#include "gates/app/spawn.hpp"

namespace seamgate::gates {

std::string report_program() {
  namespace fs = std::filesystem;
  const fs::path program = own_program();
  for (const fs::path& candidate : {program.parent_path().parent_path() / "share/seamgate/reports/seamgate_report.py",
                                    fs::path(SEAMGATE_SOURCE_DIR) / "reports/seamgate_report.py"}) {
    if (fs::exists(candidate)) return candidate.string();
  }
  throw std::runtime_error("the report program is not beside '" + program.string() + "'; expected ../share/seamgate/reports");
}

}  // namespace seamgate::gates
