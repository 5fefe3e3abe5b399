// The numbers that cases are made of: Philox4x32-10 and a fixed map, the same on every platform and in every process.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gates/case.hpp"
#include "gates/input_map.hpp"
#include "gates/ops/op_traits.hpp"

namespace seamgate::gates {

// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011: ten rounds.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// What a tensor of a case holds: values exact in its dtype, signed and not constant, in logical order.
// `stream` tells tensors of one case apart: an input's or a gradient's name.
//   normal          bell-shaped, scale 1
//   eps-dominated   mean square far below eps
//   tiny, huge      scales 1e-4 and 1e4
//   mixed           the scale steps through 1e-4 .. 1e4 from row to row
//   outlier         one column a thousand times the others
//   zero-rows       every third row is zero
//   exact           small integers over powers of two, so that sums round nowhere
//   points          rows step through the op's own points, from a start by the input; every fourth element is as in normal
// The distribution shapes row tensors that are inputs; per-column tensors and upstream gradients are always `normal`.
std::vector<float> make_values(const Case& c, std::string_view stream, kernels::Extent extent, DType dtype, bool shaped);

// The map of the same tensor, where the distribution is one that it has: any but exact and points.
InputMap input_map(const Case& c, std::string_view stream, kernels::Extent extent, DType dtype, bool shaped);

const std::vector<std::string>& distributions();
// Those that say something of the op: eps-dominated where it has an eps, points where it has points.
std::vector<std::string> distributions_of(const OpTraits& op);

}  // namespace seamgate::gates
