// Evidence on disk: one JSON object a line.
#include "gates/record.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace seamgate::gates {
namespace {

using nlohmann::ordered_json;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// JSON has no infinity; a reader of records takes these words for what they say.
ordered_json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

const char* who_moved(const Numeric& result) {
  const bool you = !result.you.passed;
  const bool path = result.tensor_path_error && !(*result.tensor_path_error <= result.bar);
  if (you && path) return "both";
  if (you) return "you";
  return path ? "tensor path" : "-";
}

}  // namespace

std::string record_path(const std::string& folder, const RecordKey& key) {
  std::string name = key.gate + "-" + key.op + "-" + key.backend + "-" + key.implementation;
  // A library's name for its kernel may hold anything.
  for (char& c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    if (!plain) c = '-';
  }
  return folder + "/" + name + ".jsonl";
}

std::string case_path(const std::string& record_path) { return record_path + ".case"; }

Recorder::Recorder(const std::string& path, RecordKey key) : path_(path), out_(path, std::ios::app), key_(std::move(key)), started_s_(now_s()) {
  if (!out_) throw std::runtime_error("records: cannot write '" + path + "'; allowed: a folder that exists and can be written");
  write("begin", ordered_json::object());
}

void Recorder::write(const char* kind, const ordered_json& fields) {
  ordered_json line = {{"kind", kind},          {"run_id", key_.run_id},   {"gate", key_.gate},
                       {"op", key_.op},         {"backend", key_.backend}, {"implementation", key_.implementation}};
  line.update(fields);
  // A variable of the environment may hold bytes that are no UTF-8; evidence of them is still evidence.
  out_ << line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n' << std::flush;
  if (!out_) throw std::runtime_error("records: writing a line of gate '" + key_.gate + "' failed; is the disk full?");
}

void Recorder::at(const std::string& case_text) { std::ofstream(case_path(path_)) << case_text << '\n'; }

void Recorder::numeric(const Numeric& result) {
  ++numerics_;
  cases_.insert(result.case_text);
  if (!result.you.passed) {
    ++failed_;
    if (first_failure_.empty()) first_failure_ = result.case_text + " " + result.tensor + ": " + result.you.message;
  }
  ordered_json fields = {{"case", result.case_text},
                         {"tensor", result.tensor},
                         {"error", number(result.you.error)},
                         {"bar", number(result.bar)},
                         {"bar_source", result.bar_source},
                         {"passed", result.you.passed},
                         {"moved", who_moved(result)}};
  if (!result.where.empty()) fields["where"] = result.where;
  if (result.tensor_path_error) fields["tensor_path_error"] = number(*result.tensor_path_error);
  if (!result.you.passed) {
    fields["got"] = number(result.you.got);
    fields["want"] = number(result.you.want);
    fields["place"] = result.place;
    fields["how_many"] = result.you.failing;
    fields["message"] = result.you.message;
    if (!result.looks_like.empty()) fields["looks_like"] = result.looks_like;
  }
  write("case", fields);
}

ordered_json Recorder::judged(const std::string& name, bool passed, const std::string& got, const std::string& want,
                              const std::string& case_text) {
  ++checks_;
  if (!case_text.empty()) cases_.insert(case_text);
  if (!passed) {
    ++failed_;
    if (first_failure_.empty()) first_failure_ = name + ": got " + got + ", want " + want;
  }
  ordered_json fields = {{"name", name}, {"passed", passed}, {"got", got}, {"want", want}};
  if (!case_text.empty()) fields["case"] = case_text;
  return fields;
}

void Recorder::check(const std::string& name, bool passed, const std::string& got, const std::string& want,
                     const std::string& case_text) {
  write("check", judged(name, passed, got, want, case_text));
}

void Recorder::counted(const std::string& name, const std::string& got, const std::string& want, const std::string& case_text,
                       const ordered_json& counters) {
  ordered_json fields = judged(name, got == want, got, want, case_text);
  fields["counters"] = counters;
  write("check", fields);
}

void Recorder::note(const std::string& message) { write("note", {{"message", message}}); }

void Recorder::counters(const ordered_json& counted) { write("note", {{"message", ""}, {"counters", counted}}); }

void Recorder::not_run(const std::string& reason) {
  write("not_run", {{"reason", reason}});
  forget_case();
}

void Recorder::end(const std::string& path_kind) {
  write("end", {{"cases", numerics_},
                {"checks", checks_},
                {"failed", failed_},
                {"seconds", now_s() - started_s_},
                {"path", path_kind}});
  forget_case();
}

void Recorder::forget_case() { std::remove(case_path(path_).c_str()); }

}  // namespace seamgate::gates
