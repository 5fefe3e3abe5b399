// Truth at size, played on the host: pages against float128, and whole large runs on the emulator's kernels.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gates/at_size/agreement.hpp"
#include "gates/at_size/on_host.hpp"
#include "gates/kernel_run.hpp"
#include "gates/tests/at_size_case.hpp"
#include "reference/rmsnorm_at_size.hpp"

namespace seamgate::gates {
namespace {

TEST(AtSize, EveryPageAgreesWithFloat128) {
  for_ops([](const OpTraits& op, DType dtype) {
    const Case c = case_of(op, 11, 133, dtype);
    const auto run = launched(op, c);
    const auto page = find_page_at_size(op.name)->on_host(run->problem(bar, all_rows(c)));
    const auto truth = evaluate_truth(op, c, make_host_case(op, c));
    for (std::size_t j = 0; j < truth.outputs.size(); ++j) {
      const auto agreement = agreement_of(truth.outputs[j], page.sampled_outputs[j]);
      EXPECT_TRUE(agreement.holds()) << truth.outputs[j].name() << ": " << agreement.str();
    }
    for (std::size_t i = 0; i < truth.gradients.size(); ++i) {
      const auto agreement = agreement_of(truth.gradients[i], page.sampled_gradients[i]);
      EXPECT_TRUE(agreement.holds()) << "gradient " << i << ": " << agreement.str();
    }
  });
}

// The largest error and its place are those of the comparison with truth that every other gate makes.
TEST(AtSize, TheWorstErrorIsTheOneOfEveryOtherGate) {
  for_ops([](const OpTraits& op, DType dtype) {
    const Case c = case_of(op, 37, 130, dtype);
    const auto run = launched(op, c);
    const auto page = find_page_at_size(op.name)->on_host(run->problem(bar, {0}));
    KernelRun small(op, emulated(op), Machine::cpu_plain, c, make_host_case(op, c));
    ASSERT_TRUE(small.forward().ok());
    ASSERT_TRUE(small.backward().ok());
    const auto truth = evaluate_truth(op, c, small.host());
    const auto expect = [&](const reference::TruthTensor& tensor, const std::vector<float>& got,
                            const WorstAtSize& worst) {
      const auto want = tensor.worst_error(got);
      EXPECT_NEAR(worst.error, want.error, 1e-9 * want.error + 1e-25) << tensor.name();
      EXPECT_EQ(worst.slices_over, 0) << tensor.name();
      if (want.error == 0) return;
      const auto index = static_cast<std::int64_t>(want.index);
      const bool per_column = tensor.extent() == reference::Extent::columns;
      EXPECT_EQ(worst.column, index % c.columns()) << tensor.name();
      EXPECT_EQ(worst.row, per_column ? -1 : index / c.columns()) << tensor.name();
      EXPECT_EQ(worst.slices, per_column ? c.columns() : c.rows());
    };
    for (std::size_t j = 0; j < truth.outputs.size(); ++j)
      expect(truth.outputs[j], small.output(j), page.outputs[j]);
    for (std::size_t i = 0; i < truth.gradients.size(); ++i)
      expect(truth.gradients[i], small.gradient(i), page.gradients[i]);
  });
}

TEST(AtSize, AWrongElementIsFoundWhereItIs) {
  for_ops([](const OpTraits& op, DType dtype) {
    const Case c = case_of(op, 9, 70, dtype);
    const auto& contract = op.contract();
    for (const float wrong :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 7.5F}) {
      const auto run = launched(op, c);
      for (std::size_t j = 0; j < contract.outputs.size(); ++j) run->set_output(j, 4, 69, wrong);
      for (std::size_t i = 0; i < contract.inputs.size(); ++i) run->set_gradient(i, 8, 3, 1e6F * wrong);
      const auto page = find_page_at_size(op.name)->on_host(run->problem(bar, {}));
      for (const auto& worst : page.outputs) {
        EXPECT_EQ(worst.slices_over, 1);
        EXPECT_EQ(worst.row, 4);
        EXPECT_EQ(worst.column, 69);
        EXPECT_FALSE(worst.error <= bar);
      }
      for (const auto& worst : page.gradients) {
        EXPECT_EQ(worst.slices_over, 1);
        EXPECT_EQ(worst.column, 3);
        EXPECT_FALSE(worst.error <= bar);
      }
    }
  });
}

TEST(AtSize, ALargeRunTellsDamage) {
  const OpTraits& op = find_op("rmsnorm");
  const Case c = case_of(op, 5, 40, DType::f32);
  const auto run = launched(op, c);
  EXPECT_EQ(run->damage(), "");
  const auto problem = run->problem(bar, {});
  auto* x = static_cast<float*>(const_cast<void*>(problem.inputs[0]));
  const float kept = x[2 * 40 + 7];
  x[2 * 40 + 7] = 3.0F;
  EXPECT_NE(run->damage().find("x: 1 elements were changed, the first at row 2, column 7"), std::string::npos)
      << run->damage();
  x[2 * 40 + 7] = kept;
  auto* y = static_cast<float*>(const_cast<void*>(problem.outputs[0]));
  y[5 * 40] = 0.0F;
  EXPECT_NE(run->damage().find("y: written 0 bytes after its end"), std::string::npos) << run->damage();
}

// Address space of 2^32 elements and some, of which only the pages that are touched exist.
class Sparse {
 public:
  explicit Sparse(std::size_t bytes)
      : bytes_(bytes),
        data_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                     0)) {}
  ~Sparse() {
    if (data_ != MAP_FAILED) ::munmap(data_, bytes_);
  }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;
  bf16* data() const { return data_ == MAP_FAILED ? nullptr : static_cast<bf16*>(data_); }

 private:
  std::size_t bytes_;
  void* data_;
};

