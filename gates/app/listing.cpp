// What the program can tell of itself.
#include "gates/app/listing.hpp"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "gates/gate.hpp"
#include "gates/requirements.hpp"

namespace seamgate::gates {
namespace {

using nlohmann::ordered_json;

ordered_json gate_json(const Gate& gate) {
  ordered_json backends = ordered_json::array();
  for (const Backend backend : gate.backends) backends.push_back(to_string(backend));
  ordered_json ops = ordered_json::array();
  ordered_json cases = ordered_json::object();
  for (const OpTraits* op : all_ops()) {
    if (!out_of_reach(gate, std::nullopt).empty() || (gate.inapplicable != nullptr && !gate.inapplicable(*op).empty())) continue;
    ops.push_back(op->name);
    for (const Tier tier : {Tier::smoke, Tier::premerge, Tier::nightly}) {
      cases[op->name][std::string(to_string(tier))] = gate.cases({*op, gate.backends.front(), tier}).size();
    }
  }
  return {{"id", gate.id}, {"title", gate.title}, {"question", to_string(gate.question)}, {"rows", gate.rows},
          {"backends", backends}, {"backends_reason", gate.backends_reason}, {"cases_reason", gate.cases_reason}, {"ops", ops}, {"cases", cases}, {"timeout_s", gate.timeout_s},
          {"sanitized", gate.sanitized}, {"alone", gate.alone}, {"gpus", gate.gpus}};
}

std::string joined(const ordered_json& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word.get<std::string>();
  return text.empty() ? "-" : text;
}

// Verdicts by row from a summary that a run left; empty when there is none that can be read.
std::map<std::string, std::string> verdicts_in(const std::string& folder) {
  std::map<std::string, std::string> verdicts;
  std::ifstream in(folder + "/summary.json");
  const auto summary = ordered_json::parse(in, nullptr, false);
  if (summary.is_discarded() || !summary.contains("requirements")) return verdicts;
  for (const auto& row : summary["requirements"]) verdicts[row.value("id", "")] = row.value("verdict", "");
  return verdicts;
}

}  // namespace

void print_list(bool as_json) {
  ordered_json ops = ordered_json::array();
  for (const OpTraits* op : all_ops()) {
    ordered_json variants = ordered_json::array();
    for (const auto& variant : op->contract().variants) variants.push_back(variant.name);
    ops.push_back({{"id", op->name}, {"variants", variants}, {"switch", op->contract().switch_name},
                   {"adjoint_switch", op->contract().adjoint_switch_name}});
  }
  ordered_json gates = ordered_json::array();
  for (const Gate* gate : all_gates()) gates.push_back(gate_json(*gate));
  ordered_json mutants = ordered_json::array();
  for (const auto& mutant : all_mutants()) {
    mutants.push_back({{"id", mutant.id}, {"op", mutant.op}, {"title", mutant.title}, {"expected_gate", mutant.expected_gate},
                       {"defect", mutant.defect}, {"not_built", mutant.not_built}});
  }
  if (as_json) {
    std::cout << ordered_json{{"ops", ops}, {"gates", gates}, {"mutants", mutants}}.dump(1) << '\n';
    return;
  }
  std::printf("OPS\n");
  for (const auto& op : ops) {
    std::printf("  %-18s variants %s, switch %s\n", op["id"].get<std::string>().c_str(), joined(op["variants"]).c_str(),
                op["switch"].get<std::string>().c_str());
  }
  std::printf("GATES\n");
  for (const auto& gate : gates) {
    std::printf("  %-18s %-60s %-9s %s\n", gate["id"].get<std::string>().c_str(), gate["title"].get<std::string>().c_str(),
                joined(gate["backends"]).c_str(), joined(gate["rows"]).c_str());
  }
  std::printf("SEEDED FAULTS\n");
  for (const auto& mutant : mutants) {
    std::printf("  %-22s %-44s caught by %s\n", mutant["id"].get<std::string>().c_str(), mutant["title"].get<std::string>().c_str(),
                mutant["expected_gate"].get<std::string>().c_str());
  }
}

void print_requirements(const std::string& folder, bool as_json) {
  const auto verdicts = verdicts_in(folder);
  ordered_json rows = ordered_json::array();
  for (const auto& row : all_requirements()) {
    ordered_json ids = ordered_json::array();
    ordered_json ops = ordered_json::object();
    for (const Gate* gate : gates_of(row.id)) {
      ids.push_back(gate->id);
      for (const OpTraits* op : all_ops()) {
        if (gate->inapplicable != nullptr && !gate->inapplicable(*op).empty()) continue;
        for (const Backend backend : gate->backends) ops[op->name][std::string(to_string(backend))] = true;
      }
    }
    ordered_json backends = ordered_json::object();
    for (const auto& [op, on] : ops.items()) {
      backends[op] = ordered_json::array();
      for (const auto& [backend, unused] : on.items()) backends[op].push_back(backend);
    }
    const auto found = verdicts.find(row.id);
    const std::string verdict = ids.empty() ? "no gate yet" : found == verdicts.end() ? "NOT RUN" : found->second;
    rows.push_back({{"id", row.id}, {"title", row.title}, {"applies", backends}, {"gates", ids}, {"verdict", verdict}});
  }
  if (as_json) {
    std::cout << ordered_json{{"summary", folder + "/summary.json"}, {"found", !verdicts.empty()}, {"requirements", rows}}.dump(1) << '\n';
    return;
  }
  std::printf("%-4s %-11s %-78s %s\n", "row", "verdict", "what must hold", "gates");
  for (const auto& row : rows) {
    std::string where;
    for (const auto& [op, backends] : row["applies"].items()) where += " [" + op + ": " + joined(backends) + "]";
    std::printf("%-4s %-11s %-78s %s%s\n", row["id"].get<std::string>().c_str(), row["verdict"].get<std::string>().c_str(),
                row["title"].get<std::string>().c_str(), joined(row["gates"]).c_str(), where.c_str());
  }
  if (verdicts.empty()) std::printf("no run was found in '%s': every verdict reads NOT RUN; seamgate run --out %s\n", folder.c_str(), folder.c_str());
}

}  // namespace seamgate::gates
