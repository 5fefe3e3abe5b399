// One forward and backward through the seam in a process of its own.
#include "gates/app/probe.hpp"

#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gates/counted.hpp"
#include "gates/tape_run.hpp"

namespace seamgate::gates {

using nlohmann::ordered_json;

void run_probe(const ProbeJob& job) {
  ordered_json result;
  try {
    const Case c = parse_case(job.case_text);
    const OpTraits& op = find_op(c.op);
    (void)take_witness(job.backend);
    const TapeResult ran = run_on_tape(op, find_implementation(c.op, job.implementation), job.backend, c, make_host_case(op, c), {});
    for (std::size_t i = 0; i < seam::counter_count; ++i) {
      result["counters"][std::string(to_string(static_cast<seam::Counter>(i)))] = ran.counters.counts[i];
    }
    for (const auto reason : seam::all_declines) result["declined"][std::string(to_string(reason))] = ran.counters[reason];
    result["arms"] = ran.counters.arms();
    result["launches"] = forwards_of(op.contract(), *ran.seen) + backwards_of(op.contract(), *ran.seen);
    for (const auto& output : ran.outputs) result["outputs"].push_back(to_hex(output));
    for (const auto& gradient : ran.gradients) result["gradients"].push_back(gradient ? to_hex(*gradient) : "none");
  } catch (const NoWitness& blind) {
    result["no_witness"] = blind.what();
  } catch (const std::exception& error) {
    result["error"] = error.what();
  }
  std::ofstream out(job.result_path);
  out << result.dump() << '\n';
  if (!out) throw std::runtime_error("probe: cannot write '" + job.result_path + "'");
}

}  // namespace seamgate::gates
