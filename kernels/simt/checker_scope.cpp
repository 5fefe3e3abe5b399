// The living checker scopes.
#include <algorithm>
#include <mutex>

#include "kernels/simt/checker.hpp"

namespace seamgate::simt {
namespace {

std::mutex& scopes_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::vector<CheckerScope*>& scopes() {
  static std::vector<CheckerScope*> living;
  return living;
}

}  // namespace

CheckerScope::CheckerScope() {
  const std::lock_guard lock(scopes_mutex());
  scopes().push_back(this);
}

CheckerScope::~CheckerScope() {
  const std::lock_guard lock(scopes_mutex());
  std::erase(scopes(), this);
}

std::vector<Finding> CheckerScope::findings() const {
  const std::lock_guard lock(scopes_mutex());
  return findings_;
}

bool deliver(const std::vector<Finding>& findings) {
  const std::lock_guard lock(scopes_mutex());
  for (CheckerScope* scope : scopes()) {
    scope->findings_.insert(scope->findings_.end(), findings.begin(), findings.end());
  }
  return !scopes().empty();
}

}  // namespace seamgate::simt
