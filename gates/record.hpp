// Evidence on disk: one JSON object a line, written out at once, so that a crash leaves what was seen before it.
#pragma once

#include <cstdint>
#include <fstream>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>

#include "gates/comparator.hpp"

namespace seamgate::gates {

struct RecordKey {
  std::string run_id;
  std::string gate;
  std::string op;
  std::string backend;
  std::string implementation;
};

// Where a gate's records are in a folder of records, and beside them the case that it is at, for whoever finds it dead.
std::string record_path(const std::string& folder, const RecordKey& key);
std::string case_path(const std::string& record_path);

// One numeric comparison, three ways: the implementation, the tensor path, both against the same truth.
struct Numeric {
  std::string case_text;
  std::string tensor;
  Comparison you;
  double bar = 0.0;
  std::string bar_source;
  std::optional<double> tensor_path_error;
  std::string place;  // "row 3, column 127"
  std::string where{};       // in which way the case was run, where a gate runs it in several
  std::string looks_like{};  // of a failure; empty where nothing known fits
};

class Recorder {
 public:
  // Opens `path` for appending and writes `begin`. Throws std::runtime_error when it cannot.
  Recorder(const std::string& path, RecordKey key);

  // Says which case comes next, so that a process that dies in it can be told by it.
  void at(const std::string& case_text);
  void numeric(const Numeric& result);
  void check(const std::string& name, bool passed, const std::string& got, const std::string& want,
             const std::string& case_text = {});
  // A check of `got == want` that carries what a seam counted and what the witness saw, for the report's sums.
  void counted(const std::string& name, const std::string& got, const std::string& want, const std::string& case_text,
               const nlohmann::ordered_json& counters);
  void note(const std::string& message);
  // What was counted and seen in one way of asking: "name", "asked", "declined", "node", "bare", "backward", "witness_forward",
  // "witness_backward", "passed". A report adds those of one name.
  void counters(const nlohmann::ordered_json& counted);
  void not_run(const std::string& reason);  // instead of `end`
  void end(const std::string& path_kind);

  int failed() const { return failed_; }
  const std::string& first_failure() const { return first_failure_; }

 private:
  void write(const char* kind, const nlohmann::ordered_json& fields);
  void forget_case();
  nlohmann::ordered_json judged(const std::string& name, bool passed, const std::string& got, const std::string& want,
                                const std::string& case_text);

  std::string path_;
  std::ofstream out_;
  RecordKey key_;
  std::set<std::string> cases_;
  std::int64_t checks_ = 0;
  std::int64_t numerics_ = 0;
  int failed_ = 0;
  std::string first_failure_;
  double started_s_;
};

}  // namespace seamgate::gates
