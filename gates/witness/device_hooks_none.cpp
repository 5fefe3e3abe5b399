// A build without CUDA has nothing for a witness of a GPU to see.
#include "gates/witness/device_hooks.hpp"

namespace seamgate::gates {
namespace {

std::string not_built() { return "not built (this build has no CUDA part)"; }

}  // namespace

DeviceHooks gpu_hooks() { return {&not_built, &not_built}; }

}  // namespace seamgate::gates
