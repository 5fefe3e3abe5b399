// What an op's seam counts.
#include "seam/counters.hpp"

#include <numeric>
#include <stdexcept>

namespace seamgate::seam {

void Counters::add(Counter counter) { counts_[static_cast<std::size_t>(counter)].fetch_add(1); }

void Counters::ask() {
  if (SeamLock::this_ask_is_foreign()) foreign_.fetch_add(1);
  add(Counter::asked);
}

void Counters::decline(Decline reason) {
  declined_[static_cast<std::size_t>(reason)].fetch_add(1);
  add(Counter::skipped);
}

CounterSnapshot Counters::read(const SeamLock&) const {
  if (const auto foreign = foreign_.load(); foreign != 0) {
    throw std::logic_error("counters: " + std::to_string(foreign) +
                           " asks by threads that the holder of the SeamLock did not start; let them join by "
                           "SeamLock::Participant");
  }
  CounterSnapshot snapshot;
  for (std::size_t i = 0; i < counter_count; ++i) snapshot.counts[i] = counts_[i].load();
  for (std::size_t i = 0; i < decline_count; ++i) snapshot.declined[i] = declined_[i].load();
  return snapshot;
}

void Counters::reset(const SeamLock&) {
  for (auto& count : counts_) count = 0;
  for (auto& count : declined_) count = 0;
  foreign_ = 0;
}

std::string CounterSnapshot::arms() const {
  const auto& c = *this;
  return "(" + std::to_string(c[Counter::asked]) + "," + std::to_string(c[Counter::skipped]) + "," +
         std::to_string(c[Counter::node_ran]) + "," + std::to_string(c[Counter::bare_ran]) + ")";
}

std::string CounterSnapshot::broken_law() const {
  const auto& c = *this;
  const auto served = c[Counter::skipped] + c[Counter::node_ran] + c[Counter::bare_ran] + c[Counter::failed];
  if (c[Counter::asked] != served) {
    return "asked " + std::to_string(c[Counter::asked]) + " != skipped + node_ran + bare_ran + failed " + std::to_string(served);
  }
  const auto by_reason = std::accumulate(declined.begin(), declined.end(), std::uint64_t{0});
  if (c[Counter::skipped] != by_reason) {
    return "skipped " + std::to_string(c[Counter::skipped]) + " != sum over reasons " + std::to_string(by_reason);
  }
  const auto adjoints = c[Counter::adjoint_fused] + c[Counter::adjoint_tensor];
  if (c[Counter::node_backward] != adjoints) {
    return "node_backward " + std::to_string(c[Counter::node_backward]) + " != adjoint_fused + adjoint_tensor " +
           std::to_string(adjoints);
  }
  return {};
}

}  // namespace seamgate::seam
