// What a direct launch left behind, compared bit for bit.
#include "gates/kernel_results.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <span>
#include <stdexcept>

namespace seamgate::gates {
namespace {

using Values = std::span<const float>;
using kernels::Extent;

std::string number(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  return text;
}

// One tensor of the results: what it is called, what it is, and how to find it.
struct Tensor {
  std::string name;
  Extent extent;
  bool gradient;
  const std::vector<float>& (*of)(const KernelResults&, std::size_t);
  std::size_t index;
};

std::vector<Tensor> tensors_of(const kernels::Contract& contract) {
  std::vector<Tensor> all;
  const auto add = [&](const auto& specs, const char* prefix, bool gradient, auto of) {
    for (std::size_t i = 0; i < specs.size(); ++i)
      all.push_back({prefix + specs[i].name, specs[i].extent, gradient, of, i});
  };
  add(
      contract.outputs, "", false,
      [](const KernelResults& r, std::size_t i) -> const auto& { return r.outputs[i]; });
  add(
      contract.saved, "", false,
      [](const KernelResults& r, std::size_t i) -> const auto& { return r.saved[i]; });
  add(
      contract.inputs, "d", true,
      [](const KernelResults& r, std::size_t i) -> const auto& { return r.gradients[i]; });
  return all;
}

// Empty when both hold the same bits. `first` is the index of element 0 within its tensor, for the message.
std::string difference(const std::string& name, Values now, Values before, std::size_t first) {
  if (now.size() != before.size()) {
    return name + " has " + std::to_string(now.size()) + " elements and had " + std::to_string(before.size());
  }
  std::size_t differing = 0;
  std::size_t at = 0;
  for (std::size_t i = now.size(); i-- > 0;) {
    if (std::memcmp(&now[i], &before[i], sizeof(float)) == 0) continue;
    ++differing;
    at = i;
  }
  if (differing == 0) return {};
  return name + "[" + std::to_string(first + at) + "] is " + number(now[at]) + " and was " +
         number(before[at]) + " (" + std::to_string(differing) + " of " + std::to_string(now.size()) +
         " differ)";
}

}  // namespace

KernelResults read_results(const KernelRun& kernel, const kernels::Contract& contract) {
  KernelResults results;
  for (std::size_t i = 0; i < contract.outputs.size(); ++i) results.outputs.push_back(kernel.output(i));
  for (std::size_t i = 0; i < contract.saved.size(); ++i) results.saved.push_back(kernel.saved(i));
  for (std::size_t i = 0; i < contract.inputs.size(); ++i) results.gradients.push_back(kernel.gradient(i));
  return results;
}

KernelResults launch_both(KernelRun& kernel, const kernels::Contract& contract) {
  if (const auto status = kernel.forward(); !status.ok())
    throw std::runtime_error("the forward did not launch: " + status.message);
  if (const auto status = kernel.backward(); !status.ok())
    throw std::runtime_error("the backward did not launch: " + status.message);
  return read_results(kernel, contract);
}

Compared repeatable(const OpTraits& op) { return {.column_gradients = op.promises.sums_repeat, .row_gradients = true}; }

std::string same_bits(const kernels::Contract& contract, const KernelResults& now,
                      const KernelResults& before, const Compared& compared) {
  for (const auto& tensor : tensors_of(contract)) {
    if (tensor.gradient &&
        !(tensor.extent == Extent::columns ? compared.column_gradients : compared.row_gradients))
      continue;
    const auto text =
        difference(tensor.name, tensor.of(now, tensor.index), tensor.of(before, tensor.index), 0);
    if (!text.empty()) return text;
  }
  return same_bits_text;
}

std::string same_rows(const kernels::Contract& contract, std::int64_t columns, const KernelResults& now,
                      const KernelResults& before, const RowPairs& rows) {
  for (const auto& tensor : tensors_of(contract)) {
    if (tensor.extent == Extent::columns) continue;
    const auto width = tensor.extent == Extent::rows ? std::size_t{1} : static_cast<std::size_t>(columns);
    for (const auto& [row_now, row_before] : rows) {
      const auto first = static_cast<std::size_t>(row_now) * width;
      const auto text = difference(tensor.name, Values(tensor.of(now, tensor.index)).subspan(first, width),
                                   Values(tensor.of(before, tensor.index))
                                       .subspan(static_cast<std::size_t>(row_before) * width, width),
                                   first);
      if (!text.empty()) return "row " + std::to_string(row_now) + ": " + text;
    }
  }
  return same_bits_text;
}

std::string first_nan(const kernels::Contract& contract, const KernelResults& results) {
  for (const auto& tensor : tensors_of(contract)) {
    const Values values = tensor.of(results, tensor.index);
    std::size_t found = 0;
    std::size_t at = 0;
    for (std::size_t i = values.size(); i-- > 0;) {
      if (!std::isnan(values[i])) continue;
      ++found;
      at = i;
    }
    if (found == 0) continue;
    return tensor.name + "[" + std::to_string(at) + "] is NaN (" + std::to_string(found) + " of " +
           std::to_string(values.size()) + " are)";
  }
  return {};
}

}  // namespace seamgate::gates
