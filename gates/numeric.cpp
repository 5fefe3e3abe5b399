// Numeric comparisons as gates record them.
#include "gates/numeric.hpp"

#include "gates/diagnosis/diagnosis.hpp"

namespace seamgate::gates {
namespace {

// Looking at every failure of a kernel that fails everywhere would cost more than running it.
constexpr int most_diagnosed = 60;
int diagnosed = 0;  // by this process

}  // namespace

Bar bar_of(const OpTraits& op) {
  return op.promises.bar > 0.0 ? Bar(op.promises.bar, "the library's contract, in place of 1e-6 of S") : f32_bar();
}

void record_tensor(Context& context, const Case& c, const std::string& name, const reference::TruthTensor& truth,
                   const std::vector<float>& you, const std::vector<float>* tensor_path, const std::string& where, const HostCase* host) {
  const Bar bar = bar_of(context.op());
  Numeric numeric;
  numeric.case_text = c.str();
  numeric.tensor = name;
  numeric.where = where;
  numeric.you = compare_tensor(truth, you, bar);
  numeric.bar = bar.value();
  numeric.bar_source = bar.source();
  if (tensor_path != nullptr) numeric.tensor_path_error = compare_tensor(truth, *tensor_path, bar).error;
  if (numeric.you.worst >= 0) numeric.place = (where.empty() ? "" : where + ": ") + place_of(truth, numeric.you.worst);
  if (!numeric.you.passed && diagnosed < most_diagnosed) {
    ++diagnosed;
    if (host == nullptr) {
      numeric.looks_like = looks_like(c.op, name, truth, you, bar.value(), nullptr);
    } else {
      const Numbers numbers{c.rows(), c.columns(), c.variant, c.eps, host->inputs, host->upstream};
      numeric.looks_like = looks_like(c.op, name, truth, you, bar.value(), &numbers);
    }
  }
  context.record().numeric(numeric);
}

void check_bits(Context& context, const Case& c, const std::string& name, const std::vector<float>& got,
                const std::vector<float>& want) {
  const Comparison same = compare_bits(got, want);
  context.check(c, name, same.passed ? "the same bits" : same.message, "the same bits");
}

Comparison compare_tensor(const reference::TruthTensor& truth, const std::vector<float>& got, const Bar& bar) {
  return compare_with_truth(
      got, static_cast<std::int64_t>(truth.size()),
      [&](std::int64_t i, float value) {
        const auto index = static_cast<std::size_t>(i);
        return Expected{truth.value(index), truth.error(index, value), true};
      },
      bar);
}

std::string place_of(const reference::TruthTensor& truth, std::int64_t index) {
  if (truth.extent() == reference::Extent::columns) return "column " + std::to_string(index);
  return "row " + std::to_string(index / truth.columns()) + ", column " + std::to_string(index % truth.columns());
}

void record_against_truth(Context& context, const Case& c, const reference::Truth& truth,
                          const std::vector<std::vector<float>>& outputs, const std::vector<std::vector<float>>& gradients,
                          const TapeResult* tensor_path, const std::string& where, const HostCase* host) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    record_tensor(context, c, truth.outputs[i].name(), truth.outputs[i], outputs[i], tensor_path == nullptr ? nullptr : &tensor_path->outputs[i], where, host);
  }
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const bool compared = tensor_path != nullptr && tensor_path->gradients[i].has_value();
    record_tensor(context, c, "d" + context.contract().inputs[i].name, truth.gradients[i], gradients[i],
               compared ? &*tensor_path->gradients[i] : nullptr, where, host);
  }
}

}  // namespace seamgate::gates
