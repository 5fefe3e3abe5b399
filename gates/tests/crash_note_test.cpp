// What is written of gates whose process did not come to its end.
#include "gates/app/crash_note.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "gates/tests/temporary_folder.hpp"

namespace seamgate::gates {
namespace {

RecordKey key_of(const std::string& gate) { return {"run1", gate, "rmsnorm", "cpu", "seamgate"}; }

// The last line of the gate's record as "kind: reason".
std::string last_of(const std::string& folder, const std::string& gate) {
  std::istringstream in(text_of(record_path(folder, key_of(gate))));
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) last = line;
  }
  const auto record = nlohmann::json::parse(last);
  return record.value("kind", "") + ": " + record.value("reason", "");
}

ChildResult killed_by(int signal) {
  ChildResult result;
  result.signal = signal;
  return result;
}

TEST(CrashNote, NamesTheCaseThatTheGateWasAtAndSparesTheOthers) {
  const TemporaryFolder folder;
  const std::string path = folder / "";
  Recorder(record_path(path, key_of("eps")), key_of("eps")).end("shipped");
  {
    Recorder truth(record_path(path, key_of("truth")), key_of("truth"));
    truth.at("the first case");
    truth.check("is right", true, "1", "1", "the first case");
    truth.at("the second case");
  }
  note_crash({key_of("eps"), key_of("truth"), key_of("layouts")}, path, killed_by(11));
  EXPECT_EQ(last_of(path, "eps"), "end: ");
  EXPECT_EQ(last_of(path, "truth"), "crash: signal 11 (Segmentation fault) in case the second case");
  EXPECT_EQ(last_of(path, "layouts"), "not_run: an earlier gate of the same process ended it");
  EXPECT_FALSE(std::filesystem::exists(case_path(record_path(path, key_of("truth")))));
}

TEST(CrashNote, AnExitThatLooksWellIsNone) {
  const TemporaryFolder folder;
  const std::string path = folder / "";
  Recorder(record_path(path, key_of("eps")), key_of("eps")).end("shipped");
  ChildResult well;
  well.exit_code = 0;
  note_end({key_of("eps")}, path, well);
  EXPECT_EQ(last_of(path, "eps"), "end: ");
  Recorder(record_path(path, key_of("truth")), key_of("truth")).at("a case");
  note_end({key_of("eps"), key_of("truth")}, path, well);
  EXPECT_EQ(last_of(path, "truth"), "crash: something ended the process before the gate's end (exit 0) in case a case");
  Recorder(record_path(path, key_of("layouts")), key_of("layouts")).at("a case");
  note_end({key_of("layouts")}, path, killed_by(14));
  EXPECT_EQ(last_of(path, "layouts"), "crash: a call of the library did not return in its time (signal 14 (Alarm clock)) in case a case");
}

TEST(CrashNote, SaysThatNoCaseHadBegun) {
  const TemporaryFolder folder;
  const std::string path = folder / "";
  ChildResult late;
  late.timed_out = true;
  late.seconds = 5.0;
  note_crash({key_of("truth")}, path, late);
  EXPECT_EQ(last_of(path, "truth"), "crash: timeout after 5 s before its first case");
}

TEST(CrashNote, BlamesTheLastGateForADeathAfterEveryEnd) {
  const TemporaryFolder folder;
  const std::string path = folder / "";
  for (const char* gate : {"eps", "truth"}) Recorder(record_path(path, key_of(gate)), key_of(gate)).end("shipped");
  note_crash({key_of("eps"), key_of("truth")}, path, killed_by(6));
  EXPECT_EQ(last_of(path, "eps"), "end: ");
  EXPECT_EQ(last_of(path, "truth"), "crash: signal 6 (Aborted) after its end");
}

TEST(CrashNote, AGateThatEndedLeavesNoWordOfItsCase) {
  const TemporaryFolder folder;
  const std::string path = record_path(folder / "", key_of("truth"));
  Recorder recorder(path, key_of("truth"));
  recorder.at("a case");
  EXPECT_EQ(text_of(case_path(path)), "a case\n");
  recorder.end("shipped");
  EXPECT_FALSE(std::filesystem::exists(case_path(path)));
}

}  // namespace
}  // namespace seamgate::gates
