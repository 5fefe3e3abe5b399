// What a run sets out to do.
#include "gates/app/plan.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "gates/app/provenance.hpp"
#include "gates/device_stream.hpp"
#include "gates/plugin/faults.hpp"
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

std::string why_inapplicable(const Gate& gate, const OpTraits& op, Backend backend) {
  if (!is_declared_for(gate, backend)) {
    return "this gate is not declared for " + std::string(to_string(backend)) + ": " + gate.backends_reason;
  }
  const std::string why = gate.inapplicable == nullptr ? "" : gate.inapplicable(op);
  return why.empty() && gate.gpus > 1 ? too_few_gpus(gate, backend, device::device_count()) : why;
}

// Of a library's contract and of its seam, and of gates that are not for libraries.
std::string why_inapplicable(const Gate& gate, const Plan& plan, const std::optional<JudgedLibrary>& library) {
  std::optional<LibrarySeam> seam;
  if (library) seam = LibrarySeam{library->facts.own_seam, !library->facts.switch_name.empty()};
  if (auto why = out_of_reach(gate, seam); !why.empty()) return why;
  if (auto why = why_inapplicable(gate, plan.op, plan.backend); !why.empty()) return why;
  return library && cases_of(gate, plan).empty() ? "the library's contract has none of its cases" : "";
}

// The faults of a library are planted around it, on its own machine.
void plan_library(RunPlan& plan, const JudgedLibrary& library, bool with_faults) {
  plan.implementation = library.implementation;
  plan.label = "plugin:" + library.facts.kernel;
  plan.library_switch = library.facts.switch_name;
  plan.faults_on = library.facts.backend;
  if (!with_faults) return;
  for (const auto& fault : plugin::faults_of(*library.op)) {
    plan.mutants.push_back({fault.id, library.op->name, fault.title, fault.defect, fault.expected_gate, ""});
  }
}

}  // namespace

RunPlan make_plan(const RunOptions& options) {
  RunPlan plan;
  plan.run_id = fresh_run_id();
  if (options.library) plan.ops.push_back(options.library->op);
  else for (const auto& name : options.ops) plan.ops.push_back(&find_op(name));
  if (plan.ops.empty()) plan.ops = all_ops();
  std::vector<const Gate*> gates;
  bool only_mutants = !options.only.empty();
  for (const auto& id : options.only) {
    if (id == mutants_gate) continue;
    gates.push_back(&find_gate(id));
    only_mutants = false;
  }
  if (gates.empty()) gates = all_gates();
  for (const OpTraits* op : plan.ops) {
    for (const Backend backend : all_backends) {
      if (only_mutants || !is_required(options, backend)) continue;
      for (const Gate* gate : gates) {
        plan.gates.push_back({gate, op, backend, why_inapplicable(*gate, {*op, backend, options.tier}, options.library), options.tier, true});
      }
    }
  }
  if (options.library) {
    plan_library(plan, *options.library, options.mutants);
    return plan;
  }
  if (!options.mutants) return plan;
  for (const auto& mutant : all_mutants()) {
    const bool asked =
        std::any_of(plan.ops.begin(), plan.ops.end(), [&](auto* op) { return op->name == mutant.op; });
    if (asked) plan.mutants.push_back(mutant);
  }
  if (!only_mutants && is_required(options, Backend::cpu)) return plan;
  for (const OpTraits* op : plan.ops) {
    for (const Gate* gate : gates) {
      if (!gate->judges_mutants || !why_inapplicable(*gate, {*op, Backend::cpu, Tier::control}, options.library).empty()) continue;
      plan.gates.push_back({gate, op, Backend::cpu, {}, Tier::control, false});
    }
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
                          {"required", applies && planned.required},
                          {"tier", to_string(planned.tier)}};
    if (applies) entry["planned_cases"] = cases_of(gate, {*planned.op, planned.backend, planned.tier}).size();
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
  ordered_json json = {{"schema", 1},
                       {"run_id", plan.run_id},
                       {"command", options.command},
                       {"tier", to_string(options.tier)},
                       {"required_backends", required},
                       {"switches", options.switches},
                       {"ops", ops},
                       {"gates", gates},
                       {"mutants", mutants},
                       {"rows", rows},
                       {"provenance", provenance_json()}};
  if (options.library) {
    json["library"] = {{"path", options.library->path}, {"label", plan.label}, {"implementation", plan.implementation},
                       {"facts", plugin::facts_json(options.library->facts)}};
  }
  return json;
}

}  // namespace seamgate::gates
