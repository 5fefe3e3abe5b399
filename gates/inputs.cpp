// The numbers that cases are made of.
#include "gates/inputs.hpp"

#include <cmath>
#include <stdexcept>

namespace seamgate::gates {
namespace {

// FNV-1a: tells the streams of a case apart by name.
std::uint32_t hash_of(std::string_view text) {
  std::uint32_t h = 2166136261U;
  for (const unsigned char c : text) h = (h ^ c) * 16777619U;
  return h;
}

// The points of the case's op; none where it has none, or is not of this program.
const std::vector<float>& points_of(const Case& c) {
  static const std::vector<float> none;
  for (const OpTraits* op : all_ops()) {
    if (op->name == c.op) return op->points;
  }
  return none;
}

// As near as a last bit, or a sixteenth of `spread` away, or between.
double near(double point, double spread, std::uint32_t bits) { return point + std::ldexp(spread, -4 - static_cast<int>(bits >> 16) % 24); }

RowScales scales_of(std::string_view distribution) {
  if (distribution == "mixed") return RowScales::steps;
  if (distribution == "outlier") return RowScales::outlier;
  if (distribution == "zero-rows") return RowScales::zero_rows;
  return RowScales::flat;
}

double scale_of(std::string_view distribution, double eps) {
  if (distribution == "eps-dominated") return std::ldexp(std::floor(std::ldexp(std::sqrt(eps), 20)), -22);
  if (distribution == "tiny") return 1e-4;
  return distribution == "huge" ? 1e4 : 1.0;
}

bool is_shaped(kernels::Extent extent, bool shaped) { return shaped && extent == kernels::Extent::rows_by_columns; }

}  // namespace

const std::vector<std::string>& distributions() {
  static const std::vector<std::string> names = {"normal", "eps-dominated", "tiny",      "huge",
                                                 "mixed",  "outlier",       "zero-rows", "exact", "points"};
  return names;
}

std::vector<std::string> distributions_of(const OpTraits& op) {
  std::vector<std::string> names;
  for (const auto& name : distributions()) {
    if (name == "eps-dominated" && !op.contract().has_eps) continue;
    if (name == "points" && op.points.empty()) continue;
    names.push_back(name);
  }
  return names;
}

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  const PhiloxBlock block = philox_block({{counter[0], counter[1], counter[2], counter[3]}}, key[0], key[1]);
  return {block.word[0], block.word[1], block.word[2], block.word[3]};
}

InputMap input_map(const Case& c, std::string_view stream, kernels::Extent extent, DType dtype, bool shaped) {
  const std::string_view distribution = is_shaped(extent, shaped) ? std::string_view(c.distribution) : "normal";
  InputMap map;
  map.key0 = static_cast<std::uint32_t>(c.seed);
  map.key1 = static_cast<std::uint32_t>(c.seed >> 32);
  map.name = hash_of(stream);
  map.scales = scales_of(distribution);
  map.scale = scale_of(distribution, c.eps);
  map.columns = c.columns();
  map.dtype = dtype;
  return map;
}

std::vector<float> make_values(const Case& c, std::string_view stream, kernels::Extent extent, DType dtype, bool shaped) {
  const std::int64_t columns = c.columns();
  const std::int64_t rows = extent == kernels::Extent::columns ? 1 : c.rows();
  const InputMap map = input_map(c, stream, extent, dtype, shaped);
  const std::vector<float> points =
      is_shaped(extent, shaped) && c.distribution == "points" ? points_of(c) : std::vector<float>{};
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(rows * columns));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const PhiloxBlock bits = map.bits(row, column);
      double value = InputMap::bell(bits) * map.scale_at(row, column);
      if (!points.empty() && column % 4 != 3) {
        value = near(points[(static_cast<std::uint64_t>(row) + map.name) % points.size()], value, bits.word[0]);
      }
      if (c.distribution == "exact") value = static_cast<double>(static_cast<int>(bits.word[0] % 15U) - 7) / 4.0;
      values.push_back(map.rounded(value));
    }
  }
  return values;
}

}  // namespace seamgate::gates
