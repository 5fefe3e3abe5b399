// CUPTI by dlopen: the few calls and the few fields of its records that the witness needs. Nothing links with it.
//
// The declarations follow the headers of CUPTI 13.0 (cupti_activity.h, cupti_callbacks.h, cupti_result.h); where the toolkit has
// them, the build checks the numbers (cupti_abi.cpp). A CUPTI of another version is refused: its records may lie otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace seamgate::gates {

namespace cupti {

using Result = int;  // an enum in C
inline constexpr Result success = 0;
inline constexpr Result no_more_records = 12;        // CUPTI_ERROR_MAX_LIMIT_REACHED
inline constexpr Result multiple_subscribers = 39;   // CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
inline constexpr int kind_concurrent_kernel = 10;    // CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
inline constexpr std::uint32_t flush_forced = 1;     // CUPTI_ACTIVITY_FLAG_FLUSH_FORCED
inline constexpr std::uint32_t first_version = 130000;  // 13.0.0 ...
inline constexpr std::uint32_t last_version = 130099;   // ... to the last of 13.0
inline constexpr std::size_t record_alignment = 8;

// Where the fields lie in CUpti_ActivityKernel10. The kind comes first in a record of any kind.
inline constexpr std::size_t kind_offset = 0;   // uint32_t
inline constexpr std::size_t start_offset = 16;  // uint64_t, ns
inline constexpr std::size_t end_offset = 24;    // uint64_t, ns; 0: not ended
inline constexpr std::size_t name_offset = 104;  // const char*, the symbol

using BufferRequested = void (*)(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records);
using BufferCompleted = void (*)(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t bytes, std::size_t valid_bytes);
using Callback = void (*)(void* user, int domain, std::uint32_t id, const void* data);

}  // namespace cupti

class CuptiLibrary {
 public:
  // SEAMGATE_CUPTI when it is set, else libcupti.so.13 from where the loader and the toolkit have it. Throws NoWitness: there is
  // none, it is of another version, or another tool has asked for the injection of its own (CUDA_INJECTION64_PATH,
  // NVTX_INJECTION64_PATH), or this process runs under one (SEAMGATE_UNDER_TOOL).
  static CuptiLibrary open_in_this_environment();
  // Throws NoWitness.
  static CuptiLibrary open(const std::string& path);

  // "CALL: NAME (NUMBER)"; empty for success.
  std::string error_of(cupti::Result result, const char* call) const;

  const std::string& path() const { return path_; }

  cupti::Result (*get_version)(std::uint32_t*) = nullptr;
  cupti::Result (*get_result_string)(cupti::Result, const char**) = nullptr;
  cupti::Result (*subscribe)(void** subscriber, cupti::Callback, void* user) = nullptr;
  cupti::Result (*unsubscribe)(void* subscriber) = nullptr;
  cupti::Result (*register_callbacks)(cupti::BufferRequested, cupti::BufferCompleted) = nullptr;
  cupti::Result (*enable)(int kind) = nullptr;
  cupti::Result (*disable)(int kind) = nullptr;
  cupti::Result (*flush_all)(std::uint32_t flag) = nullptr;
  cupti::Result (*next_record)(std::uint8_t* buffer, std::size_t valid_bytes, std::uint8_t** record) = nullptr;
  cupti::Result (*dropped_records)(void* context, std::uint32_t stream, std::size_t* dropped) = nullptr;

 private:
  CuptiLibrary() = default;
  std::string path_;
};

}  // namespace seamgate::gates
