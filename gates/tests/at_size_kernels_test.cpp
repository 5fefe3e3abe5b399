// The kernels that judge large tensors on a GPU, on the emulator.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "gates/at_size/agreement.hpp"
#include "gates/at_size/launch.hpp"
#include "gates/kernel_run.hpp"
#include "gates/tests/at_size_case.hpp"
#include "pages_at_size.hpp"

namespace seamgate::gates {
namespace {

// What a GPU runs, on the emulator: the same kernels, a warp for a row.
struct Emulated {
  static constexpr std::int64_t sum_threads =
      100;  // so that a stretch has several rows, and the last one fewer

  static void* allocate(std::size_t bytes) { return std::malloc(bytes); }
  static void release(void* data) { std::free(data); }
  static void read(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
  template <auto Kernel>
  static unsigned blocks() {
    return 2;
  }
  struct Stopwatch {
    static double seconds() { return 1.0; }
  };
};

EvaluationAtSize emulated_kernels(const std::string& op, const ProblemAtSize& problem) {
  return with_page_at_size(op, [&]<class Page>() { return at_size::by_kernels<Emulated, Page>(problem); });
}

void expect_same(const std::vector<WorstAtSize>& got, const std::vector<WorstAtSize>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    EXPECT_NEAR(got[k].error, want[k].error, 1e-12 * want[k].error) << k;
    EXPECT_EQ(got[k].row, want[k].row) << k;
    EXPECT_EQ(got[k].column, want[k].column) << k;
    EXPECT_EQ(got[k].slices_over, want[k].slices_over) << k;
    EXPECT_EQ(got[k].slices, want[k].slices) << k;
  }
}

TEST(AtSize, TheKernelsOfAGpuSayOnTheEmulatorWhatTheHostSays) {
  for_ops([](const OpTraits& op, DType dtype) {
    for (const auto& [rows, columns] : {std::pair{41, 7}, std::pair{5, 33}, std::pair{67, 300}}) {
      const Case c = case_of(op, rows, columns, dtype);
      const auto run = launched(op, c);
      run->set_output(0, rows - 1, columns - 1, 7.5F);
      run->set_gradient(op.contract().inputs.size() - 1, rows / 2, columns / 2, 1e6F);
      const std::vector<std::int64_t> some = {0, 3, rows - 1};
      const auto got = emulated_kernels(op.name, run->problem(bar, some));
      const auto want = find_page_at_size(op.name)->on_host(run->problem(bar, some));
      expect_same(got.outputs, want.outputs);
      expect_same(got.gradients, want.gradients);
      EXPECT_EQ(got.outputs[0].slices_over, 1);
      const auto truth = [&] {
        HostCase host;
        Case few = c;
        few.shape = {static_cast<std::int64_t>(some.size()), columns};
        for (std::size_t i = 0; i < op.contract().inputs.size(); ++i) {
          host.inputs.push_back(run->mapped_rows(run->input_maps()[i], op.contract().inputs[i].extent, some));
        }
        for (std::size_t j = 0; j < op.contract().outputs.size(); ++j) {
          host.upstream.push_back(
              run->mapped_rows(run->upstream_maps()[j], op.contract().outputs[j].extent, some));
        }
        return evaluate_truth(op, few, host);
      }();
      for (std::size_t j = 0; j < truth.outputs.size(); ++j) {
        EXPECT_TRUE(agreement_of(truth.outputs[j], got.sampled_outputs[j]).holds()) << j;
      }
      for (std::size_t i = 0; i < truth.gradients.size(); ++i) {
        const auto agreement = agreement_of(truth.gradients[i], got.sampled_gradients[i]);
        EXPECT_TRUE(agreement.holds()) << i << ": " << agreement.str();
      }
    }
  });
}

}  // namespace
}  // namespace seamgate::gates
