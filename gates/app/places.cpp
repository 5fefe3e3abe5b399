// Files beside the program.
#include "gates/app/places.hpp"

#include "gates/app/spawn.hpp"

namespace seamgate::gates {

std::filesystem::path find_beside_program(const std::string& relative) {
  namespace fs = std::filesystem;
  const fs::path packed = fs::path(own_program()).parent_path().parent_path() / "share/seamgate" / relative;
  return fs::exists(packed) ? packed : fs::path(SEAMGATE_SOURCE_DIR) / relative;
}

}  // namespace seamgate::gates
