// The ops that this program was linked with.
#include "gates/ops/op_traits.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace seamgate::gates {
namespace {

std::vector<const OpTraits*>& registered() {
  static std::vector<const OpTraits*> ops;
  return ops;
}

}  // namespace

RegisterOp::RegisterOp(OpTraits traits) {
  registered().push_back(new OpTraits(std::move(traits)));  // lives as long as the program
  std::sort(registered().begin(), registered().end(), [](auto* a, auto* b) { return a->name < b->name; });
}

const std::vector<const OpTraits*>& all_ops() { return registered(); }

const OpTraits& find_op(std::string_view name) {
  std::string known;
  for (const OpTraits* op : registered()) {
    if (op->name == name) return *op;
    known += (known.empty() ? "" : ", ") + op->name;
  }
  throw std::invalid_argument("op is '" + std::string(name) + "'; allowed: " + known);
}

const std::vector<std::string>& layouts() {
  static const std::vector<std::string> names = {"packed", "strided", "halves", "offset1", "offset2", "offset3", "offset4",
                                                 "offset5", "offset6", "offset7", "odd0", "odd1", "odd2", "odd3", "odd4", "odd5", "odd6",
                                                 "odd7", "odd8", "odd9", "transposed", "sliced"};
  return names;
}

bool is_layout(std::string_view word) { return std::find(layouts().begin(), layouts().end(), word) != layouts().end(); }

}  // namespace seamgate::gates
