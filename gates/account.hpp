// The program that holds documents, figures and builds to account (reports/seamgate_account.py), and its
// answer as checks.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gates/gate.hpp"

namespace seamgate::gates {

struct Finding {
  std::string where;  // file:line, or the name of a build
  std::string what;
  std::string got;
  std::string want;
};

struct Account {
  std::map<std::string, int> looked_at;       // by kind
  std::map<std::string, std::string> listed;  // by name, as JSON
  std::vector<Finding> findings;
};

// Runs one of its commands on the source tree that this program was built from. Throws CannotRun when the
// tree or a tool is not here, std::runtime_error when there is no answer.
Account take_account(const std::vector<std::string>& arguments, double timeout_s);

// One check for each finding, and one for each of `kinds`: an account that looked at none of them has seen
// nothing.
void check_account(Context& context, const Case& c, const Account& account,
                   const std::vector<std::string>& kinds);

}  // namespace seamgate::gates
