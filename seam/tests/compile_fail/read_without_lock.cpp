// Must not compile: counters read without a lock in hand.
#include "seam/counters.hpp"

seamgate::seam::CounterSnapshot read(const seamgate::seam::Counters& counters) {
  return counters.read();
}
