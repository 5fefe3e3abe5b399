// NVML by dlopen.
#include "seam/nvml.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

namespace seamgate::seam {
namespace {

// nvmlReturn_t
constexpr int success = 0;
constexpr int insufficient_size = 7;
constexpr int driver_not_loaded = 9;

struct Memory {  // nvmlMemory_v2_t
  std::uint32_t version = 0;
  std::uint64_t total = 0, reserved = 0, free = 0, used = 0;
};
static_assert(sizeof(Memory) == 40);
constexpr std::uint32_t memory_version = sizeof(Memory) | (2U << 24U);

struct Process {  // nvmlProcessInfo_t of the entry points with _v2 and _v3
  std::uint32_t pid = 0;
  std::uint64_t bytes = 0;
  std::uint32_t gpu_instance = 0, compute_instance = 0;
};
static_assert(sizeof(Process) == 24);
constexpr std::uint64_t not_available = ~std::uint64_t{0};

constexpr int sm_clock = 1;
constexpr int memory_clock = 2;

}  // namespace

struct Nvml::Calls {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  const char* (*error_string)(int) = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*by_index)(unsigned, void**) = nullptr;
  int (*by_uuid)(const char*, void**) = nullptr;
  int (*uuid)(void*, char*, unsigned) = nullptr;
  int (*name)(void*, char*, unsigned) = nullptr;
  int (*memory)(void*, Memory*) = nullptr;
  int (*processes)(void*, unsigned*, Process*) = nullptr;
  int (*clock)(void*, int, unsigned*) = nullptr;
  int (*most_clock)(void*, int, unsigned*) = nullptr;
};

namespace {

template <class Function>
void look_up(void* handle, const char* symbol, Function& function, const std::string& path) {
  function = reinterpret_cast<Function>(::dlsym(handle, symbol));
  if (function == nullptr) throw NvmlError("NVML: " + path + " has no " + symbol + "; the driver is too old");
}

}  // namespace

Nvml::Nvml() {
  const char* chosen = std::getenv("SEAMGATE_NVML");
  path_ = chosen != nullptr && *chosen != '\0' ? chosen : "libnvidia-ml.so.1";
  void* handle = ::dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);  // never closed
  if (handle == nullptr) throw NoGpu(std::string("no GPU: no driver: NVML cannot be loaded: ") + ::dlerror());
  auto calls = std::make_unique<Calls>();
  look_up(handle, "nvmlInit_v2", calls->init, path_);
  look_up(handle, "nvmlShutdown", calls->shutdown, path_);
  look_up(handle, "nvmlErrorString", calls->error_string, path_);
  look_up(handle, "nvmlSystemGetDriverVersion", calls->driver_version, path_);
  look_up(handle, "nvmlDeviceGetCount_v2", calls->count, path_);
  look_up(handle, "nvmlDeviceGetHandleByIndex_v2", calls->by_index, path_);
  look_up(handle, "nvmlDeviceGetHandleByUUID", calls->by_uuid, path_);
  look_up(handle, "nvmlDeviceGetUUID", calls->uuid, path_);
  look_up(handle, "nvmlDeviceGetName", calls->name, path_);
  look_up(handle, "nvmlDeviceGetMemoryInfo_v2", calls->memory, path_);
  look_up(handle, "nvmlDeviceGetComputeRunningProcesses_v3", calls->processes, path_);
  look_up(handle, "nvmlDeviceGetClockInfo", calls->clock, path_);
  look_up(handle, "nvmlDeviceGetMaxClockInfo", calls->most_clock, path_);
  const int result = calls->init();
  const char* said = calls->error_string(result);
  if (result == driver_not_loaded) throw NoGpu("no GPU: no driver: NVML says " + std::string(said == nullptr ? "?" : said));
  if (result != success) throw NvmlError("NVML: nvmlInit_v2: " + std::string(said == nullptr ? "?" : said));
  calls_ = calls.release();
}

Nvml::~Nvml() {
  (void)calls_->shutdown();
  delete calls_;
}

void Nvml::must(int result, const char* call) const {
  if (result == success) return;
  const char* said = calls_->error_string(result);
  throw NvmlError(std::string("NVML: ") + call + ": " + (said == nullptr ? "?" : said) + " (" + std::to_string(result) + ")");
}

void* Nvml::device(const std::string& uuid) const {
  void* found = nullptr;
  must(calls_->by_uuid(uuid.c_str(), &found), "nvmlDeviceGetHandleByUUID");
  return found;
}

std::vector<std::string> Nvml::uuids() const {
  unsigned count = 0;
  must(calls_->count(&count), "nvmlDeviceGetCount_v2");
  std::vector<std::string> all;
  for (unsigned i = 0; i < count; ++i) {
    void* gpu = nullptr;
    std::array<char, 96> uuid{};
    must(calls_->by_index(i, &gpu), "nvmlDeviceGetHandleByIndex_v2");
    must(calls_->uuid(gpu, uuid.data(), uuid.size()), "nvmlDeviceGetUUID");
    all.emplace_back(uuid.data());
  }
  return all;
}

std::vector<GpuProcess> Nvml::processes(const std::string& uuid) const {
  void* gpu = device(uuid);
  std::vector<Process> listed(32);
  unsigned count = 0;
  int result = insufficient_size;
  for (int attempt = 0; attempt < 5 && result == insufficient_size; ++attempt) {  // their number may grow meanwhile
    listed.resize(std::max<std::size_t>(listed.size(), 2U * count));
    count = static_cast<unsigned>(listed.size());
    result = calls_->processes(gpu, &count, listed.data());
  }
  must(result, "nvmlDeviceGetComputeRunningProcesses_v3");
  std::vector<GpuProcess> all;
  for (unsigned i = 0; i < count; ++i) {
    const bool known = listed[i].bytes != not_available;
    all.push_back({listed[i].pid, known ? listed[i].bytes : 0, known});
  }
  return all;
}

std::uint64_t Nvml::used_bytes(const std::string& uuid) const {
  Memory memory;
  memory.version = memory_version;
  must(calls_->memory(device(uuid), &memory), "nvmlDeviceGetMemoryInfo_v2");
  return memory.used;
}

GpuFacts Nvml::facts(const std::string& uuid) const {
  GpuFacts facts;
  facts.uuid = uuid;
  void* gpu = device(uuid);
  std::array<char, 96> name{};
  must(calls_->name(gpu, name.data(), name.size()), "nvmlDeviceGetName");
  facts.name = name.data();
  if (calls_->clock(gpu, sm_clock, &facts.sm_clock_mhz) != success) facts.sm_clock_mhz = 0;
  if (calls_->most_clock(gpu, sm_clock, &facts.sm_clock_most_mhz) != success) facts.sm_clock_most_mhz = 0;
  if (calls_->clock(gpu, memory_clock, &facts.memory_clock_mhz) != success) facts.memory_clock_mhz = 0;
  return facts;
}

std::string Nvml::driver_version() const {
  std::array<char, 96> version{};
  must(calls_->driver_version(version.data(), version.size()), "nvmlSystemGetDriverVersion");
  return version.data();
}

}  // namespace seamgate::seam
