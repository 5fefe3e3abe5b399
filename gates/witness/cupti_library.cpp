// CUPTI by dlopen.
#include "gates/witness/cupti_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

#include "gates/witness/witness.hpp"

namespace seamgate::gates {
namespace {

constexpr const char* file_name = "libcupti.so.13";

std::vector<std::string> places() {
  std::vector<std::string> result = {file_name};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* root = std::getenv(variable)) {
      for (const char* folder : {"/lib64/", "/extras/CUPTI/lib64/", "/lib/"}) result.push_back(root + std::string(folder) + file_name);
    }
  }
  for (const char* folder : {"lib64/", "extras/CUPTI/lib64/", "lib/"}) result.push_back("/usr/local/cuda/" + std::string(folder) + file_name);
  return result;
}

template <class Function>
void look_up(void* handle, const char* symbol, Function& function, const std::string& path) {
  function = reinterpret_cast<Function>(::dlsym(handle, symbol));
  if (function == nullptr) throw NoWitness(path + " has no " + symbol);
}

void refuse_beside_other_tools() {
  for (const char* variable : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"}) {
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') {
      throw NoWitness("another tool is in this process (" + std::string(variable) + "=" + value + ")");
    }
  }
  if (std::getenv("SEAMGATE_UNDER_TOOL") != nullptr) throw NoWitness("it is taken by the tool that this process runs under");
}

}  // namespace

std::string CuptiLibrary::error_of(cupti::Result result, const char* call) const {
  if (result == cupti::success) return {};
  const char* name = nullptr;
  if (get_result_string(result, &name) != cupti::success || name == nullptr) name = "unknown";
  return std::string(call) + ": " + name + " (" + std::to_string(result) + ")";
}

CuptiLibrary CuptiLibrary::open(const std::string& path) {
  // Never closed: CUPTI has threads and callbacks of its own.
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw NoWitness(std::string("CUPTI cannot be loaded: ") + ::dlerror());
  CuptiLibrary library;
  library.path_ = path;
  look_up(handle, "cuptiGetVersion", library.get_version, path);
  std::uint32_t version = 0;
  if (library.get_version(&version) != cupti::success) throw NoWitness(path + " does not tell its version");
  if (version < cupti::first_version || version > cupti::last_version) {
    throw NoWitness("CUPTI is of version " + std::to_string(version) + " (" + path + "); allowed: " + std::to_string(cupti::first_version) +
                    " to " + std::to_string(cupti::last_version));
  }
  look_up(handle, "cuptiGetResultString", library.get_result_string, path);
  look_up(handle, "cuptiSubscribe", library.subscribe, path);
  look_up(handle, "cuptiUnsubscribe", library.unsubscribe, path);
  look_up(handle, "cuptiActivityRegisterCallbacks", library.register_callbacks, path);
  look_up(handle, "cuptiActivityEnable", library.enable, path);
  look_up(handle, "cuptiActivityDisable", library.disable, path);
  look_up(handle, "cuptiActivityFlushAll", library.flush_all, path);
  look_up(handle, "cuptiActivityGetNextRecord", library.next_record, path);
  look_up(handle, "cuptiActivityGetNumDroppedRecords", library.dropped_records, path);
  return library;
}

CuptiLibrary CuptiLibrary::open_in_this_environment() {
  refuse_beside_other_tools();
  if (const char* chosen = std::getenv("SEAMGATE_CUPTI"); chosen != nullptr && *chosen != '\0') return open(chosen);
  std::string looked;
  for (const auto& place : places()) {
    if (void* handle = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      ::dlclose(handle);  // open() holds it
      return open(place);
    }
    looked += (looked.empty() ? "" : ", ") + place;
  }
  throw NoWitness("CUPTI was not found (looked for " + looked + "; SEAMGATE_CUPTI names it)");
}

}  // namespace seamgate::gates
