// What of this process a foreign function may not change.
#include "gates/plugin/process_state.hpp"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

extern char** environ;

namespace seamgate::gates::plugin {
namespace {

std::vector<std::string> environment() {
  std::vector<std::string> all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) all.emplace_back(*entry);
  return all;
}

// Flush-to-zero and denormals-are-zero, as bits of the machine's control register.
#if defined(__SSE__)
constexpr unsigned long subnormal_bits = 0x8040;
unsigned long subnormals() {
  return _mm_getcsr() & subnormal_bits;
}
void set_subnormals(unsigned long bits) {
  _mm_setcsr((_mm_getcsr() & ~static_cast<unsigned>(subnormal_bits)) | static_cast<unsigned>(bits));
}
#elif defined(__aarch64__)
constexpr unsigned long subnormal_bits = 1UL << 24;
unsigned long control() {
  unsigned long value;
  __asm__ volatile("mrs %0, fpcr" : "=r"(value));
  return value;
}
unsigned long subnormals() {
  return control() & subnormal_bits;
}
void set_subnormals(unsigned long bits) {
  const unsigned long value = (control() & ~subnormal_bits) | bits;
  __asm__ volatile("msr fpcr, %0" : : "r"(value));
}
#else
unsigned long subnormals() {
  return 0;
}
void set_subnormals(unsigned long) {}
#endif

mode_t file_mask() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

std::string folder() {
  char path[4096];
  return ::getcwd(path, sizeof path) == nullptr ? "" : path;
}

const char* name_of(int rounding) {
  switch (rounding) {
    case FE_TONEAREST:
      return "to nearest";
    case FE_UPWARD:
      return "upward";
    case FE_DOWNWARD:
      return "downward";
    case FE_TOWARDZERO:
      return "towards zero";
    default:
      return "another";
  }
}

bool same(const struct sigaction& a, const struct sigaction& b) {
  // What anybody may ask for; the C library has a flag of its own, which comes with the first change.
  constexpr int asked = SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NODEFER | static_cast<int>(SA_RESETHAND) |
                        SA_NOCLDSTOP | SA_NOCLDWAIT;
  return (a.sa_flags & asked) == (b.sa_flags & asked) &&
         ((a.sa_flags & SA_SIGINFO) != 0 ? a.sa_sigaction == b.sa_sigaction : a.sa_handler == b.sa_handler);
}

// The first variable that differs, in words; empty when none does.
std::string difference(const std::vector<std::string>& before, const std::vector<std::string>& now) {
  const auto missing_in = [](const std::vector<std::string>& from,
                             const std::vector<std::string>& in) -> std::string {
    for (const auto& entry : from) {
      if (std::find(in.begin(), in.end(), entry) == in.end()) return entry;
    }
    return {};
  };
  const std::string added = missing_in(now, before);
  const std::string gone = missing_in(before, now);
  const auto name = [](const std::string& entry) { return entry.substr(0, entry.find('=')); };
  if (!added.empty())
    return "the environment was changed: " + name(added) +
           (name(added) == name(gone) ? " has another value" : " was set");
  if (!gone.empty()) return "the environment was changed: " + name(gone) + " was taken away";
  return {};
}

std::vector<std::string>& disturbances() {
  static std::vector<std::string> all;
  return all;
}

}  // namespace

ProcessState::ProcessState()
    : environment_(environment()),
      rounding_(::fegetround()),
      traps_(::fegetexcept()),
      subnormals_(subnormals()),
      folder_(folder()),
      locale_(::setlocale(LC_ALL, nullptr)),
      file_mask_(file_mask()) {
  for (int i = 1; i < signals; ++i) ::sigaction(i, nullptr, &handlers_[static_cast<std::size_t>(i)]);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask_);
}

std::vector<std::string> ProcessState::restore() const {
  std::vector<std::string> found;
  // Arithmetic first: what follows should not be done under a foreign mode.
  if (const int now = ::fegetround(); now != rounding_) {
    found.push_back("the rounding mode was changed from " + std::string(name_of(rounding_)) + " to " +
                    name_of(now));
    ::fesetround(rounding_);
  }
  if (subnormals() != subnormals_) {
    found.emplace_back("the treatment of subnormals was changed (flush to zero, denormals are zero)");
    set_subnormals(subnormals_);
  }
  if (::fegetexcept() != traps_) {
    found.emplace_back("floating-point traps were changed");
    ::fedisableexcept(FE_ALL_EXCEPT);
    ::feenableexcept(traps_);
  }
  if (const auto now = environment(); now != environment_) {
    if (const auto text = difference(environment_, now); !text.empty()) found.push_back(text);
    ::clearenv();
    for (const auto& entry : environment_) {
      const auto at = entry.find('=');
      if (at != std::string::npos) ::setenv(entry.substr(0, at).c_str(), entry.substr(at + 1).c_str(), 1);
    }
  }
  for (int i = 1; i < signals; ++i) {
    const auto& before = handlers_[static_cast<std::size_t>(i)];
    struct sigaction now;
    if (::sigaction(i, nullptr, &now) != 0 || same(now, before)) continue;
    found.push_back("the handler of signal " + std::to_string(i) + " (" + ::strsignal(i) + ") was changed");
    ::sigaction(i, &before, nullptr);
  }
  sigset_t mask;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  for (int i = 1; i < signals; ++i) {
    if (::sigismember(&mask, i) == ::sigismember(&mask_, i)) continue;
    found.push_back("the mask of signals was changed: " + std::to_string(i));
    ::pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
    break;
  }
  if (const auto now = folder(); now != folder_) {
    found.push_back("the working directory was changed to '" + now + "'");
    if (::chdir(folder_.c_str()) != 0) found.emplace_back("and it could not be put back");
  }
  if (const std::string now = ::setlocale(LC_ALL, nullptr); now != locale_) {
    found.push_back("the locale was changed from " + locale_ + " to " + now);
    ::setlocale(LC_ALL, locale_.c_str());
  }
  if (file_mask() != file_mask_) {
    found.emplace_back("the file mode mask was changed");
    ::umask(file_mask_);
  }
  return found;
}

void note_disturbances(const std::string& call, const std::vector<std::string>& what) {
  for (const auto& text : what) {
    const std::string line = call + ": " + text;
    if (std::find(disturbances().begin(), disturbances().end(), line) == disturbances().end())
      disturbances().push_back(line);
  }
}

std::vector<std::string> take_disturbances() {
  std::vector<std::string> taken;
  taken.swap(disturbances());
  return taken;
}

}  // namespace seamgate::gates::plugin
