// A library of somebody else's, opened in this process.
#include "gates/plugin/library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "gates/plugin/process_state.hpp"

namespace seamgate::gates::plugin {
namespace {

constexpr const char* symbol = "seamgate_kernel";
constexpr std::int32_t most_kernels = 1000;

std::string loader_error() {
  const char* text = ::dlerror();
  std::string line = text == nullptr ? "no reason was given" : text;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace

const seamgate_library& open_library(const std::string& path) {
  const auto refuse = [&](const std::string& what) {
    throw std::invalid_argument("library '" + path + "': " + what);
  };
  if (!std::filesystem::exists(path)) refuse("no such file; allowed: a shared library");
  const ProcessState before;
  // A path with a slash: without one the loader would look elsewhere.
  void* handle = ::dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) refuse("it cannot be loaded: " + loader_error());
  using Entry = const seamgate_library* (*)();
  const auto entry = reinterpret_cast<Entry>(::dlsym(handle, symbol));
  if (entry == nullptr)
    refuse("it does not export " + std::string(symbol) +
           "; expected: const seamgate_library* seamgate_kernel(void), see seamgate/kernel.h");
  const seamgate_library* library = entry();
  note_disturbances("loading the library", before.restore());
  if (library == nullptr) refuse("seamgate_kernel() returned null; expected: a description");
  if (library->abi_version != SEAMGATE_ABI_VERSION) {
    refuse("its abi_version is " + std::to_string(library->abi_version) + "; this seamgate reads " +
           std::to_string(SEAMGATE_ABI_VERSION) + " (SEAMGATE_ABI_VERSION)");
  }
  if (library->kernel_bytes != sizeof(seamgate_kernel_info)) {
    refuse("its kernel_bytes is " + std::to_string(library->kernel_bytes) +
           "; expected sizeof(seamgate_kernel_info), " + std::to_string(sizeof(seamgate_kernel_info)) +
           ": it was built with another seamgate/kernel.h");
  }
  if (library->kernels == nullptr || library->kernel_count < 1 || library->kernel_count > most_kernels) {
    refuse("it describes " + std::to_string(library->kernel_count) + " kernels; allowed: 1 to " +
           std::to_string(most_kernels));
  }
  return *library;
}

}  // namespace seamgate::gates::plugin
