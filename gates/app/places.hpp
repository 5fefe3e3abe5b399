// Where the files are that the program needs beside itself: in a package or a packed tree, or in the sources it was built of.
#pragma once

#include <filesystem>
#include <string>

namespace seamgate::gates {

// `relative` is a path within the sources, such as "fixtures/data": ../share/seamgate/`relative` from the program's folder where
// that exists, else the one in the sources, which may not.
std::filesystem::path find_beside_program(const std::string& relative);

}  // namespace seamgate::gates
