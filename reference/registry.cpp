// The ops by name. The built-in ones are listed once, in CMakeLists.txt, which generates
// builtin_definitions.hpp.
#include <map>
#include <mutex>
#include <stdexcept>

#include "builtin_definitions.hpp"
#include "reference/op_definition.hpp"

namespace seamgate::reference {
namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<const OpDefinition>, std::less<>> by_name;

  Registry() {
    for (auto& definition : make_builtin_definitions()) add(std::move(definition));
  }
  void add(std::unique_ptr<const OpDefinition> definition) {
    const std::string name(definition->name());
    if (!by_name.try_emplace(name, std::move(definition)).second)
      throw std::invalid_argument("op '" + name + "' is already defined; a definition's name must be new");
  }
};

Registry& registry() {
  static Registry instance;
  return instance;
}

}  // namespace

const OpDefinition& find_definition(std::string_view op) {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  if (const auto found = r.by_name.find(op); found != r.by_name.end()) return *found->second;
  std::string known;
  for (const auto& [name, definition] : r.by_name) known += (known.empty() ? "" : ", ") + name;
  throw std::invalid_argument("no scalar definition of op '" + std::string(op) + "'; there are: " + known);
}

std::vector<std::string> definition_names() {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  std::vector<std::string> names;
  for (const auto& [name, definition] : r.by_name) names.push_back(name);
  return names;
}

void register_definition(std::unique_ptr<const OpDefinition> definition) {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  r.add(std::move(definition));
}

}  // namespace seamgate::reference
