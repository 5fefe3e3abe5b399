// How commands and records name a plug-in: plugin:PATH[,kernel=NAME][,variant=NAME]; a control is
// wrapped:FAULT:plugin:...
#pragma once

#include <string>
#include <string_view>

namespace seamgate::gates::plugin {

inline constexpr std::string_view prefix = "plugin:";
inline constexpr std::string_view wrapped_prefix = "wrapped:";

struct Reference {
  std::string path;
  std::string kernel;   // empty: the only one of the op
  std::string variant;  // empty: all that it serves
  std::string fault;    // empty: as the library is

  // As it was given, without the fault.
  std::string name() const;
};

bool is_reference(std::string_view text);
// Throws std::invalid_argument: what was given, what is allowed.
Reference parse_reference(std::string_view text);
std::string wrapped_name(std::string_view fault, std::string_view plugin);

}  // namespace seamgate::gates::plugin
