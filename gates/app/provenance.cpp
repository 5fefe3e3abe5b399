// Where a verdict comes from.
#include "gates/app/provenance.hpp"

#include <sys/utsname.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "gates/app/spawn.hpp"
#include "seam/gpu_lease.hpp"
#include "seamgate_source_facts.hpp"

namespace seamgate::gates {
namespace {

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

std::string in_mhz(std::uint32_t mhz) { return mhz == 0 ? "unknown" : std::to_string(mhz) + " MHz"; }

// Of the first visible GPU, by NVML: no context is made for it. Empty texts where there is none, and why.
nlohmann::ordered_json gpu_facts() {
  nlohmann::ordered_json facts = {{"gpu", ""}, {"gpu_uuid", ""}, {"driver", ""}, {"gpu_clocks", ""}, {"gpu_note", ""}};
  try {
    const seam::Nvml nvml;
    facts["driver"] = nvml.driver_version();
    const auto gpu = nvml.facts(seam::visible_gpus(nvml).front());
    facts["gpu"] = gpu.name;
    facts["gpu_uuid"] = seam::shortened(gpu.uuid);
    facts["gpu_clocks"] = "SM " + in_mhz(gpu.sm_clock_mhz) + " of " + in_mhz(gpu.sm_clock_most_mhz) + ", memory " + in_mhz(gpu.memory_clock_mhz);
    if (std::getenv("SEAMGATE_NVML") != nullptr) facts["gpu_note"] = "NVML is " + nvml.path();
  } catch (const seam::NvmlError& error) {
    facts["gpu_note"] = error.what();
  }
  return facts;
}

}  // namespace

std::string output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
  if (pipe == nullptr) return {};
  std::string text;
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe.get()) != nullptr) text += buffer;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

nlohmann::ordered_json provenance_of_program() {
  return {{"version", SEAMGATE_VERSION},
          {"commit", source_facts::commit},
          {"dirty", source_facts::dirty},
          {"source_sha256", source_facts::sources_sha256},
          {"kernel_sources_sha256", source_facts::kernel_sources_sha256},
          {"gate_sources_sha256", source_facts::gate_sources_sha256},
          {"binary_sha256", output_of("sha256sum '" + own_program() + "' 2>/dev/null | cut -c1-64")}};
}

nlohmann::ordered_json provenance_json() {
  utsname system{};
  ::uname(&system);
  nlohmann::ordered_json facts = provenance_of_program();
  facts.update({{"compiler", SEAMGATE_COMPILER},
                {"flags", SEAMGATE_FLAGS},
                {"cuda_toolkit", SEAMGATE_CUDA_TOOLKIT},
                {"machine", cpu_model() + ", " + std::to_string(std::thread::hardware_concurrency()) + " cores, " + system.sysname +
                                " " + system.machine},
                {"started_at", now_utc()}});
  facts.update(gpu_facts());
  return facts;
}

}  // namespace seamgate::gates
