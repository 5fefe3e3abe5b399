// Throughput of truth: outputs and both gradients of RMSNorm in quad, 64 x 4096.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/record.hpp"
#include "reference/op_definition.hpp"

namespace {

// Any values do: quad arithmetic takes the same time for all ordinary numbers.
std::vector<float> values(std::size_t count, double step) {
  std::vector<float> all(count);
  for (std::size_t i = 0; i < count; ++i)
    all[i] = static_cast<float>(std::sin(1.0 + step * static_cast<double>(i)));
  return all;
}

struct Seconds {
  double median = 0.0;
  double processor = 0.0;  // of all threads, a repetition: what it costs, however busy the machine is
};

Seconds measure(const seamgate::reference::OpDefinition& op, const seamgate::reference::TruthRequest& request,
                int repetitions) {
  std::vector<double> seconds;
  const std::clock_t cpu_begin = std::clock();
  for (int i = 0; i < repetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const auto truth = op.evaluate(request);
    const auto end = std::chrono::steady_clock::now();
    if (truth.outputs.at(0).size() == 0) return {};
    seconds.push_back(std::chrono::duration<double>(end - begin).count());
  }
  const double processor = static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC / repetitions;
  std::nth_element(seconds.begin(), seconds.begin() + repetitions / 2, seconds.end());
  return {seconds[static_cast<std::size_t>(repetitions / 2)], processor};
}

int benchmark(const std::string& json_path) {
  constexpr std::int64_t rows = 64;
  constexpr std::int64_t columns = 4096;
  constexpr int repetitions = 9;
  const auto x = values(rows * columns, 0.37);
  const auto gy = values(rows * columns, 0.73);
  const auto w = values(columns, 0.11);
  seamgate::reference::TruthRequest request{
      rows, columns, {{x.data(), columns}, {w.data(), 0}}, {{gy.data(), columns}}, {"torch", 1e-6F}, true, 0};
  const auto& op = seamgate::reference::find_definition("rmsnorm");

  std::printf("machine: %s, %u cores, load %.2f, compiler %s\n", seamgate::benchmarks::cpu_model().c_str(),
              std::thread::hardware_concurrency(), seamgate::benchmarks::load_1min(), __VERSION__);
  seamgate::benchmarks::Record record(
      "truth", "RMSNorm " + std::to_string(rows) + "x" + std::to_string(columns) + " in quad");
  for (const bool gradients : {true, false}) {
    for (const int threads : {1, 0}) {
      request.wants_gradients = gradients;
      request.threads = threads;
      const Seconds seconds = measure(op, request, repetitions);
      const double rate = static_cast<double>(rows * columns) / seconds.median;
      std::printf("truth %lldx%lld %s, %s: median %.1f ms of %d, processor %.1f ms, %.2f M elements/s\n",
                  static_cast<long long>(rows), static_cast<long long>(columns),
                  gradients ? "outputs and gradients" : "outputs alone",
                  threads == 1 ? "one thread" : "all cores", seconds.median * 1e3, repetitions,
                  seconds.processor * 1e3, rate / 1e6);
      const std::string name =
          std::string(gradients ? "gradients" : "outputs") + (threads == 1 ? "_one_thread" : "_all_cores");
      record.add(name + "_median", seconds.median * 1e3, "ms");
      record.add(name + "_processor", seconds.processor * 1e3, "ms");
      record.add(name + "_rate", rate, "elements/s");
    }
  }
  if (!json_path.empty()) record.write(json_path);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return benchmark(seamgate::benchmarks::json_path(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "truth_benchmark: %s\n", error.what());
    return 64;
  }
}
