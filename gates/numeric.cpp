// Numeric comparisons as gates record them.
#include "gates/numeric.hpp"

namespace seamgate::gates {

void record_tensor(Context& context, const Case& c, const std::string& name, const reference::TruthTensor& truth,
                   const std::vector<float>& you, const std::vector<float>* tensor_path, const std::string& where) {
  Numeric numeric;
  numeric.case_text = c.str();
  numeric.tensor = name;
  numeric.you = compare_tensor(truth, you, f32_bar());
  numeric.bar = f32_bar().value();
  numeric.bar_source = f32_bar().source();
  if (tensor_path != nullptr) numeric.tensor_path_error = compare_tensor(truth, *tensor_path, f32_bar()).error;
  if (numeric.you.worst >= 0) numeric.place = (where.empty() ? "" : where + ": ") + place_of(truth, numeric.you.worst);
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
                          const TapeResult* tensor_path, const std::string& where) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    record_tensor(context, c, truth.outputs[i].name(), truth.outputs[i], outputs[i], tensor_path == nullptr ? nullptr : &tensor_path->outputs[i], where);
  }
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const bool compared = tensor_path != nullptr && tensor_path->gradients[i].has_value();
    record_tensor(context, c, "d" + context.contract().inputs[i].name, truth.gradients[i], gradients[i],
               compared ? &*tensor_path->gradients[i] : nullptr, where);
  }
}

}  // namespace seamgate::gates
