// What a run sets out to do.
#include "gates/app/plan.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "gates/app/provenance.hpp"
#include "gates/device_stream.hpp"
#include "gates/requirements.hpp"

namespace seamgate::gates {
namespace {

using nlohmann::ordered_json;

std::string fresh_run_id() {
  std::random_device random;
  char text[17];
  std::snprintf(text, sizeof text, "%08x%08x", random(), random());
  return text;
}

bool is_required(const RunOptions& options, Backend backend) {
  return std::find(options.required.begin(), options.required.end(), backend) != options.required.end();
}

}  // namespace

RunPlan make_plan(const RunOptions& options) {
  RunPlan plan;
  plan.run_id = fresh_run_id();
  for (const auto& name : options.ops) plan.ops.push_back(&find_op(name));
  if (plan.ops.empty()) plan.ops = all_ops();
  std::vector<const Gate*> gates;
  for (const auto& id : options.only) gates.push_back(&find_gate(id));
  if (gates.empty()) gates = all_gates();
  for (const OpTraits* op : plan.ops) {
    for (const Backend backend : all_backends) {
      if (!is_required(options, backend)) continue;
      for (const Gate* gate : gates) {
        PlannedGate planned{gate, op, backend, {}};
        if (!is_declared_for(*gate, backend)) {
          planned.inapplicable = "this gate is not declared for " + std::string(to_string(backend)) + ": " +
                                 gate->backends_reason;
        } else if (gate->inapplicable != nullptr) {
          planned.inapplicable = gate->inapplicable(*op);
        }
        if (planned.inapplicable.empty() && gate->gpus > 1) {
          planned.inapplicable = too_few_gpus(*gate, backend, device::device_count());
        }
        plan.gates.push_back(planned);
      }
    }
  }
  if (!options.mutants || !is_required(options, Backend::cpu)) return plan;
  for (const auto& mutant : all_mutants()) {
    const bool asked =
        std::any_of(plan.ops.begin(), plan.ops.end(), [&](auto* op) { return op->name == mutant.op; });
    if (asked) plan.mutants.push_back(mutant);
  }
  return plan;
}

ordered_json plan_json(const RunPlan& plan, const RunOptions& options) {
  ordered_json gates = ordered_json::array();
  for (const auto& planned : plan.gates) {
    const Gate& gate = *planned.gate;
    const bool applies = planned.inapplicable.empty();
    ordered_json entry = {{"id", gate.id},
                          {"title", gate.title},
                          {"question", to_string(gate.question)},
                          {"rows", gate.rows},
                          {"op", planned.op->name},
                          {"backend", to_string(planned.backend)},
                          {"applies", applies},
                          {"reason", planned.inapplicable},
                          {"required", applies}};
    if (applies) entry["planned_cases"] = gate.cases({*planned.op, planned.backend, options.tier}).size();
    gates.push_back(entry);
  }
  ordered_json mutants = ordered_json::array();
  for (const auto& mutant : plan.mutants) {
    mutants.push_back({{"id", mutant.id},
                       {"op", mutant.op},
                       {"title", mutant.title},
                       {"defect", mutant.defect},
                       {"expected_gate", mutant.expected_gate},
                       {"not_built", mutant.not_built}});
  }
  ordered_json rows = ordered_json::array();
  for (const auto& row : all_requirements()) {
    ordered_json ids = ordered_json::array();
    for (const Gate* gate : gates_of(row.id)) ids.push_back(gate->id);
    rows.push_back({{"id", row.id}, {"title", row.title}, {"gates", ids}});
  }
  ordered_json ops = ordered_json::array();
  for (const auto* op : plan.ops) ops.push_back(op->name);
  ordered_json required = ordered_json::array();
  for (const Backend backend : options.required) required.push_back(to_string(backend));
  return {{"schema", 1},
          {"run_id", plan.run_id},
          {"command", options.command},
          {"tier", to_string(options.tier)},
          {"required_backends", required},
          {"ops", ops},
          {"gates", gates},
          {"mutants", mutants},
          {"rows", rows},
          {"provenance", provenance_json()}};
}

}  // namespace seamgate::gates
