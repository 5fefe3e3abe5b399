// CTest's allotment of GPUs.
#include <gtest/gtest.h>

#include <cstdlib>

#include "gates/app/resources.hpp"
#include "gates/scoped_variable.hpp"

namespace seamgate::gates {
namespace {

std::string visible() {
  const char* value = std::getenv("CUDA_VISIBLE_DEVICES");
  return value == nullptr ? "unset" : value;
}

TEST(Resources, AnIdIsTheUuidInCTestsLetters) {
  EXPECT_EQ(uuid_of_resource("gpu_0b5c1d2e_12ab_34cd"), "GPU-0b5c1d2e-12ab-34cd");
  EXPECT_EQ(uuid_of_resource("mig_7f"), "MIG-7f");
  EXPECT_EQ(uuid_of_resource("1"), "1");
  EXPECT_EQ(uuid_of_resource("card"), "");
}

TEST(Resources, WithoutASpecificationNothingChanges) {
  ::unsetenv("CTEST_RESOURCE_GROUP_COUNT");
  const ScopedVariable chosen("CUDA_VISIBLE_DEVICES", "3");
  take_allotted_gpus();
  EXPECT_EQ(visible(), "3");
}

TEST(Resources, AllottedGpusAloneAreSeenEachOnce) {
  const ScopedVariable before("CUDA_VISIBLE_DEVICES", "all of them");
  const ScopedVariable count("CTEST_RESOURCE_GROUP_COUNT", "2");
  const ScopedVariable first("CTEST_RESOURCE_GROUP_0_GPUS", "id:gpu_0a,slots:1;id:gpu_0b,slots:2");
  const ScopedVariable second("CTEST_RESOURCE_GROUP_1_GPUS", "id:gpu_0a,slots:1");
  take_allotted_gpus();
  EXPECT_EQ(visible(), "GPU-0a,GPU-0b");
}

TEST(Resources, AnIdThatIsNoGpuIsAnError) {
  const ScopedVariable count("CTEST_RESOURCE_GROUP_COUNT", "1");
  const ScopedVariable first("CTEST_RESOURCE_GROUP_0_GPUS", "id:card,slots:1");
  EXPECT_THROW(take_allotted_gpus(), std::invalid_argument);
}

}  // namespace
}  // namespace seamgate::gates
