// A case's inputs as tensors: the layout `halves` puts an op's row inputs side by side in one buffer.
#include <gtest/gtest.h>

#include "gates/tape_run.hpp"

namespace seamgate::gates {
namespace {

using kernels::Extent;

// Two row inputs around a per-column one.
kernels::Contract contract() {
  kernels::Contract made;
  made.inputs = {{"a", Extent::rows_by_columns}, {"w", Extent::columns}, {"b", Extent::rows_by_columns}};
  return made;
}

Case case_of(const std::string& layout, DType b = DType::f32) {
  Case c;
  c.dtypes = {DType::f32, DType::f32, b};
  c.shape = {2, 3};
  c.layout = layout;
  return c;
}

const HostCase host = {{{1, 2, 3, 4, 5, 6}, {7, 8, 9}, {-1, -2, -3, -4, -5, -6}}, {}};

TEST(Inputs, AsHalvesAreSlicesOfOneBuffer) {
  const auto inputs = bare_inputs<Cpu>(contract(), case_of("halves"), host);
  ASSERT_EQ(inputs.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(inputs[i].to_floats(), host.inputs[i]) << i;
  const auto a = inputs[0].view();
  const auto b = inputs[2].view();
  EXPECT_EQ(a.strides[0], 6);
  EXPECT_EQ(b.strides[0], 6);
  EXPECT_EQ(static_cast<const float*>(b.data) - static_cast<const float*>(a.data), 3)
      << "b follows a in each row";
  EXPECT_EQ(inputs[1].view().strides[0], 1);
}

TEST(Inputs, AsHalvesOfTwoDtypesHaveABufferEach) {
  const auto inputs = bare_inputs<Cpu>(contract(), case_of("halves", DType::bf16), host);
  EXPECT_EQ(inputs[0].view().strides[0], 6);
  EXPECT_EQ(inputs[2].view().strides[0], 6);
  EXPECT_EQ(inputs[2].dtype(), DType::bf16);
  EXPECT_EQ(inputs[0].to_floats(), host.inputs[0]);
  EXPECT_EQ(inputs[2].to_floats(), host.inputs[2]);
}

TEST(Inputs, InAnyOtherLayoutShareNothing) {
  for (const char* layout : {"packed", "strided", "offset3"}) {
    const auto inputs = bare_inputs<Cpu>(contract(), case_of(layout), host);
    const auto distance =
        static_cast<const float*>(inputs[2].data()) - static_cast<const float*>(inputs[0].data());
    EXPECT_GE(std::abs(distance), 6) << layout;
    EXPECT_EQ(inputs[2].to_floats(), host.inputs[2]) << layout;
  }
}

}  // namespace
}  // namespace seamgate::gates
