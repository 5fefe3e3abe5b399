// Time of the emulated RMSNorm forward and adjoint, 64 x 4096 f32: plain and checked.
// Exits 1 when a call fails or the checked kernels have findings; a forward over its bar is said, not judged.
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
#include "kernels/common/kernel_api.hpp"
#include "kernels/simt/buffers.hpp"
#include "kernels/simt/checker.hpp"
#include "kernels/simt/launch_log.hpp"
#include "kernels/simt/schedule.hpp"

namespace seamgate::kernels {
namespace shipped_plain {
const KernelTable& rmsnorm_table();
}
#if SEAMGATE_HAS_CHECKED
namespace shipped_checked {
const KernelTable& rmsnorm_table();
}
#endif
}  // namespace seamgate::kernels

namespace {

using namespace seamgate;

constexpr std::int64_t rows = 64;
constexpr std::int64_t columns = 4096;
constexpr int repetitions = 41;
constexpr double forward_plain_bar_ms = 8.0;
constexpr double forward_checked_bar_ms = 30.0;

// A registered device buffer with some values.
struct Operand {
  Operand(const char* name, std::vector<std::int64_t> shape, double step) {
    view.rank = static_cast<int>(shape.size());
    std::int64_t stride = 1;
    for (int i = view.rank; i-- > 0;) {
      view.shape[i] = shape[i];
      view.strides[i] = stride;
      stride *= shape[i];
    }
    values.resize(static_cast<std::size_t>(stride));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(std::sin(1.0 + step * static_cast<double>(i)));
    }
    view.data = values.data();
    simt::buffers().add(view.data, values.size() * sizeof(float), name);
  }
  ~Operand() { simt::buffers().remove(view.data); }
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;

  std::vector<float> values;
  kernels::View view;
};

struct Problem {
  Operand x{"x", {rows, columns}, 0.37};
  Operand w{"w", {columns}, 0.11};
  Operand gy{"gy", {rows, columns}, 0.73};
  Operand y{"y", {rows, columns}, 0.0};
  Operand rstd{"rstd", {rows}, 0.0};
  Operand dx{"dx", {rows, columns}, 0.0};
  Operand dw{"dw", {columns}, 0.0};
  kernels::Attributes attributes{"torch", 1e-6F};

  kernels::Status forward(const kernels::KernelTable& table) {
    const kernels::View inputs[] = {x.view, w.view};
    return table.forward({inputs, {&y.view, 1}, {&rstd.view, 1}, attributes, {}, nullptr});
  }

  kernels::Status backward(const kernels::KernelTable& table, Operand& workspace) {
    const kernels::View inputs[] = {x.view, w.view};
    const kernels::View grads[] = {dx.view, dw.view};
    return table.backward(
        {inputs, {&rstd.view, 1}, {&gy.view, 1}, grads, workspace.view, attributes, {}, nullptr});
  }
};

// One line of results, and two figures of the record; false when a call failed.
template <class Call>
bool measure(benchmarks::Record& record, const std::string& what, int workers, double bar_ms, Call call) {
  const simt::ExecutionScope scope;
  simt::set_workers(workers);
  std::vector<double> ms;
  const std::clock_t cpu_begin = std::clock();
  for (int i = 0; i < repetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const kernels::Status status = call();
    const auto end = std::chrono::steady_clock::now();
    if (!status.ok()) {
      std::fprintf(stderr, "%s: %s\n", what.c_str(), status.message.c_str());
      return false;
    }
    ms.push_back(std::chrono::duration<double, std::milli>(end - begin).count());
  }
  // Processor time of all workers: what the call costs, however busy the machine is with other things.
  const double cpu_ms =
      1e3 * static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC / static_cast<double>(ms.size());
  std::sort(ms.begin(), ms.end());
  const double median = ms[repetitions / 2];
  std::printf("%-18s %d worker%s  median %6.2f ms  fastest %6.2f ms  of %d  processor %6.2f ms%s\n",
              what.c_str(), workers, workers == 1 ? " " : "s", median, ms.front(), repetitions, cpu_ms,
              bar_ms > 0 && median > bar_ms ? "  OVER ITS BAR" : "");
  std::string name = what + (workers == 1 ? "" : "_all_cores");
  std::replace(name.begin(), name.end(), ' ', '_');
  record.add(name + "_median", median, "ms");
  record.add(name + "_processor", cpu_ms, "ms");
  return true;
}

bool measure_table(benchmarks::Record& record, const std::string& build, double forward_bar_ms,
                   const kernels::KernelTable& table, int workers) {
  Problem problem;
  const auto bytes = static_cast<std::int64_t>(table.workspace_bytes(rows, columns, {}));
  Operand workspace("workspace", {std::max<std::int64_t>(bytes / 4, 1)}, 0.0);
  return measure(record, "forward " + build, workers, forward_bar_ms,
                 [&] { return problem.forward(table); }) &&
         measure(record, "adjoint " + build, workers, 0.0,
                 [&] { return problem.backward(table, workspace); });
}

int benchmark(const std::string& json_path) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::printf("machine: %s, %d cores, load %.2f, compiler %s\n", benchmarks::cpu_model().c_str(), cores,
              benchmarks::load_1min(), __VERSION__);
  const std::string problem =
      "RMSNorm " + std::to_string(rows) + "x" + std::to_string(columns) + " f32 on the emulator";
  std::printf("%s\n", problem.c_str());
  benchmarks::Record record("emulator", problem);
  const kernels::KernelTable& plain = kernels::shipped_plain::rmsnorm_table();
  bool ok = measure_table(record, "plain", forward_plain_bar_ms, plain, 1);
  if (cores > 1) ok = measure_table(record, "plain", forward_plain_bar_ms, plain, cores) && ok;
#if SEAMGATE_HAS_CHECKED
  const simt::CheckerScope scope;
  ok = measure_table(record, "checked", forward_checked_bar_ms, kernels::shipped_checked::rmsnorm_table(),
                     1) &&
       ok;
  for (const simt::Finding& finding : scope.findings()) {
    std::fprintf(stderr, "%s\n", finding.message.c_str());
    ok = false;
  }
#endif
  if (ok && !json_path.empty()) record.write(json_path);
  return ok ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return benchmark(benchmarks::json_path(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "emulator_benchmark: %s\n", error.what());
    return 64;
  }
}
