// Records are lines of JSON that say what was seen, whatever was seen.
#include "gates/record.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "gates/tests/temporary_folder.hpp"

namespace seamgate::gates {
namespace {

using nlohmann::json;

const RecordKey key{"run1", "truth", "rmsnorm", "cpu", "seamgate"};

std::vector<json> lines_of(const std::string& path) {
  std::vector<json> lines;
  std::istringstream in(text_of(path));
  for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
  return lines;
}

Numeric numeric(bool passed, double error) {
  Numeric result;
  result.case_text = "the case";
  result.tensor = "dx";
  result.you.passed = passed;
  result.you.error = error;
  result.you.failing = passed ? 0 : 3;
  result.you.got = error;
  result.you.want = 1.0;
  result.you.message = passed ? "" : "element 5 is wrong";
  result.bar = 1e-6;
  result.bar_source = "design";
  result.place = "row 0, column 5";
  return result;
}

class Record : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string path_ = folder_ / "record.jsonl";
};

TEST_F(Record, EveryLineNamesItsRunGateOpBackendAndImplementation) {
  Recorder recorder(path_, key);
  recorder.numeric(numeric(true, 1e-7));
  recorder.check("a check", true, "1", "1", "the case");
  recorder.note("a note");
  recorder.end("shipped");
  const auto lines = lines_of(path_);
  ASSERT_EQ(lines.size(), 5U);
  const char* kinds[] = {"begin", "case", "check", "note", "end"};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i]["kind"], kinds[i]);
    EXPECT_EQ(lines[i]["run_id"], "run1");
    EXPECT_EQ(lines[i]["gate"], "truth");
    EXPECT_EQ(lines[i]["op"], "rmsnorm");
    EXPECT_EQ(lines[i]["backend"], "cpu");
    EXPECT_EQ(lines[i]["implementation"], "seamgate");
  }
}

TEST_F(Record, IsOnDiskAtOnceAndKeepsWhatStoodBefore) {
  {
    Recorder recorder(path_, key);
    recorder.check("first", true, "1", "1");
    EXPECT_EQ(lines_of(path_).size(), 2U) << "a crash now must leave the check";
  }
  Recorder again(path_, key);
  EXPECT_EQ(lines_of(path_).size(), 3U);
}

TEST_F(Record, TheEndCountsWhatWasSeen) {
  Recorder recorder(path_, key);
  recorder.numeric(numeric(true, 0.0));
  recorder.numeric(numeric(false, 1.0));
  recorder.check("wrong", false, "0", "1", "the case");
  recorder.check("right", true, "1", "1", "the case");
  recorder.end("shipped");
  const json end = lines_of(path_).back();
  EXPECT_EQ(end["cases"], 2);
  EXPECT_EQ(end["checks"], 2);
  EXPECT_EQ(end["failed"], 2);
  EXPECT_GE(end["seconds"].get<double>(), 0.0);
  EXPECT_EQ(end["path"], "shipped");
  EXPECT_EQ(recorder.failed(), 2);
  EXPECT_EQ(recorder.first_failure(), "the case dx: element 5 is wrong");
}

TEST_F(Record, InfinityAndNanAreWords) {
  Recorder recorder(path_, key);
  recorder.numeric(numeric(false, std::numeric_limits<double>::infinity()));
  recorder.numeric(numeric(false, -std::numeric_limits<double>::infinity()));
  recorder.numeric(numeric(false, std::nan("")));
  const auto lines = lines_of(path_);
  EXPECT_EQ(lines[1]["error"], "inf");
  EXPECT_EQ(lines[2]["error"], "-inf");
  EXPECT_EQ(lines[3]["error"], "nan");
  EXPECT_EQ(lines[3]["got"], "nan");
}

TEST_F(Record, AFailureCarriesGotWantPlaceAndHowMany) {
  Recorder recorder(path_, key);
  recorder.numeric(numeric(false, 0.5));
  recorder.numeric(numeric(true, 0.0));
  const auto lines = lines_of(path_);
  EXPECT_EQ(lines[1]["passed"], false);
  EXPECT_EQ(lines[1]["got"], 0.5);
  EXPECT_EQ(lines[1]["want"], 1.0);
  EXPECT_EQ(lines[1]["place"], "row 0, column 5");
  EXPECT_EQ(lines[1]["how_many"], 3);
  EXPECT_EQ(lines[1]["message"], "element 5 is wrong");
  EXPECT_FALSE(lines[2].contains("got"));
}

TEST_F(Record, SaysWhoMoved) {
  const auto moved = [&](bool passed, std::optional<double> path_error) {
    Recorder recorder(path_, key);
    Numeric result = numeric(passed, passed ? 0.0 : 1.0);
    result.tensor_path_error = path_error;
    recorder.numeric(result);
    return lines_of(path_).back()["moved"].get<std::string>();
  };
  EXPECT_EQ(moved(true, 1e-7), "-");
  EXPECT_EQ(moved(true, std::nullopt), "-");
  EXPECT_EQ(moved(false, 1e-7), "you");
  EXPECT_EQ(moved(false, 1.0), "both");
  EXPECT_EQ(moved(true, 1.0), "tensor path");
  EXPECT_EQ(moved(true, std::nan("")), "tensor path");
}

TEST_F(Record, NumbersRoundTripToTheLastBit) {
  const double error = 0.1 + 0.2;
  Recorder recorder(path_, key);
  recorder.numeric(numeric(false, error));
  EXPECT_EQ(lines_of(path_).back()["error"].get<double>(), error);
}

TEST_F(Record, TextThatIsNoUtf8DoesNotEndTheGate) {
  Recorder recorder(path_, key);
  EXPECT_NO_THROW(recorder.check("a switch", false, "\xff\xfe", "unset"));
  EXPECT_EQ(lines_of(path_).back()["want"], "unset");
  EXPECT_NO_THROW(recorder.note("line\nbreak \"quoted\""));
  EXPECT_EQ(lines_of(path_).back()["message"], "line\nbreak \"quoted\"");
}

TEST_F(Record, AFolderThatIsNotThereIsAnErrorThatNamesIt) {
  try {
    Recorder recorder(folder_ / "nowhere/record.jsonl", key);
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("nowhere/record.jsonl"), std::string::npos) << error.what();
  }
}

TEST_F(Record, AWriteThatFailsIsAnError) {
  // A device that is always full.
  EXPECT_THROW(Recorder("/dev/full", key), std::runtime_error);
}

}  // namespace
}  // namespace seamgate::gates
