// Holds the declarations of gates/witness/cupti_library.hpp against the toolkit's own headers. Compiled where those are there.
#include <cupti.h>

#include <type_traits>

#include "gates/witness/cupti_library.hpp"

namespace seamgate::gates::cupti {

#if CUPTI_API_VERSION >= 130000 && CUPTI_API_VERSION <= 130099
using Kernel = CUpti_ActivityKernel10;
static_assert(offsetof(Kernel, kind) == kind_offset && offsetof(CUpti_Activity, kind) == kind_offset);
static_assert(offsetof(Kernel, start) == start_offset && sizeof(Kernel::start) == 8);
static_assert(offsetof(Kernel, end) == end_offset && sizeof(Kernel::end) == 8);
static_assert(offsetof(Kernel, name) == name_offset && std::is_same_v<decltype(Kernel::name), const char*>);
static_assert(CUPTI_API_VERSION >= first_version && CUPTI_API_VERSION <= last_version);
#endif
static_assert(CUPTI_SUCCESS == success && CUPTI_ERROR_MAX_LIMIT_REACHED == no_more_records);
static_assert(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED == multiple_subscribers);
static_assert(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL == kind_concurrent_kernel);
static_assert(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED == flush_forced && ACTIVITY_RECORD_ALIGNMENT == record_alignment);
static_assert(sizeof(CUptiResult) == sizeof(Result) && sizeof(CUpti_ActivityKind) == sizeof(int));

}  // namespace seamgate::gates::cupti