// The code that the GPU shares, on one row past 2^32 elements: it must read there what it would read in a
// tensor of one row.
TEST(AtSize, ARowPast2To32IsReadWhereItIs) {
  using Page = reference::RmsNormAtSize;
  const OpTraits& op = find_op("rmsnorm");
  constexpr std::int64_t columns = 4096;
  constexpr std::int64_t far = (std::int64_t{1} << 32) / columns + 2;
  const Case c = case_of(op, 1, columns, DType::bf16);
  const auto run = launched(op, c);
  const auto small = at_size::bind<Page, bf16>(run->problem(bar, {}));
  auto large = small;
  large.rows = far + 1;
  std::vector<std::unique_ptr<Sparse>> kept;
  const auto move_row = [&](const bf16*& tensor) {
    kept.push_back(std::make_unique<Sparse>(static_cast<std::size_t>((far + 1) * columns) * sizeof(bf16)));
    ASSERT_NE(kept.back()->data(), nullptr) << "no address space of 8 GiB is to be had";
    std::copy(tensor, tensor + columns, kept.back()->data() + far * columns);
    tensor = kept.back()->data();
  };
  for (const bf16** tensor : {&large.inputs[0], &large.upstream[0], &large.outputs[0], &large.gradients[0]}) {
    ASSERT_NO_FATAL_FAILURE(move_row(*tensor));
  }
  at_size::Worst there[3];
  at_size::Worst here[3];
  at_size::judge_row(large, far, at_size::shared_of(large, far, at_size::OneLane{}), at_size::OneLane{}, {},
                     there);
  at_size::judge_row(small, 0, at_size::shared_of(small, 0, at_size::OneLane{}), at_size::OneLane{}, {},
                     here);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(there[k].error, here[k].error);
    EXPECT_EQ(there[k].column, here[k].column);
    EXPECT_EQ(there[k].row, far);
    EXPECT_EQ(there[k].over, 0);
  }
}

// A page whose projection term is gone: the check on sampled rows, which the gate makes, must say so.
struct WithoutProjection : reference::RmsNormAtSize {
  template <class T, class Cast>
  static void element(const double* in, const double* upstream, const Row<T>& row, Cast cast, T* out,
                      T* gradients, double* sizes) {
    Row<T> wrong = row;
    wrong.projection = T(0.0);
    RmsNormAtSize::element(in, upstream, wrong, cast, out, gradients, sizes);
  }
};

TEST(AtSize, AWrongTermOfAPageIsCaughtOnSampledRows) {
  const OpTraits& op = find_op("rmsnorm");
  const Case c = case_of(op, 4, 65, DType::f32);
  const auto run = launched(op, c);
  const auto truth = evaluate_truth(op, c, make_host_case(op, c));
  const auto page = at_size::on_host<WithoutProjection>(run->problem(bar, all_rows(c)));
  EXPECT_TRUE(agreement_of(truth.outputs[0], page.sampled_outputs[0]).holds());
  EXPECT_FALSE(agreement_of(truth.gradients[0], page.sampled_gradients[0]).holds());
  EXPECT_TRUE(agreement_of(truth.gradients[1], page.sampled_gradients[1]).holds());
}

TEST(AtSize, AgreementFailsOnNothingOnADigitAndOnAScale) {
  const OpTraits& op = find_op("rmsnorm");
  const Case c = case_of(op, 3, 9, DType::f32);
  const auto run = launched(op, c);
  const auto truth = evaluate_truth(op, c, make_host_case(op, c));
  const auto page = find_page_at_size("rmsnorm")->on_host(run->problem(bar, all_rows(c)));
  auto digit = page.sampled_outputs[0];
  digit.values[5].lo += 0x1p-90 * truth.outputs[0].scale(5);
  EXPECT_FALSE(agreement_of(truth.outputs[0], digit).holds());
  auto scale = page.sampled_outputs[0];
  scale.scales[2] *= 1.001;
  EXPECT_FALSE(agreement_of(truth.outputs[0], scale).holds());
  EXPECT_THROW((void)agreement_of(truth.outputs[0], SampledAtSize{}), std::invalid_argument);
}

}  // namespace
}  // namespace seamgate::gates
