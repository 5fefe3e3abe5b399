// Must not compile: a counter that is misspelt.
#include "seam/counters.hpp"

void count(seamgate::seam::Counters& counters) {
  counters.add(seamgate::seam::Counter::node_runs);
}
