// The parts of a gate's own graph that know no backend.
#include "gates/tape_graph.hpp"

#include "kernels/simt/launch_log.hpp"

namespace seamgate::gates {

Watch::Watch(const Context& context) : context_(context) {
  restart();
}

void Watch::restart() {
  context_.implementation().counters().reset(lock_);
  mark_ = simt::launch_log().mark();
}

seam::CounterSnapshot Watch::counters() const {
  return context_.implementation().counters().read(lock_);
}

std::size_t Watch::launches() const {
  return simt::launch_log().since(mark_).size();
}

std::size_t Watch::launches_of(const std::string& kernel) const {
  return simt::launch_log().count_since(mark_, kernel);
}

std::size_t Watch::forward_launches() const {
  return launches_of(context_.contract().forward_kernel);
}

std::size_t Watch::backward_launches() const {
  std::size_t count = 0;
  for (const auto& kernel : context_.contract().backward_kernels) count += launches_of(kernel);
  return count;
}

void require_witness(const Context& context) {
  if (context.backend() == Backend::cuda) throw CannotRun{"no witness"};
}

std::vector<float> negated(std::vector<float> values) {
  for (auto& value : values) value = -value;
  return values;
}

HostCase host_for_first_output(const OpTraits& op, const Case& c) {
  HostCase host = make_host_case(op, c);
  for (std::size_t i = 1; i < host.upstream.size(); ++i) std::fill(host.upstream[i].begin(), host.upstream[i].end(), 0.0F);
  return host;
}

HostCase negated(HostCase host) {
  for (auto& input : host.inputs) input = negated(std::move(input));
  return host;
}

}  // namespace seamgate::gates
