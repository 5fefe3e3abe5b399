// A stand-in for libnvidia-ml.so.1 with one GPU, for the gate `gpu_lease` and tests. What it answers is said by
// SEAMGATE_STAND_IN_NVML, or, where that is "@PATH", by the first line of that file at each call:
//   free                idle: 4 MiB in use, no process
//   process PID MIB     a compute process; its memory is part of what is in use
//   memory MIB          in use, by nobody that is named
//   masked MIB          a process of id 0 that hides its memory, as in a container
//   hidden              processes: Not Supported
//   memory_error        memory: GPU is lost
//   no_driver, init_error, no_gpus
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace {

constexpr const char* the_uuid = "GPU-57a7d1e5-0000-4000-8000-000000000001";

struct Memory {
  std::uint32_t version;
  std::uint64_t total, reserved, free, used;
};
struct Process {
  std::uint32_t pid;
  std::uint64_t bytes;
  std::uint32_t gpu_instance, compute_instance;
};

struct Mode {
  std::string word = "free";
  std::uint64_t first = 0, second = 0;
};

Mode mode() {
  const char* said = std::getenv("SEAMGATE_STAND_IN_NVML");
  std::string text = said == nullptr ? "free" : said;
  if (text.starts_with('@')) {
    std::ifstream file(text.substr(1));
    std::getline(file, text);
  }
  Mode mode;
  std::istringstream(text) >> mode.word >> mode.first >> mode.second;
  return mode;
}

int put(const char* text, char* to, unsigned size) {
  std::snprintf(to, size, "%s", text);
  return 0;
}

}  // namespace

extern "C" {

int nvmlInit_v2() { return mode().word == "no_driver" ? 9 : mode().word == "init_error" ? 999 : 0; }
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int result) {
  switch (result) {
    case 0:
      return "Success";
    case 3:
      return "Not Supported";
    case 6:
      return "Not Found";
    case 9:
      return "Driver Not Loaded";
    case 15:
      return "GPU is lost";
    default:
      return "Unknown Error";
  }
}
int nvmlSystemGetDriverVersion(char* to, unsigned size) { return put("000.00 (stand-in)", to, size); }
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = mode().word == "no_gpus" ? 0 : 1;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned, void** gpu) {
  *gpu = const_cast<char*>(the_uuid);
  return 0;
}
int nvmlDeviceGetHandleByUUID(const char* uuid, void** gpu) {
  *gpu = const_cast<char*>(the_uuid);
  return std::strcmp(uuid, the_uuid) == 0 ? 0 : 6;
}
int nvmlDeviceGetUUID(void*, char* to, unsigned size) { return put(the_uuid, to, size); }
int nvmlDeviceGetName(void*, char* to, unsigned size) { return put("stand-in GPU", to, size); }

int nvmlDeviceGetMemoryInfo_v2(void*, Memory* memory) {
  const Mode now = mode();
  if (now.word == "memory_error") return 15;
  const std::uint64_t mib = now.word == "process" ? now.second : now.word == "memory" || now.word == "masked" ? now.first : 0;
  memory->total = std::uint64_t{143771} << 20U;
  memory->reserved = 0;
  memory->used = (4 + mib) << 20U;
  memory->free = memory->total - memory->used;
  return 0;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, Process* processes) {
  const Mode now = mode();
  if (now.word == "hidden") return 3;
  const unsigned room = *count;
  *count = now.word == "process" || now.word == "masked" ? 1 : 0;
  if (*count > room) return 7;
  if (now.word == "process") processes[0] = {static_cast<std::uint32_t>(now.first), now.second << 20U, 0, 0};
  if (now.word == "masked") processes[0] = {0, ~std::uint64_t{0}, 0, 0};
  return 0;
}

int nvmlDeviceGetClockInfo(void*, int, unsigned* mhz) {
  *mhz = 345;
  return 0;
}
int nvmlDeviceGetMaxClockInfo(void*, int, unsigned* mhz) {
  *mhz = 1980;
  return 0;
}

}  // extern "C"
