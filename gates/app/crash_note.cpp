// Gates whose process did not come to its end.
#include "gates/app/crash_note.hpp"

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace seamgate::gates {
namespace {

using nlohmann::ordered_json;

bool is_complete(const std::string& path) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const auto record = ordered_json::parse(line, nullptr, false);
    if (record.is_discarded()) continue;
    if (record.value("kind", "") == "end" || record.value("kind", "") == "not_run") return true;
  }
  return false;
}

// The case that the gate was at, as the recorder left it; empty before the first one.
std::string case_at(const std::string& path) {
  std::string text;
  std::getline(std::ifstream(case_path(path)), text);
  std::error_code ignored;
  std::filesystem::remove(case_path(path), ignored);
  return text;
}

void append(const std::string& path, const RecordKey& key, const char* kind, const std::string& reason) {
  const ordered_json line = {{"kind", kind},           {"run_id", key.run_id},   {"gate", key.gate},
                             {"op", key.op},           {"backend", key.backend}, {"implementation", key.implementation},
                             {"reason", reason}};
  std::ofstream(path, std::ios::app) << '\n' << line.dump() << '\n';  // the last line may have been cut off
}

// A gate ends by its record's end, and by no other exit.
std::string how(const ChildResult& result) {
  if (result.signal == SIGALRM) return "a call of the library did not return in its time (" + result.describe() + ")";
  if (result.exit_code == 0) return "something ended the process before the gate's end (" + result.describe() + ")";
  return result.describe();
}

}  // namespace

void note_crash(const std::vector<RecordKey>& keys, const std::string& folder, const ChildResult& result) {
  bool blamed = false;
  for (const RecordKey& key : keys) {
    const std::string path = record_path(folder, key);
    if (is_complete(path)) continue;
    if (blamed) {
      append(path, key, "not_run", "an earlier gate of the same process ended it");
      continue;
    }
    const std::string at = case_at(path);
    append(path, key, "crash", how(result) + (at.empty() ? " before its first case" : " in case " + at));
    blamed = true;
  }
  // Every gate had ended: it died on its way out, and what it did there is the last one's.
  if (!blamed) append(record_path(folder, keys.back()), keys.back(), "crash", result.describe() + " after its end");
}

void note_end(const std::vector<RecordKey>& keys, const std::string& folder, const ChildResult& result) {
  bool whole = result.exit_code == 0 && !result.timed_out;
  for (const RecordKey& key : keys) whole = whole && is_complete(record_path(folder, key));
  if (!whole) note_crash(keys, folder, result);
}

}  // namespace seamgate::gates
