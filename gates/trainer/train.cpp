// Gradient descent on the whole table of a task.
#include "gates/trainer/train.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "gates/trainer/task.hpp"
#include "tensor/backend.hpp"

namespace seamgate::gates::trainer {
namespace {

// Empty for a gradient that trains something.
std::string fault_of(const std::vector<float>& gradient) {
  bool moves = false;
  for (const float value : gradient) {
    if (!std::isfinite(value)) return "not finite: " + std::to_string(value);
    moves = moves || value != 0.0F;
  }
  return moves ? "" : "zero in all " + std::to_string(gradient.size()) + " elements";
}

// Parameters and their velocities, bare between steps.
template <class B>
class Descent {
 public:
  Descent(const Options& options, const std::vector<Parameter>& start) : options_(options), start_(start) {
    for (const Parameter& parameter : start) {
      values_.push_back(Tensor<B>::from_floats(parameter.values, parameter.shape));
      velocities_.push_back(Tensor<B>::zeros(parameter.shape));
      histories_.push_back({parameter.name, 0.0, ""});
    }
  }

  const std::vector<Tensor<B>>& values() const { return values_; }

  void update(std::size_t i, int step, const std::optional<Tensor<B>>& gradient) {
    const std::string fault = gradient ? fault_of(gradient->to_floats()) : "missing";
    if (!fault.empty() && histories_[i].bad_gradient.empty()) {
      histories_[i].bad_gradient = "step " + std::to_string(step) + ": " + fault;
    }
    if (!gradient) return;
    velocities_[i] = add(mul_scalar(velocities_[i], options_.momentum), *gradient);
    values_[i] = sub(values_[i], mul_scalar(velocities_[i], options_.learning_rate));
  }

  std::vector<ParameterHistory> histories() const {
    auto histories = histories_;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const auto end = values_[i].to_floats();
      for (std::size_t k = 0; k < end.size(); ++k) {
        histories[i].moved =
            std::max(histories[i].moved, std::abs(static_cast<double>(end[k]) - start_[i].values[k]));
      }
    }
    return histories;
  }

 private:
  Options options_;
  std::vector<Parameter> start_;
  std::vector<Tensor<B>> values_;
  std::vector<Tensor<B>> velocities_;
  std::vector<ParameterHistory> histories_;
};

}  // namespace

template <class T>
Training train(const Options& options, const Modules& modules, const OnEvaluation& on_evaluation) {
  using Bare = Tensor<typename T::Backend>;
  if (options.steps < 1) {
    throw std::invalid_argument("trainer: steps are " + std::to_string(options.steps) +
                                "; allowed: 1 and more");
  }
  const Task task = modular_addition(options.sizes.modulus);
  const T tokens = T::from_inner(Bare::from_floats(task.tokens, {task.sequences(), 2 * task.modulus}));
  const T answers = T::from_inner(Bare::from_floats(task.answers, {task.sequences(), task.modulus}));
  auto start = initial_parameters(options.sizes, options.seed);
  if (options.one_ulp_off) {
    float& value = start.front().values.front();
    value = std::nextafter(value, std::numeric_limits<float>::infinity());
  }
  Descent<typename T::Backend> descent(options, start);

  Training run;
  for (int step = 0; step < options.steps; ++step) {
    std::vector<T> leaves;
    for (const Bare& value : descent.values()) leaves.push_back(T::from_inner(value).require_grad());
    const T distance = sub(logits(leaves, tokens, modules), answers);
    const T loss = div_scalar(sum(square(distance)), static_cast<float>(task.sequences()));
    run.losses.push_back(loss.inner().item());
    const auto gradients = loss.backward();
    for (std::size_t i = 0; i < leaves.size(); ++i) descent.update(i, step, leaves[i].grad(gradients));
    const int done = step + 1;
    const bool evaluated =
        done == options.steps || (options.evaluate_every > 0 && done % options.evaluate_every == 0);
    if (evaluated && on_evaluation) on_evaluation(done, run.losses.back());
  }
  run.parameters = descent.histories();
  return run;
}

#define SEAMGATE_TRAIN(B)                                                                             \
  template Training train<Tensor<Autodiff<B, NoCheckpointing>>>(const Options&, const Modules&,       \
                                                                const OnEvaluation&);                 \
  template Training train<Tensor<Autodiff<B, BalancedCheckpointing>>>(const Options&, const Modules&, \
                                                                      const OnEvaluation&);
SEAMGATE_FOR_EACH_BACKEND(SEAMGATE_TRAIN)
#undef SEAMGATE_TRAIN

}  // namespace seamgate::gates::trainer
