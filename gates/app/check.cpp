// Somebody else's kernel.
#include "gates/app/check.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "gates/app/run.hpp"
#include "gates/app/spawn.hpp"
#include "gates/plugin/library.hpp"
#include "gates/plugin/reference.hpp"

namespace seamgate::gates {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr double patience_s = 30;  // for loading a library and asking it for its description

// What the child has found of the library, which is a stranger: it may crash, hang, or end the process when
// it is loaded.
plugin::Facts ask_for_facts(const plugin::Reference& reference, const OpTraits& op,
                            const std::optional<Backend>& backend) {
  const fs::path folder = fs::temp_directory_path() / ("seamgate-facts-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const fs::path result = folder / "facts.json";
  const std::string machine = backend ? std::string(to_string(*backend)) : "";
  const ChildResult ended = Child({own_program(), "facts", "--implementation", reference.name(), "--op",
                                   op.name, "--backend", machine, "--result", result.string()},
                                  {}, patience_s, (folder / "output.txt").string(), true)
                                .wait();
  std::ifstream in(result);
  const auto answer = ordered_json::parse(in, nullptr, false);
  fs::remove_all(folder);
  if (answer.is_object() && answer.contains("refused"))
    throw std::invalid_argument(answer["refused"].get<std::string>());
  if (ended.exit_code != 0 || ended.timed_out || !answer.is_object() || !answer.contains("facts")) {
    throw std::invalid_argument("library '" + reference.path + "': loading it ended the process that did (" +
                                ended.describe() + "); expected: seamgate_kernel() returns a description");
  }
  return plugin::facts_from_json(answer["facts"], op);
}

}  // namespace

void find_facts(const FactsJob& job) {
  ordered_json answer;
  try {
    const plugin::Reference reference = plugin::parse_reference(job.implementation);
    const OpTraits& op = find_op(job.op);
    const auto& library = plugin::open_library(reference.path);
    try {
      const auto& kernel = plugin::choose_kernel(library, op.name, reference.kernel, job.backend);
      answer["facts"] = plugin::facts_json(plugin::facts_of(library, kernel, op, reference.variant));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("library '" + reference.path + "': " + error.what());
    }
  } catch (const std::invalid_argument& error) {
    answer["refused"] = error.what();
  }
  std::ofstream(job.result) << answer.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
}

int check(CheckOptions options) {
  const OpTraits& op = find_op(options.op);
  plugin::Reference reference{options.library, options.kernel, options.variant, ""};
  JudgedLibrary library{options.library, reference.name(), ask_for_facts(reference, op, options.backend)};
  reference.kernel = library.facts.kernel;  // which one it is depended on what was asked for
  library.implementation = reference.name();
  library.op = &plugin::put_in_force(op, library.facts);
  options.run.required = {library.facts.backend};
  options.run.library = std::move(library);
  return run(options.run);
}

}  // namespace seamgate::gates
