// Guarded memory tells where it was touched that it should not have been.
#include "gates/device_memory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/simt/buffers.hpp"

namespace seamgate::gates {
namespace {

constexpr Footprint padded{3, 8, 20, 4};  // three rows of 8 bytes, 20 apart

std::byte* first_row(const DeviceMemory& memory) {
  return static_cast<std::byte*>(memory.data());
}

// What the guards say after byte `at`, counted from the first row, was given another value.
std::string after_writing(std::ptrdiff_t at, Footprint footprint = padded) {
  DeviceMemory memory(Backend::cpu, footprint, "x");
  memory.write(
      std::vector<std::byte>(static_cast<std::size_t>(footprint.rows * footprint.row_bytes), std::byte{1}));
  EXPECT_EQ(memory.broken_guard(), "");
  first_row(memory)[at] = std::byte{0};
  return memory.broken_guard();
}

TEST(DeviceMemory, FindsAByteBeforeTheFirstRow) {
  EXPECT_EQ(after_writing(-1), "x: written 1 bytes before the first row");
  EXPECT_EQ(after_writing(-4), "x: written 4 bytes before the first row");
  EXPECT_EQ(after_writing(-4096), "x: written 4096 bytes before the first row");
}

TEST(DeviceMemory, FindsAByteBetweenRows) {
  EXPECT_EQ(after_writing(8), "x: written 0 bytes after the end of row 0");
  EXPECT_EQ(after_writing(19), "x: written 11 bytes after the end of row 0");
  EXPECT_EQ(after_writing(28), "x: written 0 bytes after the end of row 1");
}

TEST(DeviceMemory, FindsAByteAfterTheLastRow) {
  EXPECT_EQ(after_writing(48), "x: written 0 bytes after the end of row 2");
  EXPECT_EQ(after_writing(47 + 4096), "x: written 4095 bytes after the end of row 2");
}

TEST(DeviceMemory, TheRowsThemselvesAreFree) {
  for (const std::ptrdiff_t at : {0, 7, 20, 27, 40, 47}) EXPECT_EQ(after_writing(at), "") << at;
}

TEST(DeviceMemory, FindsAByteAroundAnEmptyStretch) {
  EXPECT_NE(after_writing(-1, {1, 0, 0, 0}), "");
  EXPECT_NE(after_writing(0, {1, 0, 0, 0}), "");
  EXPECT_NE(after_writing(0, {0, 8, 8, 0}), "");
}

TEST(DeviceMemory, StartsAsNanAndReadsBackInLogicalOrder) {
  DeviceMemory memory(Backend::cpu, padded, "x");
  float value = 0.0F;
  std::memcpy(&value, memory.data(), sizeof value);
  EXPECT_TRUE(std::isnan(value)) << "what a kernel does not write must not read as a number";
  std::vector<std::byte> bytes(24);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
  memory.write(bytes);
  EXPECT_EQ(memory.read(), bytes);
  EXPECT_EQ(std::to_integer<int>(first_row(memory)[20]), 8)
      << "the second row starts a pitch after the first";
  memory.fill(std::byte{7});
  EXPECT_EQ(memory.read(), std::vector<std::byte>(24, std::byte{7}));
  EXPECT_EQ(memory.broken_guard(), "");
}

TEST(DeviceMemory, StartsAtTheOffsetThatWasAskedFor) {
  for (const std::int64_t offset : {0, 4, 28}) {
    DeviceMemory memory(Backend::cpu, {2, 8, 8, offset}, "x");
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 256, static_cast<std::uintptr_t>(offset));
  }
}

TEST(DeviceMemory, TellsTheEmulatorItsRowsAndNotWhatLiesBetween) {
  const auto before = simt::buffers().size();
  {
    DeviceMemory apart(Backend::cpu, padded, "apart");
    EXPECT_EQ(simt::buffers().size(), before + 3);
    DeviceMemory joined(Backend::cpu, {3, 8, 8, 0}, "joined");
    EXPECT_EQ(simt::buffers().size(), before + 4);
  }
  EXPECT_EQ(simt::buffers().size(), before);
}

#ifndef SEAMGATE_HAS_CUDA
TEST(DeviceMemory, OfABackendThatWasNotBuiltIsAnError) {
  EXPECT_THROW(DeviceMemory(Backend::cuda, padded, "x"), std::logic_error);
}
#endif

}  // namespace
}  // namespace seamgate::gates
