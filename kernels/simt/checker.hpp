// What checked kernels are told about themselves. A checked build calls the checker at every load, store,
// barrier and warp operation; nothing hangs and nothing ends the process.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace seamgate::simt {

// Kinds of finding. Those marked (stops) end the launch, which then returns launch_failed("checker: ...").
namespace finding {
inline constexpr std::string_view race_between_blocks = "race_between_blocks";
inline constexpr std::string_view race_in_block = "race_in_block";        // threads of two warps
inline constexpr std::string_view missing_syncwarp = "missing_syncwarp";  // lanes of one warp
inline constexpr std::string_view unwritten_shared = "unwritten_shared_read";
inline constexpr std::string_view unwritten_device = "unwritten_read";  // of a buffer registered as unwritten
inline constexpr std::string_view out_of_bounds = "out_of_bounds";      // (stops)
inline constexpr std::string_view misaligned = "misaligned";            // (stops)
inline constexpr std::string_view index_overflow = "index_overflow";    // signed integer arithmetic
inline constexpr std::string_view divergent_barrier = "divergent_barrier";  // (stops)
inline constexpr std::string_view deadlock = "deadlock";                    // (stops)
inline constexpr std::string_view shuffle_mask = "shuffle_mask";    // stops, unless only a value is undefined
inline constexpr std::string_view shared_memory = "shared_memory";  // (stops) more static than a GPU has
inline constexpr std::string_view checker_limit = "checker_limit";  // (stops) too many barriers or warp syncs
}  // namespace finding

struct Finding {
  std::string kind;
  std::string kernel;
  std::string message;  // one printable line: block, threads, lines of both sides, buffer
  int count = 1;        // how often, at this kind and these lines, within one launch
};

// Collects the findings of every checked launch of this process while it lives; scopes may nest, each
// collects. A launch with findings that nobody collects returns launch_failed.
class CheckerScope {
 public:
  CheckerScope();
  ~CheckerScope();
  CheckerScope(const CheckerScope&) = delete;
  CheckerScope& operator=(const CheckerScope&) = delete;

  // So far, in order; at most 64 of one launch.
  std::vector<Finding> findings() const;

 private:
  friend bool deliver(const std::vector<Finding>& findings);
  std::vector<Finding> findings_;
};

// For the emulator: hands findings to every living scope; false when there is none.
bool deliver(const std::vector<Finding>& findings);

}  // namespace seamgate::simt
