// The witness over a stand-in for libcupti: what it sees, and every way in which it must say that it is none.
#include "gates/witness/witness.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "gates/scoped_variable.hpp"
#include "gates/witness/cupti_witness.hpp"
#include "gates/witness/symbol_name.hpp"
#include "kernels/simt/launch_log.hpp"

namespace seamgate::gates {
namespace {

constexpr const char* mode = "SEAMGATE_STAND_IN_CUPTI";

void launch(const char* symbol) {
  static const auto stand_in = reinterpret_cast<void (*)(const char*)>(::dlsym(::dlopen(SEAMGATE_STAND_IN_CUPTI_PATH, RTLD_NOW), "stand_in_launch"));
  stand_in(symbol);
}

DeviceHooks hooks() {
  return {[] { return std::string(); },
          [] {
            launch(canary_kernel);
            return std::string();
          }};
}

CuptiWitness witness_of_stand_in() { return {CuptiLibrary::open(SEAMGATE_STAND_IN_CUPTI_PATH), hooks()}; }

// The reason for which there is no witness, wherever it comes up; "seen: ..." where there is one.
std::string outcome(const DeviceHooks& device = hooks()) {
  try {
    CuptiWitness witness(CuptiLibrary::open(SEAMGATE_STAND_IN_CUPTI_PATH), device);
    const auto mark = witness.mark();
    launch("kernel_a");
    return "seen: " + witness.since(mark).str();
  } catch (const NoWitness& blind) {
    return blind.what();
  }
}

std::string outcome_of_environment() {
  try {
    (void)CuptiLibrary::open_in_this_environment();
    return "opened";
  } catch (const NoWitness& blind) {
    return blind.what();
  }
}

TEST(Witness, SeesKernelsSinceAMarkInTheirOrderAndNotItsOwn) {
  CuptiWitness witness = witness_of_stand_in();
  launch("before");
  const auto mark = witness.mark();
  EXPECT_EQ(witness.since(mark).count(), 0U);
  launch("a");
  launch("b");
  launch("b");
  launch("a");
  launch("d");
  EXPECT_EQ(witness.since(mark).names, (std::vector<std::string>{"a", "b", "b", "a", "d"}));
  const auto later = witness.mark();
  launch("c");
  EXPECT_EQ(witness.since(later).names, std::vector<std::string>{"c"});
  EXPECT_EQ(witness.since(mark).str(), "a x2, b x2, c x1, d x1");
}

TEST(Witness, SeesMoreKernelsThanABufferHolds) {
  CuptiWitness witness = witness_of_stand_in();
  const auto mark = witness.mark();
  for (int i = 0; i < 5000; ++i) launch(i % 2 == 0 ? "even" : "odd");
  const auto seen = witness.since(mark);
  EXPECT_EQ(seen.count(), 5000U);
  EXPECT_EQ(seen.count_of("even"), 2500U);
  EXPECT_EQ(seen.names[4999], "odd");
}

TEST(Witness, IsNoneForTheReasonThatTheLibraryGives) {
  const std::pair<const char*, const char*> reasons[] = {
      {"busy_subscriber", "no witness: CUPTI has another holder in this process (cuptiSubscribe: CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED (39))"},
      {"enable_error", "no witness: cuptiActivityEnable: CUPTI_ERROR_HARDWARE (7)"},
      {"dropped", "no witness: CUPTI dropped 3 records"},
      {"flush_error", "no witness: cuptiActivityFlushAll: CUPTI_ERROR_HARDWARE (7)"},
      {"record_error", "no witness: cuptiActivityGetNextRecord: CUPTI_ERROR_HARDWARE (7)"},
      {"blind", "no witness: it saw the kernel that was launched to test it 0 times, not once"},
      {"nameless", "no witness: a kernel's record has no name"}};
  for (const auto& [chosen, reason] : reasons) {
    const ScopedVariable variable(mode, std::string(chosen));
    EXPECT_EQ(outcome(), reason) << chosen;
  }
  const ScopedVariable unfinished(mode, std::string("unfinished"));
  EXPECT_EQ(outcome(), "no witness: the record of kernel_a came before the kernel had ended");
}

TEST(Witness, IsThereAgainAfterARefusal) {
  {
    const ScopedVariable variable(mode, std::string("busy_subscriber"));
    EXPECT_NE(outcome().find("another holder"), std::string::npos);
  }
  EXPECT_EQ(outcome(), "seen: kernel_a x1");
}

TEST(Witness, RefusesAnotherVersion) {
  for (const auto& [chosen, version] : {std::pair{"version_12", "120900"}, {"version_13_1", "130100"}}) {
    const ScopedVariable variable(mode, std::string(chosen));
    EXPECT_EQ(outcome(), std::string("no witness: CUPTI is of version ") + version + " (" + SEAMGATE_STAND_IN_CUPTI_PATH +
                             "); allowed: 130000 to 130099");
  }
}

TEST(Witness, IsOneInAProcess) {
  CuptiWitness witness = witness_of_stand_in();
  EXPECT_EQ(outcome(), "no witness: this process has one already");
  EXPECT_EQ(witness.since(witness.mark()).count(), 0U);
}

TEST(Witness, LeavesAGpuThatFailsToTheGate) {
  DeviceHooks lost = hooks();
  lost.synchronise = [] { return std::string("cudaDeviceSynchronize: cudaErrorIllegalAddress"); };
  CuptiWitness witness(CuptiLibrary::open(SEAMGATE_STAND_IN_CUPTI_PATH), lost);
  try {
    (void)witness.mark();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const NoWitness& blind) {
    ADD_FAILURE() << blind.what() << ": that would read NOT RUN";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "cudaDeviceSynchronize: cudaErrorIllegalAddress");
  }
}

TEST(Witness, LooksForTheLibraryWhereItIsTold) {
  {
    const ScopedVariable chosen("SEAMGATE_CUPTI", std::string(SEAMGATE_STAND_IN_CUPTI_PATH));
    EXPECT_EQ(outcome_of_environment(), "opened");
  }
  const ScopedVariable chosen("SEAMGATE_CUPTI", std::string("/no/such/libcupti.so"));
  EXPECT_NE(outcome_of_environment().find("no witness: CUPTI cannot be loaded: /no/such/libcupti.so"), std::string::npos);
}

TEST(Witness, IsLeftToTheToolThatHasIt) {
  const ScopedVariable chosen("SEAMGATE_CUPTI", std::string(SEAMGATE_STAND_IN_CUPTI_PATH));
  for (const char* variable : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"}) {
    const ScopedVariable injected(variable, std::string("/opt/tool.so"));
    EXPECT_EQ(outcome_of_environment(), std::string("no witness: another tool is in this process (") + variable + "=/opt/tool.so)");
  }
  const ScopedVariable under("SEAMGATE_UNDER_TOOL", std::string("memcheck"));
  EXPECT_EQ(outcome_of_environment(), "no witness: it is taken by the tool that this process runs under");
}

TEST(Witness, OfTheCpuIsTheLaunchLog) {
  Witness& witness = take_witness(Backend::cpu);
  const auto mark = witness.mark();
  simt::launch_log().note("primitive.neg");
  EXPECT_EQ(witness.since(mark).names, std::vector<std::string>{"primitive.neg"});
  for (std::size_t i = 0; i <= simt::LaunchLog::capacity; ++i) simt::launch_log().note("primitive.neg");
  EXPECT_THROW(witness.since(mark), NoWitness);
}

TEST(KernelNames, AreTheEmulatorsOwn) {
  // void seamgate::kernels::shipped_cuda::rmsnorm::adjoint_reduce_kernel<float>(float const*, long, long, float*)
  EXPECT_EQ(name_of_symbol("_ZN8seamgate7kernels12shipped_cuda7rmsnorm21adjoint_reduce_kernelIfEEvPKfllPT_"),
            "rmsnorm::adjoint_reduce_kernel<float>");
  EXPECT_EQ(name_of_symbol("seamgate_witness_canary"), "seamgate_witness_canary");
}

TEST(KernelNames, OfPrimitiveOperationsAreTheirLogNames) {
  const std::string begin = "void cub::_V_300::detail::for_each::static_kernel<cub::policy, long, ";
  const std::string end = " >(long, long)";
  const std::pair<const char*, const char*> names[] = {
      {"seamgate::cuda_operations::Unary<seamgate::elementwise::MulScalar>", "primitive.mul_scalar"},
      {"seamgate::cuda_operations::Binary<seamgate::elementwise::Maximum>", "primitive.maximum"},
      {"seamgate::cuda_operations::CopyBits<unsigned int>", "primitive.copy"},
      {"seamgate::cuda_operations::Cast", "primitive.cast"},
      {"seamgate::cuda_operations::SumBlock", "primitive.sum_blocks"},
      {"seamgate::cuda_operations::Matmul", "primitive.matmul"}};
  for (const auto& [functor, name] : names) EXPECT_EQ(name_of_symbol(begin + functor + end), name);
}

}  // namespace
}  // namespace seamgate::gates
