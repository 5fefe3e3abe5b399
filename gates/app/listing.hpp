// What the program can tell of itself: gates, ops, implementations, and the rows that must hold.
#pragma once

#include <string>

namespace seamgate::gates {

void print_list(bool as_json);

// Rows with their gates, and verdicts from the summary in `folder`; "not run" where there is none.
void print_requirements(const std::string& folder, bool as_json);

}  // namespace seamgate::gates
