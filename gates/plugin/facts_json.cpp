// How facts come from the process that loaded a library to the one that did not.
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "gates/plugin/facts.hpp"

namespace seamgate::gates::plugin {
namespace {

using nlohmann::ordered_json;

ordered_json variants_json(const kernels::Contract& contract) {
  ordered_json variants = ordered_json::array();
  for (const auto& variant : contract.variants) {
    ordered_json served = ordered_json::array();
    for (const auto& dtypes : variant.dtypes) {
      ordered_json inputs = ordered_json::array();
      for (const DType dtype : dtypes.inputs) inputs.push_back(to_string(dtype));
      served.push_back({{"inputs", inputs}, {"output", to_string(dtypes.output)}});
    }
    variants.push_back({{"name", variant.name}, {"dtypes", served}});
  }
  return variants;
}

DType dtype_named(const std::string& name) {
  for (const DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    if (to_string(dtype) == name) return dtype;
  }
  throw std::runtime_error("facts of a library: no dtype is called '" + name + "'");
}

std::vector<kernels::VariantSpec> variants_from(const ordered_json& json, const OpTraits& op) {
  std::vector<kernels::VariantSpec> variants;
  for (const auto& item : json) {
    const auto* known = kernels::find_variant(op.contract(), item.at("name").get<std::string>());
    if (known == nullptr)
      throw std::runtime_error("facts of a library: no variant is called " + item.at("name").dump());
    kernels::VariantSpec variant{known->name, known->default_eps, {}};
    for (const auto& served : item.at("dtypes")) {
      kernels::ServedDtypes dtypes;
      for (const auto& name : served.at("inputs")) dtypes.inputs.push_back(dtype_named(name));
      dtypes.output = dtype_named(served.at("output"));
      variant.dtypes.push_back(dtypes);
    }
    variants.push_back(variant);
  }
  return variants;
}

}  // namespace

ordered_json facts_json(const Facts& facts) {
  const auto& contract = facts.contract;
  const auto& promises = facts.promises;
  return {{"library", facts.library},
          {"version", facts.version},
          {"kernel", facts.kernel},
          {"backend", to_string(facts.backend)},
          {"variants", variants_json(contract)},
          {"max_columns", contract.max_columns},
          {"max_elements", promises.max_elements},
          {"ranks", {promises.least_rank, promises.most_rank}},
          {"strided_rows", contract.serves_strided_rows},
          {"alignment", promises.alignment_bytes},
          {"sums_repeat", promises.sums_repeat},
          {"layouts_keep_bits", promises.layouts_keep_bits},
          {"serves_empty", contract.serves_empty},
          {"refuses_empty", promises.refuses_empty},
          {"refuses_bad_eps", promises.refuses_bad_eps},
          {"in_place", promises.in_place},
          {"bar", promises.bar},
          {"column_thresholds", facts.column_thresholds},
          {"row_thresholds", facts.row_thresholds},
          {"forward_kernel", contract.forward_kernel},
          {"backward_kernels", contract.backward_kernels},
          {"launches", {contract.forward_launches, contract.backward_launches}},
          {"counts_launches", facts.counts_launches},
          {"own_seam", facts.own_seam},
          {"switch", facts.switch_name},
          {"off_words", facts.off_words},
          {"on_words", facts.on_words}};
}

Facts facts_from_json(const ordered_json& json, const OpTraits& op) {
  Facts facts;
  facts.contract = op.contract();
  json.at("library").get_to(facts.library);
  json.at("version").get_to(facts.version);
  json.at("kernel").get_to(facts.kernel);
  facts.backend = json.at("backend") == to_string(Backend::cpu) ? Backend::cpu : Backend::cuda;
  facts.contract.variants = variants_from(json.at("variants"), op);
  json.at("max_columns").get_to(facts.contract.max_columns);
  json.at("strided_rows").get_to(facts.contract.serves_strided_rows);
  json.at("serves_empty").get_to(facts.contract.serves_empty);
  json.at("forward_kernel").get_to(facts.contract.forward_kernel);
  json.at("backward_kernels").get_to(facts.contract.backward_kernels);
  json.at("launches").at(0).get_to(facts.contract.forward_launches);
  json.at("launches").at(1).get_to(facts.contract.backward_launches);
  Promises& promises = facts.promises;
  json.at("max_elements").get_to(promises.max_elements);
  json.at("ranks").at(0).get_to(promises.least_rank);
  json.at("ranks").at(1).get_to(promises.most_rank);
  json.at("alignment").get_to(promises.alignment_bytes);
  json.at("sums_repeat").get_to(promises.sums_repeat);
  json.at("layouts_keep_bits").get_to(promises.layouts_keep_bits);
  promises.variants_share_bits = false;
  json.at("refuses_empty").get_to(promises.refuses_empty);
  json.at("refuses_bad_eps").get_to(promises.refuses_bad_eps);
  json.at("in_place").get_to(promises.in_place);
  json.at("bar").get_to(promises.bar);
  json.at("column_thresholds").get_to(facts.column_thresholds);
  json.at("row_thresholds").get_to(facts.row_thresholds);
  json.at("counts_launches").get_to(facts.counts_launches);
  json.at("own_seam").get_to(facts.own_seam);
  json.at("switch").get_to(facts.switch_name);
  json.at("off_words").get_to(facts.off_words);
  json.at("on_words").get_to(facts.on_words);
  return facts;
}

}  // namespace seamgate::gates::plugin
