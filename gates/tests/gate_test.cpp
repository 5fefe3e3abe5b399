// Registering gates: a gate that is not on all backends says why.
#include "gates/gate.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

std::string refusal(Gate gate) {
  const auto before = all_gates().size();
  try {
    const RegisterGate registered(std::move(gate));
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(all_gates().size(), before) << "a refused gate was kept";
    return error.what();
  }
  return "";
}

TEST(RegisterGate, AGateOnFewerBackendsWithoutAReasonIsRefusedByName) {
  const std::string message = refusal({.id = "lonely", .title = {}, .rows = {}, .backends = {Backend::cuda}});
  EXPECT_NE(message.find("'lonely'"), std::string::npos) << message;
  EXPECT_NE(message.find("must say why"), std::string::npos) << message;
}

TEST(RegisterGate, AGateOnNoBackendWithoutAReasonIsRefused) {
  EXPECT_NE(refusal({.id = "nowhere", .title = {}, .rows = {}, .backends = {}}), "");
}

TEST(RegisterGate, AReasonWhereNothingIsLeftOutIsRefused) {
  EXPECT_NE(refusal({.id = "chatty", .title = {}, .rows = {}, .backends_reason = "of no consequence"}), "");
}

TEST(Gates, EveryGateThatIsNotOnAllBackendsSaysWhy) {
  int limited = 0;
  for (const Gate* gate : all_gates()) {
    const bool everywhere = is_declared_for(*gate, Backend::cpu) && is_declared_for(*gate, Backend::cuda);
    EXPECT_EQ(everywhere, gate->backends_reason.empty()) << gate->id;
    limited += everywhere ? 0 : 1;
  }
  EXPECT_GT(limited, 0);
  EXPECT_LT(limited, static_cast<int>(all_gates().size()));
}

TEST(Gates, AGateForSeveralGpusDoesNotApplyWhereThereAreFewer) {
  const Gate two{.id = "two", .title = {}, .rows = {}, .gpus = 2};
  const Gate one{.id = "one", .title = {}, .rows = {}};
  EXPECT_EQ(too_few_gpus(two, Backend::cuda, 1), "this machine has 1 GPU; the gate needs 2");
  EXPECT_EQ(too_few_gpus({.id = "four", .title = {}, .rows = {}, .gpus = 4}, Backend::cuda, 3),
            "this machine has 3 GPUs; the gate needs 4");
  EXPECT_EQ(too_few_gpus(two, Backend::cuda, 2), "");
  EXPECT_EQ(too_few_gpus(one, Backend::cuda, 1), "");
  EXPECT_EQ(too_few_gpus(two, Backend::cpu, 1), "");
  // Without any it is planned, and reads NOT RUN (no GPU) as all others do.
  EXPECT_EQ(too_few_gpus(two, Backend::cuda, 0), "");
}

TEST(Gates, TheGateForASecondGpuSaysHowManyItNeeds) {
  EXPECT_EQ(find_gate("right_device").gpus, 2);
}

TEST(Gates, ParityJudgesPlantedFaultsByEveryShapeAndDistributionOfTheSweep) {
  for (const OpTraits* op : all_ops()) {
    const Plan plan{*op, Backend::cpu, Tier::control};
    EXPECT_EQ(find_gate("parity").cases(plan), numeric_sweep(plan)) << op->name;
  }
}

TEST(Gates, AGateAnsweredOnceAppliesToOneOp) {
  int applies = 0;
  for (const OpTraits* op : all_ops()) applies += answered_once(*op).empty() ? 1 : 0;
  EXPECT_EQ(applies, 1);
}

}  // namespace
}  // namespace seamgate::gates
