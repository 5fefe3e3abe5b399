// `seamgate check ./libmine.so --op rmsnorm`: somebody else's kernel, judged by the gates that judge ours.
#pragma once

#include <optional>
#include <string>

#include "gates/app/plan.hpp"

namespace seamgate::gates {

struct CheckOptions {
  std::string library;  // a path
  std::string op;
  std::string kernel;   // empty: the only one of the op
  std::string variant;  // empty: all that it serves
  std::optional<Backend> backend;
  RunOptions run;
};

// Asks the library in a child process what it is, and runs every gate that applies to it, each in a child
// process. Returns the exit code of the run. Throws std::invalid_argument with one line, before anything is
// written, for a library that cannot be asked or whose contract contradicts itself.
int check(CheckOptions options);

// What the child process does: opens the library and writes {"facts": ...} or {"refused": "one line"} to
// `result`.
struct FactsJob {
  std::string implementation;
  std::string op;
  std::string backend;  // cpu, cuda, or empty
  std::string result;
};
void find_facts(const FactsJob& job);

}  // namespace seamgate::gates
