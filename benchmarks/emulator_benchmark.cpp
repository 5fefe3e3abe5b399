// Time of the emulated RMSNorm forward and adjoint, 64 x 4096 f32: plain and checked.
// Bars of this repository on two cores: forward plain 8 ms, forward checked 30 ms.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

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

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown CPU";
}

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

// One line of results; false when a call failed.
template <class Call>
bool measure(const char* what, int workers, Call call) {
  const simt::ExecutionScope scope;
  simt::set_workers(workers);
  std::vector<double> ms;
  const std::clock_t cpu_begin = std::clock();
  for (int i = 0; i < repetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const kernels::Status status = call();
    const auto end = std::chrono::steady_clock::now();
    if (!status.ok()) {
      std::fprintf(stderr, "%s: %s\n", what, status.message.c_str());
      return false;
    }
    ms.push_back(std::chrono::duration<double, std::milli>(end - begin).count());
  }
  // Processor time of all workers: what the call costs, however busy the machine is with other things.
  const double cpu_ms =
      1e3 * static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC / static_cast<double>(ms.size());
  std::sort(ms.begin(), ms.end());
  std::printf("%-18s %d worker%s  median %6.2f ms  fastest %6.2f ms  of %d  processor %6.2f ms\n", what,
              workers, workers == 1 ? " " : "s", ms[repetitions / 2], ms.front(), repetitions, cpu_ms);
  return true;
}

bool measure_table(const char* forward, const char* adjoint, const kernels::KernelTable& table, int workers) {
  Problem problem;
  const auto bytes = static_cast<std::int64_t>(table.workspace_bytes(rows, columns, {}));
  Operand workspace("workspace", {std::max<std::int64_t>(bytes / 4, 1)}, 0.0);
  return measure(forward, workers, [&] { return problem.forward(table); }) &&
         measure(adjoint, workers, [&] { return problem.backward(table, workspace); });
}

}  // namespace

int main() {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::printf("machine: %s, %d cores, compiler %s\n", cpu_model().c_str(), cores, __VERSION__);
  std::printf("RMSNorm %lldx%lld f32 on the emulator\n", static_cast<long long>(rows),
              static_cast<long long>(columns));
  const kernels::KernelTable& plain = kernels::shipped_plain::rmsnorm_table();
  bool ok = measure_table("forward plain", "adjoint plain", plain, 1);
  if (cores > 1) ok = measure_table("forward plain", "adjoint plain", plain, cores) && ok;
#if SEAMGATE_HAS_CHECKED
  const simt::CheckerScope scope;
  ok =
      measure_table("forward checked", "adjoint checked", kernels::shipped_checked::rmsnorm_table(), 1) && ok;
  for (const simt::Finding& finding : scope.findings()) {
    std::fprintf(stderr, "%s\n", finding.message.c_str());
    ok = false;
  }
#endif
  return ok ? 0 : 1;
}
