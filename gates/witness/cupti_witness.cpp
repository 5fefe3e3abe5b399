// The witness of a GPU.
#include "gates/witness/cupti_witness.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "gates/witness/symbol_name.hpp"

namespace seamgate::gates {
namespace {

constexpr std::size_t buffer_bytes = 256 * 1024;  // some 1,200 records; CUPTI asks for another one when it is full

struct Kernel {
  std::uint64_t start_ns = 0;
  const std::string* name = nullptr;
};

// CUPTI's callbacks carry no pointer of ours, and come on threads of its own.
struct Collected {
  std::mutex mutex;
  const CuptiLibrary* library = nullptr;  // null: no witness
  std::map<std::string, std::string> names;  // by symbol
  std::vector<Kernel> kernels;
  std::size_t canaries = 0;
  std::size_t sorted = 0;  // kernels before this one are in their order
  std::string error;       // the first; it stays
};

Collected& collected() {
  static auto* all = new Collected;  // CUPTI may call after statics are gone
  return *all;
}

template <class T>
T field(const std::uint8_t* record, std::size_t offset) {
  T value;
  std::memcpy(&value, record + offset, sizeof value);
  return value;
}

void keep(Collected& all, const std::uint8_t* record) {
  if (field<std::uint32_t>(record, cupti::kind_offset) != static_cast<std::uint32_t>(cupti::kind_concurrent_kernel)) return;
  const char* symbol = field<const char*>(record, cupti::name_offset);
  if (symbol == nullptr) {
    if (all.error.empty()) all.error = "a kernel's record has no name";
    return;
  }
  if (std::strcmp(symbol, canary_kernel) == 0) {
    ++all.canaries;
    return;
  }
  if (field<std::uint64_t>(record, cupti::end_offset) == 0 && all.error.empty()) {
    all.error = "the record of " + std::string(symbol) + " came before the kernel had ended";
  }
  auto known = all.names.find(symbol);
  if (known == all.names.end()) known = all.names.emplace(symbol, name_of_symbol(symbol)).first;
  all.kernels.push_back({field<std::uint64_t>(record, cupti::start_offset), &known->second});
}

void count_dropped(Collected& all, void* context, std::uint32_t stream) {
  std::size_t dropped = 0;
  const auto error = all.library->error_of(all.library->dropped_records(context, stream, &dropped), "cuptiActivityGetNumDroppedRecords");
  if (!all.error.empty()) return;
  if (!error.empty()) all.error = error;
  if (dropped > 0) all.error = "CUPTI dropped " + std::to_string(dropped) + " records";
}

void buffer_requested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(cupti::record_alignment, buffer_bytes));
  *bytes = *buffer == nullptr ? 0 : buffer_bytes;  // without a buffer CUPTI drops records, and says so
  *most_records = 0;
}

void buffer_completed(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t, std::size_t valid_bytes) {
  auto& all = collected();
  const std::lock_guard lock(all.mutex);
  if (buffer != nullptr && all.library != nullptr) {
    std::uint8_t* record = nullptr;
    cupti::Result result = cupti::success;
    while (valid_bytes > 0 && (result = all.library->next_record(buffer, valid_bytes, &record)) == cupti::success) keep(all, record);
    if (result != cupti::success && result != cupti::no_more_records && all.error.empty()) {
      all.error = all.library->error_of(result, "cuptiActivityGetNextRecord");
    }
    count_dropped(all, context, stream);
  }
  std::free(buffer);
}

void ignore_callback(void*, int, std::uint32_t, const void*) {}

}  // namespace

void CuptiWitness::must(cupti::Result result, const char* call) const {
  if (result == cupti::multiple_subscribers) throw NoWitness("CUPTI has another holder in this process (" + library_.error_of(result, call) + ")");
  if (result != cupti::success) throw NoWitness(library_.error_of(result, call));
}

CuptiWitness::CuptiWitness(CuptiLibrary library, DeviceHooks hooks) : library_(std::move(library)), hooks_(hooks) {
  auto& all = collected();
  {
    const std::lock_guard lock(all.mutex);
    if (all.library != nullptr) throw NoWitness("this process has one already");
    all.library = &library_;
    all.kernels.clear();
    all.canaries = all.sorted = 0;
    all.error.clear();
  }
  try {
    // Nothing is subscribed to: it is how CUPTI's clients tell each other that one is there.
    must(library_.subscribe(&subscriber_, &ignore_callback, nullptr), "cuptiSubscribe");
    must(library_.register_callbacks(&buffer_requested, &buffer_completed), "cuptiActivityRegisterCallbacks");
    must(library_.enable(cupti::kind_concurrent_kernel), "cuptiActivityEnable");
  } catch (...) {
    if (subscriber_ != nullptr) (void)library_.unsubscribe(subscriber_);
    const std::lock_guard lock(all.mutex);
    all.library = nullptr;
    throw;
  }
}

CuptiWitness::~CuptiWitness() {
  (void)library_.disable(cupti::kind_concurrent_kernel);
  (void)library_.flush_all(cupti::flush_forced);
  (void)library_.unsubscribe(subscriber_);
  auto& all = collected();
  const std::lock_guard lock(all.mutex);
  all.library = nullptr;
}

// Brings in all that was launched before.
void CuptiWitness::look() {
  auto& all = collected();
  std::size_t canaries = 0;
  {
    const std::lock_guard lock(all.mutex);
    canaries = all.canaries;
  }
  for (const auto hook : {hooks_.launch_canary, hooks_.synchronise}) {
    // A GPU that fails is the fault of what ran on it, not of who looks.
    if (const auto error = hook(); !error.empty()) throw std::runtime_error(error);
  }
  must(library_.flush_all(cupti::flush_forced), "cuptiActivityFlushAll");
  const std::lock_guard lock(all.mutex);
  count_dropped(all, nullptr, 0);
  if (all.error.empty() && all.canaries != canaries + 1) {
    all.error = "it saw the kernel that was launched to test it " + std::to_string(all.canaries - canaries) + " times, not once";
  }
  if (!all.error.empty()) throw NoWitness(all.error);
  const auto first = all.kernels.begin() + static_cast<std::ptrdiff_t>(all.sorted);
  std::stable_sort(first, all.kernels.end(), [](const Kernel& a, const Kernel& b) { return a.start_ns < b.start_ns; });
  all.sorted = all.kernels.size();
}

std::uint64_t CuptiWitness::mark() {
  look();
  const std::lock_guard lock(collected().mutex);
  return collected().kernels.size();
}

KernelsSeen CuptiWitness::since(std::uint64_t mark) {
  look();
  auto& all = collected();
  const std::lock_guard lock(all.mutex);
  KernelsSeen seen;
  for (std::size_t i = mark; i < all.kernels.size(); ++i) seen.names.push_back(*all.kernels[i].name);
  return seen;
}

}  // namespace seamgate::gates
