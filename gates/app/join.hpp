// Joining a run: one gate in a process of its own, as CTest starts them, with its records in the folder of a run that
// `seamgate plan` has made. SEAMGATE_RUN names the folder; `seamgate decide` makes one report of all of them.
//
// A gate is judged once in a run. Whoever comes second, at the same time or later, is refused before anything runs, so that
// records are never mixed and no rerun can replace a failure.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "gates/app/plan.hpp"

namespace seamgate::gates {

class JoinedRun {
 public:
  static constexpr const char* claims = "joined";  // the folder, in that of the run, that says who has joined

  // Nothing where SEAMGATE_RUN is unset or empty. `options` takes tier, switches and folder of the run. Throws
  // std::invalid_argument: not one gate for CTest, no plan that can be read, a plan of another program or of other sources,
  // a run that was decided already, another tier or a switch asked for.
  static std::optional<JoinedRun> from_environment(RunOptions& options);

  // `plan` takes the run's id and says of each gate what the run's own plan says. Throws std::invalid_argument for a gate that
  // is not in that plan or that has joined already.
  void take_part(RunPlan& plan) const;

  // The verdict on what this process ran, as an exit code: 0 PASS, 1 FAIL, 77 NOT RUN, 70 broken. Writes nothing.
  int judge(const RunOptions& options, const RunPlan& plan) const;

 private:
  JoinedRun(std::string folder, nlohmann::json plan) : folder_(std::move(folder)), plan_(std::move(plan)) {}
  void claim(const std::string& name) const;
  [[noreturn]] void refuse(const std::string& why) const;

  std::string folder_;
  nlohmann::json plan_;
};

}  // namespace seamgate::gates
