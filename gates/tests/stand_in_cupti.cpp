// A stand-in for libcupti: the entry points that the witness calls, and one by which a test "launches" a kernel. What it does
// wrong is chosen by SEAMGATE_STAND_IN_CUPTI, read at each call:
//   ok  busy_subscriber  dropped  flush_error  blind (sees nothing)  unfinished (records before the kernels end)  nameless
//   enable_error  record_error  version_12  version_13_1
// Its records are laid out as CUPTI 13.0's are.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

namespace {

using Requested = void (*)(std::uint8_t**, std::size_t*, std::size_t*);
using Completed = void (*)(void*, std::uint32_t, std::uint8_t*, std::size_t, std::size_t);

constexpr std::size_t record_bytes = 216;

struct {
  Requested requested = nullptr;
  Completed completed = nullptr;
  bool enabled = false;
  bool subscribed = false;
  std::uint64_t now_ns = 1;
  std::vector<std::pair<std::string*, std::uint64_t>> pending;  // symbol, start
} state;

bool mode_is(const char* mode) {
  const char* chosen = std::getenv("SEAMGATE_STAND_IN_CUPTI");
  return chosen != nullptr && std::strcmp(chosen, mode) == 0;
}

std::string* lasting(const char* symbol) {
  static std::deque<std::string> symbols;
  symbols.emplace_back(symbol);
  return &symbols.back();
}

template <class T>
void put(std::uint8_t* record, std::size_t offset, T value) {
  std::memcpy(record + offset, &value, sizeof value);
}

}  // namespace

extern "C" {

void stand_in_launch(const char* symbol) {
  if (state.enabled && !mode_is("blind")) state.pending.emplace_back(lasting(symbol), state.now_ns);
  state.now_ns += 10;
}

int cuptiGetVersion(std::uint32_t* version) {
  *version = mode_is("version_12") ? 120900 : mode_is("version_13_1") ? 130100 : 130001;
  return 0;
}

int cuptiGetResultString(int result, const char** text) {
  *text = result == 39 ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED" : result == 7 ? "CUPTI_ERROR_HARDWARE" : "CUPTI_ERROR_UNKNOWN";
  return 0;
}

int cuptiSubscribe(void** subscriber, void (*)(void*, int, std::uint32_t, const void*), void*) {
  if (mode_is("busy_subscriber") || state.subscribed) return 39;
  state.subscribed = true;
  *subscriber = &state;
  return 0;
}

int cuptiUnsubscribe(void*) {
  state.subscribed = false;
  return 0;
}

int cuptiActivityRegisterCallbacks(Requested requested, Completed completed) {
  state.requested = requested;
  state.completed = completed;
  return 0;
}

int cuptiActivityEnable(int kind) {
  if (mode_is("enable_error") || kind != 10) return 7;
  state.enabled = true;
  return 0;
}

int cuptiActivityDisable(int) {
  state.enabled = false;
  state.pending.clear();
  return 0;
}

int cuptiActivityFlushAll(std::uint32_t flag) {
  if (mode_is("flush_error") || flag != 1) return 7;
  std::size_t next = 0;
  // The last kernel first: CUPTI promises no order.
  while (next < state.pending.size()) {
    std::uint8_t* buffer = nullptr;
    std::size_t bytes = 0;
    std::size_t most = 0;
    state.requested(&buffer, &bytes, &most);
    std::size_t used = 0;
    for (; next < state.pending.size() && used + record_bytes <= bytes; ++next, used += record_bytes) {
      const auto& [symbol, start] = state.pending[state.pending.size() - 1 - next];
      std::uint8_t* record = buffer + used;
      std::memset(record, 0, record_bytes);
      put<std::uint32_t>(record, 0, 10);
      put<std::uint64_t>(record, 16, start);
      put<std::uint64_t>(record, 24, mode_is("unfinished") ? 0 : start + 5);
      put<const char*>(record, 104, mode_is("nameless") ? nullptr : symbol->c_str());
    }
    state.completed(nullptr, 0, buffer, bytes, used);
  }
  state.pending.clear();
  return 0;
}

int cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid_bytes, std::uint8_t** record) {
  if (mode_is("record_error")) return 7;
  *record = *record == nullptr ? buffer : *record + record_bytes;
  return *record + record_bytes <= buffer + valid_bytes ? 0 : 12;
}

int cuptiActivityGetNumDroppedRecords(void*, std::uint32_t, std::size_t* dropped) {
  *dropped = mode_is("dropped") ? 3 : 0;
  return 0;
}

}  // extern "C"
