// What the gate `gpu_lease` cannot play on one machine: file systems of a network, and which GPUs a variable leaves visible.
#include "seam/gpu_lease.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace seamgate::seam {
namespace {

constexpr const char* uuid = "GPU-57a7d1e5-0000-4000-8000-000000000001";

class Lease : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("seamgate-lease-test-" + std::to_string(::getpid()));
    ::setenv("SEAMGATE_NVML", SEAMGATE_STAND_IN_NVML_PATH, 1);
    ::setenv("SEAMGATE_LEASE_DIR", folder_.c_str(), 1);
    gpu_is("free");
  }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    for (const char* name : {"SEAMGATE_NVML", "SEAMGATE_LEASE_DIR", "SEAMGATE_STAND_IN_NVML", "CUDA_VISIBLE_DEVICES", lease_variable}) ::unsetenv(name);
  }
  static void gpu_is(const std::string& mode) { ::setenv("SEAMGATE_STAND_IN_NVML", mode.c_str(), 1); }

  std::filesystem::path folder_;
};

std::string refusal(const LeaseRequest& request = {{uuid}}) {
  const Nvml nvml;
  try {
    (void)GpuLease::take(request, nvml);
    return "taken";
  } catch (const LeaseRefused& refused) {
    return refused.what();
  }
}

std::string visible(const char* variable) {
  ::setenv("CUDA_VISIBLE_DEVICES", variable, 1);
  try {
    const Nvml nvml;
    std::string all;
    for (const auto& one : visible_gpus(nvml)) all += one + " ";
    return all;
  } catch (const NoGpu& none) {
    return none.what();
  }
}

TEST(LeaseFolder, OnANetworkIsRefused) {
  for (const long type : {0x6969L, 0xFF534D42L, 0xFE534D42L, 0x65735546L, 0x0BD00BD0L}) EXPECT_NE(LeaseFile::unreliable(type), "") << type;
  EXPECT_EQ(LeaseFile::unreliable(0x6969), "a lock on NFS says nothing of this machine");
  EXPECT_EQ(LeaseFile::unreliable(static_cast<long>(static_cast<int>(0xFF534D42))), "a lock on CIFS says nothing of this machine");
  for (const long type : {0xEF53L, 0x01021994L, 0x58465342L, 0x794C7630L}) EXPECT_EQ(LeaseFile::unreliable(type), "") << type;  // ext4, tmpfs, xfs, overlay
}

TEST_F(Lease, IsTakenOnceAndLeavesItsFile) {
  {
    const Nvml nvml;
    const auto lease = GpuLease::take({{uuid}}, nvml);
    EXPECT_EQ(lease.held(), uuid);
    EXPECT_NE(refusal().find("busy: pid " + std::to_string(::getpid())), std::string::npos);
  }
  EXPECT_EQ(refusal(), "taken");
  EXPECT_TRUE(std::filesystem::exists(folder_ / (std::string(uuid) + ".lock")));
}

TEST_F(Lease, OfOurOwnProcessIsNoForeignUse) {
  gpu_is("process " + std::to_string(::getpid()) + " 3000");
  EXPECT_EQ(refusal(), "taken");
  gpu_is("process " + std::to_string(::getppid()) + " 3000");
  EXPECT_NE(refusal().find("busy: pid " + std::to_string(::getppid())), std::string::npos);
}

TEST_F(Lease, VariableProvesNothing) {
  ::setenv(lease_variable, uuid, 1);
  EXPECT_TRUE(held_by_ancestors().empty());  // nobody has the lock
  const Nvml nvml;
  const auto lease = GpuLease::take({{uuid}}, nvml);
  EXPECT_TRUE(held_by_ancestors().empty());  // this process has, and it is not its own ancestor
}

TEST_F(Lease, FileThatIsALinkIsRefused) {
  std::filesystem::create_directories(folder_);
  std::filesystem::create_symlink("/etc/hostname", folder_ / (std::string(uuid) + ".lock"));
  EXPECT_NE(refusal().find("the GPU is not proven free: the lease file"), std::string::npos);
}

TEST_F(Lease, OfAGpuThatNvmlDoesNotKnowIsRefused) {
  EXPECT_EQ(refusal({{"GPU-unknown"}}), "the GPU is not proven free: NVML: nvmlDeviceGetHandleByUUID: Not Found (6)");
}

TEST_F(Lease, IsOfTheGpusThatAreVisible) {
  EXPECT_EQ(visible("0"), std::string(uuid) + " ");
  EXPECT_EQ(visible("GPU-57a7"), std::string(uuid) + " ");
  EXPECT_EQ(visible("0,7"), std::string(uuid) + " ");
  EXPECT_EQ(visible("7"), "no GPU: CUDA_VISIBLE_DEVICES is '7', and this machine has 1");
  EXPECT_EQ(visible(""), "no GPU: CUDA_VISIBLE_DEVICES is '', and this machine has 1");
}

TEST_F(Lease, WithoutNvmlIsNoGpu) {
  ::setenv("SEAMGATE_NVML", "/no/such/libnvidia-ml.so.1", 1);
  EXPECT_THROW(Nvml(), NoGpu);
}

}  // namespace
}  // namespace seamgate::seam
