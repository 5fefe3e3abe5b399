// What a benchmark writes with --json FILE: its figures and the facts of the machine, so that a quoted figure
// can be held against them (the gate `quoted_figures`).
#pragma once

#include <stdlib.h>

#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "seamgate_source_facts.hpp"

namespace seamgate::benchmarks {

inline std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown CPU";
}

// The average number of running processes over the last minute; below 0 when the system does not say.
inline double load_1min() {
  double load = -1.0;
  if (::getloadavg(&load, 1) != 1) return -1.0;
  return load;
}

class Record {
 public:
  // The load is that of the start: at the end a benchmark sees its own.
  Record(std::string benchmark, std::string problem)
      : benchmark_(std::move(benchmark)), problem_(std::move(problem)), load_(load_1min()) {}

  // `unit` is one that documents use: ms, s, elements/s, GB/s, ...
  void add(const std::string& name, double value, const std::string& unit) {
    figures_.push_back({{"name", name}, {"value", value}, {"unit", unit}});
  }

  // Throws std::runtime_error when it cannot be written.
  void write(const std::string& path) const {
    char date[32];
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&now, &utc);
    std::strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    nlohmann::ordered_json figures = nlohmann::ordered_json::array();
    for (const auto& figure : figures_) figures.push_back(figure);
    const nlohmann::ordered_json record = {{"benchmark", benchmark_},
                                           {"problem", problem_},
                                           {"machine",
                                            {{"cpu", cpu_model()},
                                             {"cores", std::thread::hardware_concurrency()},
                                             {"compiler", __VERSION__},
                                             {"load_1min", load_}}},
                                           {"commit", source_facts::commit},
                                           {"dirty", source_facts::dirty},
                                           {"date", date},
                                           {"figures", figures}};
    std::ofstream out(path);
    out << record.dump(1) << '\n';
    if (!out.flush())
      throw std::runtime_error("--json is '" + path + "'; a file that can be written is needed");
  }

 private:
  std::string benchmark_;
  std::string problem_;
  double load_;
  std::vector<nlohmann::ordered_json> figures_;
};

// The file of `--json FILE`, empty without it. Throws std::invalid_argument for anything else.
inline std::string json_path(int argc, char** argv) {
  if (argc == 1) return {};
  if (argc == 3 && std::string_view(argv[1]) == "--json" && argv[2][0] != '\0') return argv[2];
  throw std::invalid_argument("argument is '" + std::string(argv[1]) + "'; allowed: --json FILE");
}

}  // namespace seamgate::benchmarks
