// References to libraries, facts that travel between processes, and what is put back after a foreign call.
#include <fenv.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "gates/gate.hpp"
#include "gates/plugin/facts.hpp"
#include "gates/plugin/process_state.hpp"
#include "gates/plugin/reference.hpp"

namespace seamgate::gates::plugin {
namespace {

TEST(Reference, PrintsAndParses) {
  for (const std::string text : {"plugin:./a.so", "plugin:/x/y,z.so,kernel=k",
                                 "plugin:a.so,kernel=k,variant=llama", "plugin:a.so,variant=llama"}) {
    EXPECT_EQ(parse_reference(text).name(), text);
  }
  const Reference wrapped = parse_reference(wrapped_name("zero_output", "plugin:a.so,kernel=k"));
  EXPECT_EQ(wrapped.fault, "zero_output");
  EXPECT_EQ(wrapped.name(), "plugin:a.so,kernel=k");
  EXPECT_FALSE(is_reference("mutant:eps_dropped"));
  for (const std::string text : {"plugin:", "wrapped:zero", "wrapped:zero:plugin:"})
    EXPECT_THROW(parse_reference(text), std::invalid_argument) << text;
}

int32_t nothing(const seamgate_forward_call*, char*) {
  return SEAMGATE_OK;
}
int32_t nothing_back(const seamgate_backward_call*, char*) {
  return SEAMGATE_OK;
}

TEST(Facts, TravelBetweenProcesses) {
  const seamgate_dtypes dtypes[] = {{{SEAMGATE_BF16, SEAMGATE_F32}, SEAMGATE_BF16}};
  const seamgate_variant variants[] = {{"torch", dtypes, 1}};
  const int64_t thresholds[] = {96};
  seamgate_kernel_info kernel = {};
  kernel.op = "rmsnorm";
  kernel.name = "k";
  kernel.machine = SEAMGATE_CUDA;
  kernel.contract.variants = variants;
  kernel.contract.variant_count = 1;
  kernel.contract.max_columns = 4096;
  kernel.contract.repeats = SEAMGATE_REPEATS_ROWS;
  kernel.contract.alignment = 16;
  kernel.contract.bar = 1e-4;
  kernel.contract.column_thresholds = thresholds;
  kernel.contract.column_threshold_count = 1;
  kernel.forward = nothing;
  kernel.backward = nothing_back;
  const seamgate_library library = {SEAMGATE_ABI_VERSION, sizeof kernel, "l", "1", &kernel, 1};
  const OpTraits& op = find_op("rmsnorm");
  const Facts facts = facts_of(library, kernel, op, "");
  const Facts again = facts_from_json(facts_json(facts), op);
  EXPECT_EQ(facts_json(again).dump(), facts_json(facts).dump());
  EXPECT_EQ(again.backend, Backend::cuda);
  EXPECT_FALSE(again.promises.sums_repeat);
  EXPECT_EQ(again.promises.bar, 1e-4);

  // In force, it leaves out what it does not serve.
  const OpTraits& restricted = put_in_force(op, again);
  Case c = make_case(op.contract(), "torch", {4, 64}, "normal", 1);
  EXPECT_FALSE(is_within(restricted, c)) << "f32 is not served";
  c.dtypes = {DType::bf16, DType::f32};
  EXPECT_TRUE(is_within(restricted, c));
  c.layout = "offset1";
  EXPECT_FALSE(is_within(restricted, c)) << "not aligned to 16 bytes";
  c.layout = "packed";
  c.shape = {4, 65};
  EXPECT_FALSE(is_within(restricted, c)) << "the second row is not aligned";
  c.shape = {1, 4097};
  EXPECT_FALSE(is_within(restricted, c)) << "too wide";
  EXPECT_THROW(put_in_force(op, again), std::logic_error);
}

TEST(ProcessState, PutsBackWhatACallChangesAndNamesIt) {
  const auto folder = std::filesystem::current_path();
  ::setenv("SEAMGATE_TEST_VALUE", "before", 1);
  const ProcessState state;
  EXPECT_TRUE(state.restore().empty());
  ::fesetround(FE_DOWNWARD);
  ::setenv("SEAMGATE_TEST_VALUE", "after", 1);
  ::signal(SIGUSR1, SIG_IGN);
  std::filesystem::current_path("/");
  std::string told;
  for (const auto& text : state.restore()) told += text + "; ";
  for (const char* part :
       {"the rounding mode was changed from to nearest to downward", "SEAMGATE_TEST_VALUE has another value",
        "the handler of signal 10", "the working directory was changed to '/'"}) {
    EXPECT_NE(told.find(part), std::string::npos) << part << " is not in: " << told;
  }
  EXPECT_EQ(::fegetround(), FE_TONEAREST);
  EXPECT_STREQ(::getenv("SEAMGATE_TEST_VALUE"), "before");
  EXPECT_EQ(std::filesystem::current_path(), folder);
  EXPECT_EQ(state.restore(), std::vector<std::string>{});
}

TEST(Disturbances, AreToldOnce) {
  note_disturbances("forward", {"a", "a", "b"});
  note_disturbances("backward", {"a"});
  EXPECT_EQ(take_disturbances(), (std::vector<std::string>{"forward: a", "forward: b", "backward: a"}));
  EXPECT_TRUE(take_disturbances().empty());
}

}  // namespace
}  // namespace seamgate::gates::plugin
