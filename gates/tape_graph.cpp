// The parts of a gate's own graph that know no backend.
#include "gates/tape_graph.hpp"

namespace seamgate::gates {

Watch::Watch(const Context& context) : context_(context) {
  restart();
}

void Watch::restart() {
  context_.implementation().counters().reset(lock_);
  if (Witness* witness = context_.witness()) mark_ = witness->mark();
}

seam::CounterSnapshot Watch::counters() const {
  return context_.implementation().counters().read(lock_);
}

KernelsSeen Watch::seen() const {
  Witness* witness = context_.witness();
  if (witness == nullptr) throw std::logic_error("a watch over kernels without a witness in hand");
  return witness->since(mark_);
}

std::size_t Watch::forward_launches() const {
  return forwards_of(context_.contract(), seen());
}

std::size_t Watch::backward_launches() const {
  return backwards_of(context_.contract(), seen());
}

void Watch::check(Context& context, const Case& c, const std::string& where, Parents parents) const {
  check_against_witness(context, c, where, counters(), seen(), parents);
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
