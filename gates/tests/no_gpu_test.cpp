// Every reason for which nothing can run on a GPU, in its words.
#include "gates/no_gpu.hpp"

#include <gtest/gtest.h>

namespace seamgate::gates {
namespace {

GpuAnswer sound() { return {"", 13000, 13000, 1, "", "9.0", "80-virtual 90-real"}; }

TEST(NoGpu, IsNoReasonWhereThereIsOne) { EXPECT_EQ(why_no_gpu(sound()), ""); }

TEST(NoGpu, SaysThatThereIsNoDriver) {
  GpuAnswer answer = sound();
  answer.error = "cudaErrorInsufficientDriver, CUDA driver version is insufficient for CUDA runtime version";
  answer.driver = 0;
  EXPECT_EQ(why_no_gpu(answer), "no GPU: no driver (" + answer.error + ")");
}

TEST(NoGpu, SaysThatTheDriverIsOld) {
  GpuAnswer answer = sound();
  answer.error = "cudaErrorInsufficientDriver, CUDA driver version is insufficient for CUDA runtime version";
  answer.driver = 12080;
  EXPECT_EQ(why_no_gpu(answer), "no GPU: the driver is too old: it serves CUDA 12.8, this build is of 13.0 (" + answer.error + ")");
}

TEST(NoGpu, SaysWhatTheDriverSays) {
  GpuAnswer answer = sound();
  answer.error = "cudaErrorNoDevice, no CUDA-capable device is detected";
  EXPECT_EQ(why_no_gpu(answer), "no GPU: cudaErrorNoDevice, no CUDA-capable device is detected");
  answer = sound();
  answer.count = 0;
  EXPECT_EQ(why_no_gpu(answer), "no GPU");
}

TEST(NoGpu, SaysThatTheGpuIsOfAnotherArchitecture) {
  GpuAnswer answer = sound();
  answer.capability = "7.5";
  answer.code_error = "cudaErrorNoKernelImageForDevice, no kernel image is available for execution on the device";
  EXPECT_EQ(why_no_gpu(answer), "not built for this GPU: compute capability 7.5, built for 80-virtual 90-real (" + answer.code_error + ")");
}

TEST(NoGpu, IsAskedOfThisMachineWithoutAnException) { EXPECT_NO_THROW((void)why_no_gpu()); }

}  // namespace
}  // namespace seamgate::gates
