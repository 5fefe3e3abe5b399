// What a child process does.
#include "gates/app/gate_child.hpp"

#include <cstdlib>
#include <exception>

#include "gates/app/lease.hpp"
#include "gates/device_memory.hpp"
#include "gates/device_stream.hpp"
#include "gates/no_gpu.hpp"
#include "gates/plugin/process_state.hpp"

namespace seamgate::gates {
namespace {

// Why nothing can run on the backend here; empty when it can. With the GPU's lease in hand.
std::string missing_backend(Backend backend) { return backend == Backend::cpu ? "" : why_no_gpu(); }

// Why a gate that needs the witness has none; empty when it has, and under a tool, which has taken it.
std::string missing_witness(const Gate& gate, Backend backend) {
  if (!gate.witnessed || (gate.sanitized && std::getenv("SEAMGATE_UNDER_TOOL") != nullptr)) return {};
  try {
    (void)take_witness(backend);
    return {};
  } catch (const NoWitness& blind) {
    return blind.what();
  }
}

}  // namespace

bool run_cases(Context& context, const Gate& gate, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    context.record().at(c.str());
    try {
      gate.run(context, c);
    } catch (const CannotRun& cannot) {
      context.record().not_run(cannot.reason);
      return false;
    } catch (const NoWitness& blind) {
      // What has failed before stays failed.
      if (context.record().failed() > 0) {
        context.record().check("the witness sees to the end", false, blind.what(), "kernels", c.str());
        return true;
      }
      context.record().not_run(blind.what());
      return false;
    } catch (const std::exception& error) {
      context.record().check("runs without an exception", false, error.what(), "none", c.str());
    }
    for (const auto& what : plugin::take_disturbances()) {
      context.record().check("the library leaves the process that calls it as it is", false, what, "unchanged", c.str());
    }
  }
  return true;
}

void run_job(const ChildJob& job) {
  // A run, or a lease around it, has taken it already; a job that was started by itself takes it here, before it loads a library.
  const Leased leased = job.backend == Backend::cuda ? lease_gpus(true, 0) : Leased{};
  const Implementation& implementation = find_implementation(job.op, job.implementation);
  const OpTraits* restricted = implementation.traits();
  const Plan plan{restricted == nullptr ? find_op(job.op) : *restricted, job.backend, job.tier};
  const std::string label = job.label.empty() ? job.implementation : job.label;
  for (const auto& id : job.gates) {
    const Gate& gate = find_gate(id);
    RecordKey key{job.run_id, id, job.op, std::string(to_string(job.backend)), label};
    Recorder recorder(record_path(job.records, key), key);
    if (!leased.refused.empty()) {
      recorder.not_run(leased.refused);
      continue;
    }
    // Before the first context, which missing_backend makes: CUPTI sees what is launched after it was asked to look.
    const auto blind = missing_witness(gate, job.backend);
    if (job.backend == Backend::cuda) device::wait_without_spinning();
    const auto missing = missing_backend(job.backend);
    if (!missing.empty() || !blind.empty()) {
      recorder.not_run(missing.empty() ? blind : missing);
      continue;
    }
    if (gate.gpus > 1) {
      if (const auto few = too_few_gpus(gate, job.backend, device::device_count()); !few.empty()) {
        recorder.not_run(few);
        continue;
      }
    }
    Context context(plan, implementation, recorder);
    std::vector<Case> cases;
    for (const auto& text : job.cases) cases.push_back(parse_case(text));
    if (cases.empty()) cases = cases_of(gate, plan);
    if (run_cases(context, gate, cases)) recorder.end("shipped");
  }
}

}  // namespace seamgate::gates
