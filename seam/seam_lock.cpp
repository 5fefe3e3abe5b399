// The one lock of a process under which counters are read or reset.
#include "seam/seam_lock.hpp"

#include <atomic>

namespace seamgate::seam {
namespace {

std::mutex seam_mutex;
std::atomic<std::uint64_t> holder{0};  // the ticket of who holds the lock, 0 when nobody does
std::atomic<std::uint64_t> last_ticket{0};
thread_local std::uint64_t joined = 0;  // the ticket on whose account this thread asks

}  // namespace

SeamLock::SeamLock() : held_(seam_mutex), ticket_(++last_ticket) {
  joined = ticket_;
  holder.store(ticket_, std::memory_order_release);
}

SeamLock::~SeamLock() {
  holder.store(0, std::memory_order_release);
  joined = 0;
}

SeamLock::Participant::Participant(const SeamLock& lock) : before_(joined) { joined = lock.ticket_; }
SeamLock::Participant::~Participant() { joined = before_; }

bool SeamLock::this_ask_is_foreign() {
  const auto ticket = holder.load(std::memory_order_acquire);
  return ticket != 0 && ticket != joined;
}

}  // namespace seamgate::seam
