// A call of a library's function, and what it may not have changed.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gates/plugin/bridge.hpp"
#include "gates/plugin/process_state.hpp"
#include "include/seamgate/kernel.h"
#include "kernels/simt/launch_log.hpp"

namespace seamgate::gates::plugin {

inline constexpr std::size_t message_guard = 64;
inline constexpr char untouched_message = 0x5a;
inline constexpr const char* call_limit_variable = "SEAMGATE_CALL_LIMIT_S";

// Ends this process by SIGALRM, which the parent tells as a time-out, when it lives too long: a call of a
// library that never returns costs its gate and no more. SEAMGATE_CALL_LIMIT_S has the seconds; unset: no
// limit.
class CallLimit {
 public:
  CallLimit() {
    const char* text = std::getenv(call_limit_variable);
    if (text == nullptr) return;
    ::signal(SIGALRM, SIG_DFL);
    ::alarm(static_cast<unsigned>(std::atoi(text)));
  }
  ~CallLimit() { ::alarm(0); }
  CallLimit(const CallLimit&) = delete;
  CallLimit& operator=(const CallLimit&) = delete;
};

// Calls `function(&call, message)` and looks after it at everything that it may not have changed: this
// process, the call's own structs (`arguments`), and what lies behind the message. What it changed of the
// process is put back, and all is noted (take_disturbances). A call that returned SEAMGATE_OK is noted in the
// launch log as plugin.NAME.
template <class Function, class Call>
Said watched(const char* name, Function function, const Call& call,
             std::span<const std::vector<seamgate_tensor>* const> arguments) {
  std::array<char, SEAMGATE_MESSAGE_BYTES + message_guard> message;
  message.fill(untouched_message);
  message[0] = '\0';
  std::vector<std::vector<seamgate_tensor>> before;
  for (const auto* tensors : arguments) before.push_back(*tensors);
  Call given = call;
  Said said{SEAMGATE_LAUNCH_FAILED, {}};
  auto limit = std::make_optional<CallLimit>();
  const ProcessState state;
  try {
    said.code = function(&given, message.data());
  } catch (const std::exception& error) {
    said.message = std::string("an exception left the C function: ") + error.what();
  } catch (...) {
    said.message = "an exception left the C function";
  }
  limit.reset();
  auto changed = state.restore();
  for (std::size_t i = SEAMGATE_MESSAGE_BYTES; i < message.size(); ++i) {
    if (message[i] == untouched_message) continue;
    changed.emplace_back("message was written beyond its SEAMGATE_MESSAGE_BYTES");
    break;
  }
  bool arguments_changed = std::memcmp(&given, &call, sizeof(Call)) != 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto bytes = before[i].size() * sizeof(seamgate_tensor);
    arguments_changed =
        arguments_changed || (bytes != 0 && std::memcmp(before[i].data(), arguments[i]->data(), bytes) != 0);
  }
  if (arguments_changed) changed.emplace_back("the call's own structs were changed");
  note_disturbances(name, changed);
  if (said.code == SEAMGATE_OK) simt::launch_log().note(std::string("plugin.") + name);
  if (said.message.empty()) said.message = printable(message.data(), SEAMGATE_MESSAGE_BYTES);
  return said;
}

}  // namespace seamgate::gates::plugin
