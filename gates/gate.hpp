// A gate: a named check with a question, the rows of requirements.json that it answers, its cases, and what
// it does with one. A gate is written once, for every op and every implementation.
//
//   const RegisterGate registered({
//       .id = "eps", .title = "eps is live", .question = Question::right, .rows = {"B16"},
//       .cases = [](const Plan& plan) { return ...; },
//       .run = [](Context& context, const Case& c) { ... context.record().numeric(...); }});
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gates/backend.hpp"
#include "gates/case.hpp"
#include "gates/implementation.hpp"
#include "gates/ops/op_traits.hpp"
#include "gates/record.hpp"
#include "gates/witness/witness.hpp"

namespace seamgate::gates {

// The five questions that head every report, and what keeps the house.
enum class Question { ran, trains, right, off, could_fail, house };

constexpr std::string_view to_string(Question question) {
  switch (question) {
    case Question::ran:
      return "ran";
    case Question::trains:
      return "trains";
    case Question::right:
      return "right";
    case Question::off:
      return "off";
    case Question::could_fail:
      return "could_fail";
    case Question::house:
      return "house";
  }
  return "?";
}

// What of an implementation a gate judges: which kinds of implementation it applies to follows from it.
enum class Reach {
  kernels,  // its functions, launched directly
  node,     // its functions behind seamgate's own seam, on the tape
  seam,     // the seam
  source,   // what only its source can tell, compiled for the checked emulator
  house,    // seamgate itself
  library,  // what only a library of somebody else's is asked
  own_seam,   // the seam that such a library brings
  own_switch  // and its switch
};

struct Plan {
  const OpTraits& op;
  Backend backend;
  Tier tier;

  const kernels::Contract& contract() const { return op.contract(); }
  bool at_least(Tier other) const { return tier >= other; }
};

// What a gate's run has in hand.
class Context {
 public:
  Context(const Plan& plan, const Implementation& implementation, Recorder& recorder)
      : plan_(plan), implementation_(implementation), recorder_(recorder) {}

  const Plan& plan() const { return plan_; }
  const OpTraits& op() const { return plan_.op; }
  const kernels::Contract& contract() const { return plan_.op.contract(); }
  const Implementation& implementation() const { return implementation_; }
  Backend backend() const { return plan_.backend; }
  Recorder& record() { return recorder_; }
  // Never null in a gate that is `witnessed`, but under a tool that has taken the witness.
  Witness* witness() const { return witness_in_hand(plan_.backend); }

  // Shorthand for a check that compares printable values.
  void check(const Case& c, const std::string& name, const std::string& got, const std::string& want) {
    recorder_.check(name, got == want, got, want, c.str());
  }
  void check(const Case& c, const std::string& name, bool passed) {
    recorder_.check(name, passed, passed ? "true" : "false", "true", c.str());
  }

 private:
  const Plan& plan_;
  const Implementation& implementation_;
  Recorder& recorder_;
};

// Thrown by a gate that cannot run here: the verdict is NOT RUN for this reason.
struct CannotRun {
  std::string reason;
};

struct Gate {
  std::string id;
  std::string title;
  Question question = Question::right;
  std::vector<std::string> rows;
  std::vector<Backend> backends = {Backend::cpu, Backend::cuda};
  // Why not on all backends: required where `backends` lacks one, refused where it lacks none.
  std::string backends_reason = {};
  // Why the number of cases is not the same on all backends; required, and refused, in the same way.
  std::string cases_reason = {};
  // Not empty: the gate does not apply to this op, and why.
  std::string (*inapplicable)(const OpTraits& op) = nullptr;
  std::vector<Case> (*cases)(const Plan& plan) = nullptr;
  void (*run)(Context& context, const Case& c) = nullptr;
  Reach reach = Reach::seam;
  // Whether a mutant is judged by this gate too; false where the answer cannot depend on the implementation.
  bool judges_mutants = true;
  int timeout_s = 120;
  // How many GPUs it needs on the backend cuda; where a machine has some, but fewer, it does not apply.
  int gpus = 1;
  // Compares counters with the kernels that the witness saw; without a witness it does not run.
  bool witnessed = false;
  // Its kernels are also run under compute-sanitizer: numbers alone, for the witness is taken there.
  bool sanitized = false;
  // Nothing else may run beside it: it takes times, or all of a GPU's memory.
  bool alone = false;
};

// In the order of their ids. Throws std::invalid_argument that lists them all.
const std::vector<const Gate*>& all_gates();
const Gate& find_gate(std::string_view id);

// Throws std::invalid_argument when the gate's backends and its reason for them disagree, or when it is witnessed and alone (the
// witness is off while times are taken), which ends the program before main.
struct RegisterGate {
  explicit RegisterGate(Gate gate);
};

bool is_declared_for(const Gate& gate, Backend backend);

// Whether a refusal says in one line what is wrong: ours name what is allowed, and all of `words`; a library has words of its own.
bool is_clear_refusal(const Context& context, const std::string& message, std::initializer_list<std::string_view> words = {});

// The gate's cases without those that a library's contract leaves out; of ours, all of them.
std::vector<Case> cases_of(const Gate& gate, const Plan& plan);
// Whether the contract has such a case at all: size, rank, and alignment and stride of its layout. What no kernel of rows can
// address is left to the seam to decline.
bool is_within(const OpTraits& op, const Case& c);

// Why a gate does not apply to a library of somebody else's, with a seam of its own or without; to ours, where there is none.
// Empty when it does.
struct LibrarySeam {
  bool any = false;
  bool has_switch = false;
};
std::string out_of_reach(const Gate& gate, const std::optional<LibrarySeam>& library);

// Why the gate does not apply to a machine with so many visible GPUs; empty where it does, and where there is none, since then
// it did not run for that reason.
std::string too_few_gpus(const Gate& gate, Backend backend, int gpus);

// For `inapplicable` of a gate whose answer is the same for every op: it is asked once, with the first op.
std::string answered_once(const OpTraits& op);

}  // namespace seamgate::gates
