// Must not compile: counters reset without a lock in hand.
#include "seam/counters.hpp"

void reset(seamgate::seam::Counters& counters) {
  counters.reset();
}
