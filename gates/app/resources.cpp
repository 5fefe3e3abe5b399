// The GPUs that CTest has allotted to this test.
#include "gates/app/resources.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <utility>

namespace seamgate::gates {

std::string uuid_of_resource(const std::string& id) {
  for (const auto& [from, to] : {std::pair{"gpu_", "GPU-"}, std::pair{"mig_", "MIG-"}}) {
    if (!id.starts_with(from)) continue;
    std::string rest = id.substr(4);
    std::replace(rest.begin(), rest.end(), '_', '-');
    return to + rest;
  }
  return id.find_first_not_of("0123456789") == std::string::npos ? id : "";
}

void take_allotted_gpus() {
  const char* groups = std::getenv("CTEST_RESOURCE_GROUP_COUNT");
  if (groups == nullptr) return;
  std::set<std::string> seen;
  std::string visible;
  for (int group = 0; group < std::atoi(groups); ++group) {
    const std::string name = "CTEST_RESOURCE_GROUP_" + std::to_string(group) + "_GPUS";
    const char* allotted = std::getenv(name.c_str());
    // "id:gpu_0b5c,slots:1"; several are separated by semicolons.
    std::string rest = allotted == nullptr ? "" : allotted;
    while (!rest.empty()) {
      const auto end = std::min(rest.find(';'), rest.size());
      const std::string one = rest.substr(0, end);
      rest.erase(0, end + 1);
      const std::string id = one.starts_with("id:") ? one.substr(3, one.find(',') - 3) : "";
      const std::string uuid = uuid_of_resource(id);
      if (uuid.empty()) throw std::invalid_argument(name + " is '" + allotted + "'; allowed: id:gpu_..., id:mig_... or a number");
      if (seen.insert(uuid).second) visible += (visible.empty() ? "" : ",") + uuid;
    }
  }
  if (!visible.empty()) ::setenv("CUDA_VISIBLE_DEVICES", visible.c_str(), 1);
}

}  // namespace seamgate::gates
