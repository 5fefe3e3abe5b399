// What a library says of one of its kernels, checked against the op.
#include "gates/plugin/facts.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

namespace seamgate::gates::plugin {
namespace {

constexpr double least_bar = 1e-6;
constexpr double most_bar = 1e-2;

// One line about one field: what the library says, and what is allowed.
class Complaint {
 public:
  explicit Complaint(const seamgate_kernel_info& kernel)
      : where_("kernel '" + std::string(kernel.name == nullptr ? "" : kernel.name) + "': ") {}

  [[noreturn]] void operator()(const std::string& text) const { throw std::invalid_argument(where_ + text); }

  void number(const char* field, std::int64_t given, std::int64_t least, std::int64_t most,
              const char* allowed) const {
    if (given >= least && given <= most) return;
    (*this)("contract." + std::string(field) + " is " + std::to_string(given) + "; allowed: " + allowed);
  }

 private:
  std::string where_;
};

std::string text_of(const char* text) {
  return text == nullptr ? "" : text;
}

std::optional<DType> dtype_of(std::int32_t code) {
  switch (code) {
    case SEAMGATE_F32:
      return DType::f32;
    case SEAMGATE_BF16:
      return DType::bf16;
    case SEAMGATE_F16:
      return DType::f16;
    default:
      return std::nullopt;
  }
}

std::string names_of(const std::vector<DType>& dtypes) {
  std::string text;
  for (const DType dtype : dtypes) text += (text.empty() ? "" : "+") + std::string(to_string(dtype));
  return text;
}

std::string variant_names(const kernels::Contract& contract) {
  std::string text;
  for (const auto& variant : contract.variants) text += (text.empty() ? "" : ", ") + variant.name;
  return text;
}

std::string served_names(const kernels::VariantSpec& variant) {
  std::string text;
  for (const auto& served : variant.dtypes)
    text +=
        (text.empty() ? "" : ", ") + names_of(served.inputs) + " to " + std::string(to_string(served.output));
  return text;
}

kernels::ServedDtypes dtypes_of(const Complaint& complain, const kernels::VariantSpec& known,
                                std::size_t inputs, const seamgate_dtypes& given) {
  kernels::ServedDtypes served;
  const std::string where = "variant " + known.name + ": ";
  for (std::size_t i = 0; i < inputs; ++i) {
    const auto dtype = dtype_of(given.inputs[i]);
    if (!dtype)
      complain(where + "inputs[" + std::to_string(i) + "] has the dtype " + std::to_string(given.inputs[i]) +
               "; allowed: SEAMGATE_F32, SEAMGATE_BF16, SEAMGATE_F16");
    served.inputs.push_back(*dtype);
  }
  const auto output = dtype_of(given.output);
  if (!output)
    complain(where + "the output has the dtype " + std::to_string(given.output) +
             "; allowed: SEAMGATE_F32, SEAMGATE_BF16, SEAMGATE_F16");
  served.output = *output;
  const auto* truth = kernels::find_dtypes(known, served.inputs);
  if (truth == nullptr)
    complain(where + names_of(served.inputs) +
             " has no truth to be judged by; allowed: " + served_names(known));
  if (truth->output != served.output) {
    complain(where + names_of(served.inputs) + " gives " + std::string(to_string(served.output)) +
             "; the variant gives " + std::string(to_string(truth->output)));
  }
  return served;
}

std::vector<kernels::VariantSpec> variants_of(const Complaint& complain, const seamgate_contract& contract,
                                              const kernels::Contract& op, const std::string& wanted) {
  if (contract.variants == nullptr || contract.variant_count <= 0)
    complain("contract.variants is empty; allowed: some of " + variant_names(op));
  std::vector<kernels::VariantSpec> variants;
  std::string stated;
  std::set<std::string> seen;
  for (std::int32_t v = 0; v < contract.variant_count; ++v) {
    const seamgate_variant& given = contract.variants[v];
    const std::string name = text_of(given.name);
    const auto* known = kernels::find_variant(op, name);
    if (known == nullptr)
      complain("variant '" + name + "' is none of " + op.op + "; allowed: " + variant_names(op));
    if (!seen.insert(name).second) complain("variant '" + name + "' is stated twice");
    if (given.dtypes == nullptr || given.dtype_count <= 0)
      complain("variant " + name + " serves no dtypes; allowed: " + served_names(*known));
    kernels::VariantSpec variant{name, known->default_eps, {}};
    for (std::int32_t d = 0; d < given.dtype_count; ++d) {
      variant.dtypes.push_back(dtypes_of(complain, *known, op.inputs.size(), given.dtypes[d]));
    }
    stated += (stated.empty() ? "" : ", ") + name;
    if (wanted.empty() || wanted == name) variants.push_back(variant);
  }
  if (variants.empty()) complain("--variant is '" + wanted + "'; the library serves: " + stated);
  return variants;
}

std::vector<std::string> words_of(const Complaint& complain, const char* field, const char* const* words,
                                  std::int32_t count) {
  if (words == nullptr || count <= 0)
    complain("seam." + std::string(field) +
             " is empty; allowed: at least one word, when seam.switch_name is given");
  std::vector<std::string> result;
  for (std::int32_t i = 0; i < count; ++i) result.push_back(text_of(words[i]));
  return result;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const auto comma = std::min(text.find(',', at), text.size());
    if (comma > at) parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

std::vector<std::int64_t> thresholds_of(const Complaint& complain, const char* field,
                                        const std::int64_t* values, std::int32_t count) {
  std::vector<std::int64_t> result;
  if (values == nullptr && count != 0)
    complain("contract." + std::string(field) + " is null, and its count is " + std::to_string(count));
  for (std::int32_t i = 0; i < count; ++i) {
    if (values[i] < 1)
      complain("contract." + std::string(field) + "[" + std::to_string(i) + "] is " +
               std::to_string(values[i]) + "; allowed: 1 or more");
    result.push_back(values[i]);
  }
  return result;
}

void read_saved(const Complaint& complain, const seamgate_contract& given, kernels::Contract& contract) {
  contract.saved.clear();
  contract.outputs_for_adjoint.clear();
  complain.number("saved_count", given.saved_count, 0, SEAMGATE_MAX_TENSORS, "0 to SEAMGATE_MAX_TENSORS");
  if (given.saved_count > 0 && given.saved == nullptr)
    complain("contract.saved is null, and saved_count is " + std::to_string(given.saved_count));
  for (std::int32_t i = 0; i < given.saved_count; ++i) {
    const std::int32_t extent = given.saved[i].extent;
    if (extent < SEAMGATE_PER_ROW || extent > SEAMGATE_PER_ELEMENT) {
      complain("contract.saved[" + std::to_string(i) + "].extent is " + std::to_string(extent) +
               "; allowed: SEAMGATE_PER_ROW, SEAMGATE_PER_COLUMN, SEAMGATE_PER_ELEMENT");
    }
    contract.saved.push_back({text_of(given.saved[i].name), extent == SEAMGATE_PER_ROW ? kernels::Extent::rows
                                                            : extent == SEAMGATE_PER_COLUMN
                                                                ? kernels::Extent::columns
                                                                : kernels::Extent::rows_by_columns});
  }
  if (given.outputs_for_backward >> contract.outputs.size() != 0) {
    complain("contract.outputs_for_backward has a bit beyond the op's " +
             std::to_string(contract.outputs.size()) + " outputs");
  }
  for (std::size_t i = 0; i < contract.outputs.size(); ++i) {
    if ((given.outputs_for_backward >> i & 1U) != 0)
      contract.outputs_for_adjoint.push_back(static_cast<int>(i));
  }
}

void read_witness(const Complaint& complain, const seamgate_contract& given, Facts& facts) {
  if (facts.backend == Backend::cpu) {
    facts.contract.forward_kernel = "plugin.forward";  // noted by the bridge, call by call
    facts.contract.backward_kernels = {"plugin.backward"};
    facts.contract.forward_launches = facts.contract.backward_launches = 1;
    return;
  }
  const auto forward = split(text_of(given.forward_kernels));
  facts.contract.forward_kernel = forward.empty() ? "" : forward[0];
  facts.contract.backward_kernels = split(text_of(given.backward_kernels));
  complain.number("forward_launches", given.forward_launches, 0, 1 << 20, "0 (not told) or more");
  complain.number("backward_launches", given.backward_launches, 0, 1 << 20, "0 (not told) or more");
  facts.contract.forward_launches = given.forward_launches;
  facts.contract.backward_launches = given.backward_launches;
  facts.counts_launches = !forward.empty() && given.forward_launches > 0;
}

void read_seam(const Complaint& complain, const seamgate_seam& seam, Facts& facts) {
  facts.own_seam = true;
  const auto need = [&](bool given, const char* field) {
    if (!given) complain("seam." + std::string(field) + " is null; a seam needs it");
  };
  need(seam.ask != nullptr, "ask");
  need(seam.backward != nullptr, "backward");
  need(seam.release != nullptr, "release");
  need(seam.counters != nullptr, "counters");
  need(seam.reset != nullptr, "reset");
  facts.switch_name = text_of(seam.switch_name);
  if (facts.switch_name.empty()) return;
  if (facts.switch_name.find('=') != std::string::npos)
    complain("seam.switch_name is '" + facts.switch_name + "'; allowed: the name of an environment variable");
  facts.off_words = words_of(complain, "off_words", seam.off_words, seam.off_word_count);
  facts.on_words = words_of(complain, "on_words", seam.on_words, seam.on_word_count);
  for (const auto& word : facts.off_words) {
    if (std::find(facts.on_words.begin(), facts.on_words.end(), word) != facts.on_words.end()) {
      complain("seam: '" + word + "' is among off_words and on_words");
    }
  }
}

}  // namespace

const seamgate_kernel_info& choose_kernel(const seamgate_library& library, const std::string& op,
                                          const std::string& name, const std::string& backend) {
  const auto described = [](const seamgate_kernel_info& kernel) {
    const char* machine = kernel.machine == SEAMGATE_CPU    ? " (cpu)"
                          : kernel.machine == SEAMGATE_CUDA ? " (cuda)"
                                                            : "";
    return text_of(kernel.op) + " '" + text_of(kernel.name) + "'" + machine;
  };
  std::vector<const seamgate_kernel_info*> left;
  std::string all;
  for (std::int32_t i = 0; i < library.kernel_count; ++i) {
    const seamgate_kernel_info& kernel = library.kernels[i];
    all += (all.empty() ? "" : ", ") + described(kernel);
    if (text_of(kernel.op) != op || (!name.empty() && text_of(kernel.name) != name)) continue;
    if (backend == "cpu" && kernel.machine != SEAMGATE_CPU) continue;
    if (backend == "cuda" && kernel.machine != SEAMGATE_CUDA) continue;
    left.push_back(&kernel);
  }
  if (left.size() == 1) return *left[0];
  const std::string asked = "--op " + op + (name.empty() ? "" : " --kernel " + name) +
                            (backend.empty() ? "" : " --backend " + backend);
  if (left.empty())
    throw std::invalid_argument("it has no kernel for " + asked +
                                "; it has: " + (all.empty() ? "none" : all));
  throw std::invalid_argument("it has several kernels for " + asked +
                              "; allowed: --kernel with the name of one of " + all);
}

Facts facts_of(const seamgate_library& library, const seamgate_kernel_info& kernel, const OpTraits& op,
               const std::string& variant) {
  const Complaint complain(kernel);
  const seamgate_contract& given = kernel.contract;
  Facts facts;
  facts.library = text_of(library.name);
  facts.version = text_of(library.version);
  facts.kernel = text_of(kernel.name);
  if (kernel.machine != SEAMGATE_CPU && kernel.machine != SEAMGATE_CUDA) {
    complain("machine is " + std::to_string(kernel.machine) + "; allowed: SEAMGATE_CPU, SEAMGATE_CUDA");
  }
  facts.backend = kernel.machine == SEAMGATE_CPU ? Backend::cpu : Backend::cuda;
  if (kernel.forward == nullptr) complain("forward is null; a kernel needs one");
  if (kernel.backward == nullptr)
    complain(
        "backward is null; what has no backward does not train, and every gate about gradients would be left "
        "out");
  facts.contract = op.contract();
  facts.contract.variants = variants_of(complain, given, op.contract(), variant);
  complain.number("max_columns", given.max_columns, 1, std::int64_t{1} << 40, "1 or more");
  complain.number("max_elements", given.max_elements, 0, std::int64_t{1} << 50, "0 (no limit) or more");
  complain.number("least_rank", given.least_rank, 0, kernels::max_rank, "0 (which is 1) to 4");
  complain.number("most_rank", given.most_rank, 0, kernels::max_rank, "0 (which is 4) to 4");
  complain.number("alignment", given.alignment, 0, 256, "0 (as the element type) to 256 bytes");
  complain.number("repeats", given.repeats, SEAMGATE_REPEATS_ROWS, SEAMGATE_REPEATS_LAYOUTS,
                  "SEAMGATE_REPEATS_ROWS, SEAMGATE_REPEATS_RUNS, SEAMGATE_REPEATS_LAYOUTS");
  complain.number("empty", given.empty, SEAMGATE_REFUSES, SEAMGATE_NOT_ASKED,
                  "SEAMGATE_REFUSES, SEAMGATE_SERVES, SEAMGATE_NOT_ASKED");
  if (given.bad_eps != SEAMGATE_REFUSES && given.bad_eps != SEAMGATE_NOT_ASKED) {
    complain("contract.bad_eps is " + std::to_string(given.bad_eps) +
             "; allowed: SEAMGATE_REFUSES, SEAMGATE_NOT_ASKED");
  }
  if ((given.alignment & (given.alignment - 1)) != 0)
    complain("contract.alignment is " + std::to_string(given.alignment) + "; allowed: a power of two");
  facts.contract.max_columns = given.max_columns;
  facts.contract.serves_strided_rows = given.strided_rows != 0;
  facts.contract.serves_empty = given.empty == SEAMGATE_SERVES;
  Promises& promises = facts.promises;
  promises.least_rank = given.least_rank == 0 ? 1 : given.least_rank;
  promises.most_rank = given.most_rank == 0 ? kernels::max_rank : given.most_rank;
  if (promises.least_rank > promises.most_rank) {
    complain("contract.least_rank is " + std::to_string(promises.least_rank) + " and most_rank is " +
             std::to_string(promises.most_rank) + "; no rank is served");
  }
  if (given.bar != 0.0 && !(given.bar >= least_bar && given.bar <= most_bar)) {
    complain("contract.bar is " + std::to_string(given.bar) +
             "; allowed: 0 (which is 1e-6), or 1e-6 to 1e-2");
  }
  promises.bar = given.bar;
  promises.max_elements = given.max_elements;
  promises.alignment_bytes = given.alignment;
  promises.sums_repeat = given.repeats >= SEAMGATE_REPEATS_RUNS;
  promises.layouts_keep_bits = given.repeats >= SEAMGATE_REPEATS_LAYOUTS;
  promises.variants_share_bits = false;
  promises.refuses_empty = given.empty == SEAMGATE_REFUSES;
  promises.refuses_bad_eps = given.bad_eps == SEAMGATE_REFUSES;
  promises.in_place = given.in_place != 0;
  read_saved(complain, given, facts.contract);
  facts.column_thresholds =
      thresholds_of(complain, "column_thresholds", given.column_thresholds, given.column_threshold_count);
  facts.row_thresholds =
      thresholds_of(complain, "row_thresholds", given.row_thresholds, given.row_threshold_count);
  read_witness(complain, given, facts);
  if (kernel.seam != nullptr) read_seam(complain, *kernel.seam, facts);
  return facts;
}

const OpTraits& put_in_force(const OpTraits& op, const Facts& facts) {
  static std::optional<Facts> in_force;
  static OpTraits traits;
  if (in_force)
    throw std::logic_error("a process judges one plug-in, and '" + in_force->library + "' is in force");
  in_force = facts;
  traits = op;
  traits.contract = []() -> const kernels::Contract& { return in_force->contract; };
  traits.promises = facts.promises;
  for (const auto columns : facts.column_thresholds) traits.column_boundaries.push_back(columns);
  for (const auto rows : facts.row_thresholds) traits.row_boundaries.push_back(rows);
  return traits;
}

}  // namespace seamgate::gates::plugin
