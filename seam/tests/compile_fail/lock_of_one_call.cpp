// Must not compile: a lock that ends with the call was not held from reset to read.
#include "seam/counters.hpp"

seamgate::seam::CounterSnapshot read(const seamgate::seam::Counters& counters) {
  return counters.read(seamgate::seam::SeamLock());
}
