// A case: one printable point of a sweep.
#include "gates/case.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <numeric>
#include <stdexcept>

#include "gates/inputs.hpp"
#include "gates/ops/op_traits.hpp"

namespace seamgate::gates {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

[[noreturn]] void refuse(std::string_view text, const std::string& what) {
  throw std::invalid_argument("case '" + std::string(text) + "': " + what);
}

template <class T>
bool parse_whole(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const auto& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

std::string print_eps(float eps) {
  char text[32];
  std::snprintf(text, sizeof text, "e%.9g", eps);
  return text;
}

DType parse_dtype(std::string_view text, const std::string& word) {
  for (const DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    if (word == to_string(dtype)) return dtype;
  }
  refuse(text, "dtype is '" + word + "'; allowed: f32, bf16, f16, joined by + where inputs differ");
}

const OpTraits& known_op(std::string_view text, const std::string& name) {
  try {
    return find_op(name);
  } catch (const std::invalid_argument& error) {
    refuse(text, error.what());
  }
}

float known_eps(std::string_view text, const kernels::Contract& contract, const std::string& variant) {
  try {
    return default_eps(contract, variant);
  } catch (const std::invalid_argument& error) {
    refuse(text, error.what());
  }
}

// More elements than any machine holds would overflow the arithmetic of sizes before an allocation failed.
constexpr double most_elements = 1e15;

}  // namespace

std::int64_t Case::rows() const {
  return std::accumulate(shape.begin(), shape.end() - 1, std::int64_t{1}, std::multiplies<>());
}

std::string Case::str() const {
  std::string text = op + "/" + variant + "/";
  const bool one_dtype = std::adjacent_find(dtypes.begin(), dtypes.end(), std::not_equal_to<>()) == dtypes.end();
  for (std::size_t i = 0; i < (one_dtype ? 1 : dtypes.size()); ++i) text += (i ? "+" : "") + std::string(to_string(dtypes[i]));
  text += "/";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? "x" : "") + std::to_string(shape[i]);
  text += "/" + distribution + "/s" + std::to_string(seed);
  if (layout != "packed") text += "/" + layout;
  if (eps != default_eps(find_op(op).contract(), variant)) text += "/" + print_eps(eps);
  if (plan.row_blocks != 0) text += "/p" + std::to_string(plan.row_blocks);
  return text;
}

Case parse_case(std::string_view text) {
  const auto parts = split(text, '/');
  if (parts.size() < 6) {
    refuse(text, "has " + std::to_string(parts.size()) +
                     " parts; allowed: OP/VARIANT/DTYPE/SHAPE/DISTRIBUTION/sSEED[/LAYOUT][/eEPS][/pBLOCKS], such as "
                     "rmsnorm/torch/f32/64x4096/normal/s7");
  }
  Case c;
  c.op = parts[0];
  c.variant = parts[1];
  const OpTraits& op = known_op(text, c.op);
  c.eps = known_eps(text, op.contract(), c.variant);
  for (const auto& word : split(parts[2], '+')) c.dtypes.push_back(parse_dtype(text, word));
  if (c.dtypes.size() == 1) c.dtypes.resize(op.contract().inputs.size(), c.dtypes[0]);
  if (c.dtypes.size() != op.contract().inputs.size()) {
    refuse(text, "names " + std::to_string(c.dtypes.size()) + " dtypes; allowed: one, or one for each of the " +
                     std::to_string(op.contract().inputs.size()) + " inputs");
  }
  for (const auto& word : split(parts[3], 'x')) {
    std::int64_t size = 0;
    if (!parse_whole(word, size) || size < 0) refuse(text, "shape is '" + parts[3] + "'; allowed: 1 to 4 sizes such as 64x4096");
    c.shape.push_back(size);
  }
  if (c.shape.size() > static_cast<std::size_t>(kernels::max_rank)) {
    refuse(text, "shape has rank " + std::to_string(c.shape.size()) + "; allowed: 1 to 4");
  }
  double elements = 1.0;
  for (const auto size : c.shape) elements *= static_cast<double>(std::max<std::int64_t>(size, 1));
  if (elements > most_elements) refuse(text, "shape is '" + parts[3] + "'; allowed: at most 1e15 elements");
  c.distribution = parts[4];
  const auto known = distributions_of(op);
  const bool upstream = c.distribution.starts_with("fixture-");  // an upstream library's numbers, by the fixture's name
  if (!upstream && std::find(known.begin(), known.end(), c.distribution) == known.end()) {
    refuse(text, "distribution is '" + c.distribution + "'; allowed: " + joined(known) + ", fixture-NAME");
  }
  if (parts[5].empty() || parts[5][0] != 's' || !parse_whole(std::string_view(parts[5]).substr(1), c.seed)) {
    refuse(text, "seed is '" + parts[5] + "'; allowed: s and a whole number, such as s7");
  }
  bool layout_given = false;
  bool eps_given = false;
  bool plan_given = false;
  const auto once = [&](bool& given, const std::string& part) {
    if (given) refuse(text, "part '" + part + "' is a second one of its kind; allowed: at most one layout, one eEPS, one pBLOCKS");
    given = true;
  };
  for (std::size_t i = 6; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    int blocks = 0;
    float eps = 0.0F;
    if (part.size() > 1 && part[0] == 'p' && parse_whole(part.substr(1), blocks) && blocks > 0) {
      once(plan_given, parts[i]);
      c.plan.row_blocks = blocks;
    } else if (part.size() > 1 && part[0] == 'e' && parse_whole(part.substr(1), eps)) {
      once(eps_given, parts[i]);
      if (!op.contract().has_eps) refuse(text, "part '" + parts[i] + "' gives an eps; allowed: none, " + c.op + " has no eps");
      c.eps = eps;
    } else if (is_layout(part)) {
      once(layout_given, parts[i]);
      c.layout = part;
    } else {
      refuse(text, "part '" + parts[i] + "' is not understood; allowed: a layout (" + joined(layouts()) +
                       "), eEPS such as e1e-05, pBLOCKS such as p8");
    }
  }
  return c;
}

DType output_dtype(const kernels::Contract& contract, const Case& c) {
  const auto* variant = kernels::find_variant(contract, c.variant);
  const auto* served = variant == nullptr ? nullptr : kernels::find_dtypes(*variant, c.dtypes);
  return served == nullptr ? c.dtypes[0] : served->output;
}

float default_eps(const kernels::Contract& contract, std::string_view variant) {
  std::vector<std::string> names;
  for (const auto& known : contract.variants) {
    if (known.name == variant) return known.default_eps;
    names.push_back(known.name);
  }
  throw std::invalid_argument(contract.op + ": variant is '" + std::string(variant) + "'; allowed: " + joined(names));
}

Case make_case(const kernels::Contract& contract, std::string_view variant, std::vector<std::int64_t> shape,
               std::string distribution, std::uint64_t seed) {
  Case c;
  c.op = contract.op;
  c.variant = variant;
  c.eps = default_eps(contract, variant);
  c.dtypes = kernels::find_variant(contract, variant)->dtypes.front().inputs;
  c.shape = std::move(shape);
  c.distribution = std::move(distribution);
  c.seed = seed;
  return c;
}

}  // namespace seamgate::gates
