// Gate `trainer`: a small model learns through the seam as it does by tensor operations. Two runs from one
// seed, one asking the implementation for the op's modules and one on its tensor path; every other module
// goes by tensor operations in both. A third, the tensor path with one value moved by one ulp, says how far
// apart two runs drift that differ by nothing else.
//
// A case's shape is steps x sequences x columns of the model: rmsnorm/torch/f32/50x121x16/normal/s1.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "gates/counted.hpp"
#include "gates/numeric.hpp"
#include "gates/tape_graph.hpp"
#include "gates/trainer/eval_line.hpp"
#include "gates/trainer/task.hpp"
#include "gates/trainer/train.hpp"

namespace seamgate::gates {
namespace {

// Steps of a run, each tier's inside the next one's.
constexpr int shortest = 10;
constexpr int middle = 50;
constexpr int longest = 300;

constexpr std::int64_t modulus = 11;
constexpr std::int64_t width = 16;

// The largest last loss that shows learning. On short runs the first loss falls by getting smaller logits;
// then it must be less than anybody reaches who knows how often each answer occurs and nothing of the
// sequence.
double most_at_the_end(const trainer::Options& options, double first_loss) {
  const double uninformed = trainer::modular_addition(options.sizes.modulus).uninformed_loss();
  if (options.steps >= longest) return 0.1 * uninformed;
  if (options.steps >= middle) return 0.85 * uninformed;
  return options.steps >= shortest ? 0.75 * first_loss : first_loss;
}

struct Place {
  const char* label;
  int asks_per_step;
  trainer::Module trainer::Modules::*module;
};

Place place_of_role(TrainerRole role) {
  switch (role) {
    case TrainerRole::norm:
      return {"norm", trainer::norms_per_forward, &trainer::Modules::norm};
    case TrainerRole::gate_unit:
      return {"gate_unit", trainer::gate_units_per_forward, &trainer::Modules::gate_unit};
    case TrainerRole::add_norm:
      return {"add_norm", trainer::add_norms_per_forward, &trainer::Modules::add_norm};
    case TrainerRole::none:
      break;
  }
  throw std::logic_error("the small trainer has no place for this op");
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// |got - want| / |want| of one step's loss; infinity where that says nothing.
double loss_error(float got, float want) {
  const double error = std::abs(static_cast<double>(got) - want) / std::abs(static_cast<double>(want));
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

class Pair {
 public:
  Pair(Context& context, const Case& c)
      : context_(context), case_(c), place_(place_of_role(context.op().trainer_role)) {
    options_.steps = static_cast<int>(c.shape[0]);
    options_.sizes.modulus = std::llround(std::sqrt(static_cast<double>(c.shape[1])));
    options_.sizes.width = c.shape[2];
    options_.sizes.hidden = 2 * c.shape[2];
    options_.evaluate_every = std::max(1, options_.steps / 3);
    options_.seed = c.seed;
  }

  trainer::Training by_seam() {
    Watch watch(context_);
    Witness& witness = *context_.witness();
    std::uint64_t mark = witness.mark();
    std::uint64_t forwards = 0;
    std::uint64_t backwards = 0;
    const auto evaluation = [&](int steps, float loss) {
      const std::string served = trainer::served(place_.label, watch.counters());
      context_.record().note(case_.str() + ": " + trainer::eval_line(steps, loss) + " " + served);
      const std::string asks = std::to_string(steps * place_.asks_per_step);
      check("eval line after " + std::to_string(steps) + " steps", served,
            std::string(place_.label) + "=" + asks + "/0/" + asks);
      const auto seen = witness.since(mark);
      forwards += forwards_of(context_.contract(), seen);
      backwards += backwards_of(context_.contract(), seen);
      mark = witness.mark();  // the emulator's log keeps the last launches alone
      check("eval line after " + std::to_string(steps) + " steps: node_ran against the witness",
            watch.counters()[seam::Counter::node_ran] * static_cast<std::uint64_t>(context_.contract().forward_launches), forwards);
    };
    const trainer::Training run = train(Route::seam, false, evaluation);
    const auto counters = watch.counters();
    using seam::Counter;
    check("the law of the counters that is broken", counters.broken_law(), "");
    const auto asked = static_cast<std::uint64_t>(options_.steps * place_.asks_per_step);
    check("asked", counters[Counter::asked], asked);
    check("node_ran of asked", counters[Counter::node_ran], asked);
    check("node_backward of node_ran", counters[Counter::node_backward], asked);
    check("fused forwards by the witness", forwards, asked * static_cast<std::uint64_t>(context_.contract().forward_launches));
    check("fused backwards by the witness", backwards,
          counters[Counter::adjoint_fused] * static_cast<std::uint64_t>(context_.contract().backward_launches));
    return run;
  }

  trainer::Training by_tensor_path(bool one_ulp_off) {
    const Watch watch(context_);
    const trainer::Training run = train(Route::tensor_path, one_ulp_off, {});
    if (!one_ulp_off) check("the tensor path asks nobody: C", watch.arms(), "(0,0,0,0)");
    return run;
  }

  void judge_losses(const trainer::Training& seam, const trainer::Training& tensor_path,
                    const trainer::Training& control) {
    // Beyond a step at which the control is over the bar, the bar says nothing of the kernel.
    std::size_t compared = 0;
    double drift = 0.0;
    while (compared < tensor_path.losses.size()) {
      const double error = loss_error(control.losses[compared], tensor_path.losses[compared]);
      if (!loss_bar().admits(error)) break;
      drift = std::max(drift, error);
      ++compared;
    }
    const std::size_t all = tensor_path.losses.size();
    const std::size_t needed = std::min(all, std::size_t{shortest});
    context_.record().check("steps before the one-ulp control is over the bar", compared >= needed,
                            std::to_string(compared), "at least " + std::to_string(needed), case_.str());
    const std::span<const float> got(seam.losses.data(), compared);
    Numeric numeric;
    numeric.case_text = case_.str();
    numeric.tensor = "loss";
    numeric.you = compare_with_truth(
        got, static_cast<std::int64_t>(compared),
        [&](std::int64_t step, float loss) {
          const float want = tensor_path.losses[static_cast<std::size_t>(step)];
          return Expected{want, loss_error(loss, want), true};
        },
        loss_bar());
    numeric.bar = loss_bar().value();
    numeric.bar_source = loss_bar().source();
    if (numeric.you.worst >= 0) numeric.place = "step " + std::to_string(numeric.you.worst);
    context_.record().numeric(numeric);
    context_.record().note(case_.str() + ": |loss - tensor path's| / |tensor path's|, the largest of " +
                           std::to_string(compared) + " of " + std::to_string(all) + " steps: seam " +
                           number(numeric.you.error) + ", one-ulp control " + number(drift) + ", bar " +
                           number(loss_bar().value()) +
                           (compared < all ? "; then the control itself is over the bar" : ""));
  }

  void judge_learning(const trainer::Training& run) {
    const double first = run.losses.front();
    const double last = run.losses.back();
    const double most = most_at_the_end(options_, first);
    context_.record().check("the loss has fallen", last <= most, number(first) + " to " + number(last),
                            "at most " + number(most) + " at the end", case_.str());
    for (const auto& parameter : run.parameters) {
      check(parameter.name + ": gradients that are finite and not zero",
            parameter.bad_gradient.empty() ? "in every step" : parameter.bad_gradient, "in every step");
      context_.record().check(parameter.name + " has moved", parameter.moved > 0.0, number(parameter.moved),
                              "more than 0", case_.str());
    }
  }

 private:
  trainer::Training train(Route route, bool one_ulp_off, const trainer::OnEvaluation& evaluation) {
    const seam::Request request = request_of(case_);
    trainer::Modules modules = trainer::tensor_modules();
    modules.*place_.module = [&](const std::vector<AnyTensor>& inputs) {
      const auto& implementation = context_.implementation();
      return route == Route::seam ? implementation.ask(inputs, request)
                                  : implementation.tensor_path(inputs, request);
    };
    options_.one_ulp_off = one_ulp_off;
    return with_tape(context_.backend(), StrategyTag::balanced,
                     [&]<class T>() { return trainer::train<T>(options_, modules, evaluation); });
  }

  void check(const std::string& name, const std::string& got, const std::string& want) {
    context_.check(case_, name, got, want);
  }
  void check(const std::string& name, std::uint64_t got, std::uint64_t want) {
    check(name, std::to_string(got), std::to_string(want));
  }

  Context& context_;
  const Case& case_;
  Place place_;
  trainer::Options options_;
};

// Throws std::invalid_argument for a case that was written by hand and is none of this gate's.
void check_case(const Case& c) {
  const auto refuse = [&](const std::string& given, const std::string& allowed) {
    throw std::invalid_argument("gate trainer: case " + c.str() + ": " + given + "; allowed: " + allowed);
  };
  if (c.shape.size() != 3 || c.shape[0] < 1) {
    refuse("the shape has " + std::to_string(c.shape.size()) + " numbers", "steps x sequences x columns");
  }
  const auto side = std::llround(std::sqrt(static_cast<double>(c.shape[1])));
  if (side < 2 || side * side != c.shape[1]) {
    refuse(std::to_string(c.shape[1]) + " sequences", "the square of a modulus of 2 and more");
  }
  if (std::count(c.dtypes.begin(), c.dtypes.end(), DType::f32) != std::ssize(c.dtypes)) {
    refuse("not f32", "f32: the bar of a loss is that of f32");
  }
}

void run(Context& context, const Case& c) {
  check_case(c);
  Pair pair(context, c);
  const trainer::Training seam = pair.by_seam();
  const trainer::Training tensor_path = pair.by_tensor_path(false);
  pair.judge_losses(seam, tensor_path, pair.by_tensor_path(true));
  pair.judge_learning(seam);
}

std::vector<std::string> f32_variants(const kernels::Contract& contract) {
  const std::vector<DType> f32(contract.inputs.size(), DType::f32);
  std::vector<std::string> names;
  for (const auto& variant : contract.variants) {
    if (kernels::find_dtypes(variant, f32) != nullptr) names.push_back(variant.name);
  }
  return names;
}

std::vector<Case> cases(const Plan& plan) {
  const auto variants = f32_variants(plan.contract());
  std::vector<Case> all;
  const auto add = [&](const std::string& variant, int steps) {
    Case c = make_case(plan.contract(), variant, {steps, modulus * modulus, width}, "normal", 1);
    c.dtypes.assign(c.dtypes.size(), DType::f32);
    all.push_back(c);
  };
  for (const auto& variant : variants) {
    const bool first = variant == variants.front();
    if (!first && !plan.at_least(Tier::premerge)) continue;
    const bool whole = first || plan.at_least(Tier::nightly);
    add(variant, shortest);
    if (whole && plan.at_least(Tier::smoke)) add(variant, middle);
    if (whole && plan.at_least(Tier::premerge)) add(variant, longest);
  }
  return all;
}

const RegisterGate registered({
    .id = "trainer",
    .title = "a small model learns through the seam as it does on the tensor path",
    .question = Question::trains,
    .rows = {"A22"},
    .inapplicable = [](const OpTraits& op) -> std::string {
      if (op.trainer_role == TrainerRole::none) return "the small trainer's model has no place for this op";
      return f32_variants(op.contract()).empty() ? "no variant serves f32, whose bar a loss has" : "";
    },
    .cases = cases,
    .run = run,
    .reach = Reach::node,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
