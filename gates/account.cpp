// Runs reports/seamgate_account.py and reads what it found.
#include "gates/account.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "gates/app/report_program.hpp"
#include "gates/app/spawn.hpp"

namespace seamgate::gates {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int clean = 0;
constexpr int findings = 1;
constexpr int cannot_look = 3;

json parse(const fs::path& file) {
  std::ifstream in(file);
  return json::parse(in, nullptr, false);
}

}  // namespace

Account take_account(const std::vector<std::string>& arguments, double timeout_s) {
  const fs::path source = SEAMGATE_SOURCE_DIR;
  const fs::path program = fs::path(report_program()).parent_path() / "seamgate_account.py";
  if (!fs::exists(source / "CMakePresets.json") || !fs::exists(program))
    throw CannotRun{"no source tree in " + source.string()};
  std::vector<std::string> command = {"/usr/bin/env", "python3", "-B", program.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"--source", source.string()});
  const fs::path answer =
      fs::temp_directory_path() / ("seamgate-account-" + std::to_string(::getpid()) + ".json");
  const ChildResult ended = Child(command, {}, timeout_s, answer.string()).wait();
  const json result = parse(answer);
  fs::remove(answer);
  if (result.is_discarded() || !result.is_object()) {
    throw std::runtime_error("seamgate_account.py " + arguments.front() +
                             " gave no answer: " + ended.describe());
  }
  if (ended.exit_code == cannot_look) throw CannotRun{result.value("cannot_look", "no reason was given")};
  Account account;
  for (const auto& [kind, count] : result.at("looked_at").items()) account.looked_at[kind] = count.get<int>();
  for (const auto& [name, value] : result.at("listed").items()) {
    account.listed[name] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  for (const auto& found : result.at("findings")) {
    account.findings.push_back({found.at("where"), found.at("what"), found.at("got"), found.at("want")});
  }
  if (ended.exit_code != (account.findings.empty() ? clean : findings)) {
    throw std::runtime_error("seamgate_account.py " + arguments.front() +
                             " contradicts itself: " + ended.describe() + " with " +
                             std::to_string(account.findings.size()) + " findings");
  }
  return account;
}

void check_account(Context& context, const Case& c, const Account& account,
                   const std::vector<std::string>& kinds) {
  for (const auto& kind : kinds) {
    const auto found = account.looked_at.find(kind);
    const int count = found == account.looked_at.end() ? 0 : found->second;
    context.record().check("kind looked at: " + kind, count > 0, std::to_string(count), "more than 0",
                           c.str());
  }
  for (const auto& found : account.findings) {
    context.record().check(found.where + ": " + found.what, false, found.got, found.want, c.str());
  }
  context.check(c, "findings", std::to_string(account.findings.size()), "0");
}

}  // namespace seamgate::gates
