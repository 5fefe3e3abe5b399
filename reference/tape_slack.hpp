// What casts with alternatives leave open in the adjoints of a reverse tape.
#pragma once

#include <algorithm>

#include "reference/reverse_tape.hpp"

namespace seamgate::reference {

template <class T>
auto ReverseTape<T>::find_open(std::uint32_t index) const -> const OpenCast* {
  if (nodes_[index].operation != Operation::cast) return nullptr;
  const auto found = std::ranges::lower_bound(open_casts_, index, {}, &OpenCast::index);
  return found != open_casts_.end() && found->index == index ? &*found : nullptr;
}

template <class T>
void ReverseTape<T>::collect_slack(std::vector<Slack>& slack) const {
  slack.clear();
  if (open_casts_.empty()) return;
  const auto add = [&](std::uint32_t factor, const OpenCast& open, const T& adjoint) {
    const T at_lo = adjoint * (open.lo - values_[open.index]);
    const T at_hi = adjoint * (open.hi - values_[open.index]);
    slack.push_back({factor, std::min(at_lo, at_hi), std::max(at_lo, at_hi)});
  };
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.operation != Operation::multiply || !touched_[i]) continue;
    if (const OpenCast* open = find_open(node.a)) add(node.b, *open, adjoints_[i]);
    if (const OpenCast* open = find_open(node.b)) add(node.a, *open, adjoints_[i]);
  }
  std::ranges::stable_sort(slack, {}, &Slack::index);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < slack.size(); ++k) {
    if (kept > 0 && slack[kept - 1].index == slack[k].index) {
      slack[kept - 1].lo += slack[k].lo;
      slack[kept - 1].hi += slack[k].hi;
    } else {
      slack[kept++] = slack[k];
    }
  }
  slack.resize(kept);
}

}  // namespace seamgate::reference
