// From a compiler's spelling of `launch<Kernel>` to the name that logs, gates and findings use.
#pragma once

#include <string>
#include <string_view>

namespace seamgate::simt {

// "... [with auto Kernel = seamgate::kernels::rmsnorm::plain::forward_kernel<float>; ...]" and build "plain"
// give "rmsnorm::forward_kernel<float>": the build's inline namespace and seamgate's own outer namespaces are
// dropped.
inline std::string kernel_name(std::string_view pretty_function, std::string_view build) {
  std::string_view text = pretty_function;
  for (std::string_view start : {"Kernel = ", "Kernel="}) {
    if (const auto at = pretty_function.find(start); at != std::string_view::npos) {
      text = pretty_function.substr(at + start.size());
      break;
    }
  }
  // The argument ends at the first comma, semicolon or bracket outside its own angle brackets.
  std::string name;
  int depth = 0;
  for (const char c : text) {
    if (depth == 0 && (c == ';' || c == ']' || c == ',')) break;
    if (depth == 0 && (c == '(' || c == ')' || c == '&' || c == ' ')) continue;
    if (c == '<') ++depth;
    if (c == '>') --depth;
    if (c == '>' && !name.empty() && name.back() == ' ') name.pop_back();
    name += c;
  }
  const auto erase_all = [&name](std::string_view part) {
    for (auto at = name.find(part); at != std::string::npos; at = name.find(part, at)) {
      const bool starts_a_word =
          at == 0 || std::string_view("<,: (&*").find(name[at - 1]) != std::string_view::npos;
      if (starts_a_word) {
        name.erase(at, part.size());
      } else {
        ++at;
      }
    }
  };
  erase_all(std::string(build) + "::");
  erase_all("seamgate::");
  erase_all("kernels::");
  return name;
}

}  // namespace seamgate::simt
