// The small trainer: its task, its model, what it says of a run, and faults of modules that it must show.
#include "gates/trainer/train.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gates/trainer/eval_line.hpp"
#include "gates/trainer/task.hpp"

namespace seamgate::gates::trainer {
namespace {

using Kept = Tensor<Autodiff<Cpu, NoCheckpointing>>;
using Recomputed = Tensor<Autodiff<Cpu, BalancedCheckpointing>>;

Options short_run(int steps = 4) {
  Options options;
  options.sizes = {3, 4, 8};
  options.steps = steps;
  return options;
}

// Modules whose norm is spoilt.
template <class Spoil>
Modules with_norm(Spoil spoil) {
  const Modules whole = tensor_modules();
  Modules modules = whole;
  modules.norm = [whole, spoil](const std::vector<AnyTensor>& inputs) {
    return std::vector<AnyTensor>{spoil(*whole.norm(inputs)[0].template as<Recomputed>())};
  };
  return modules;
}

const ParameterHistory& history_of(const Training& run, const std::string& name) {
  for (const auto& parameter : run.parameters) {
    if (parameter.name == name) return parameter;
  }
  throw std::invalid_argument("no parameter " + name);
}

TEST(Task, IsTheWholeTableOfSumsInOneHotVectors) {
  const Task task = modular_addition(5);
  ASSERT_EQ(task.sequences(), 25);
  ASSERT_EQ(task.tokens.size(), 250U);
  ASSERT_EQ(task.answers.size(), 125U);
  for (std::size_t row = 0; row < 25; ++row) {
    std::vector<std::size_t> tokens;
    for (std::size_t i = 0; i < 10; ++i) {
      if (task.tokens[row * 10 + i] != 0.0F) tokens.push_back(i);
    }
    ASSERT_EQ(tokens.size(), 2U);
    const std::size_t a = tokens[0];
    const std::size_t b = tokens[1] - 5;
    EXPECT_EQ(a * 5 + b, row);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(task.answers[row * 5 + i], i == (a + b) % 5 ? 1.0F : 0.0F);
  }
  EXPECT_DOUBLE_EQ(task.uninformed_loss(), 0.8);
}

TEST(Task, RefusesAModulusThatLeavesNothingToLearn) {
  EXPECT_THROW(modular_addition(1), std::invalid_argument);
}

TEST(Model, StartsFromTheSameSignedNumbersForOneSeedAndOthersForAnother) {
  const auto one = initial_parameters({11, 16, 32}, 1);
  const auto again = initial_parameters({11, 16, 32}, 1);
  const auto other = initial_parameters({11, 16, 32}, 2);
  ASSERT_EQ(one.size(), 11U);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].values, again[i].values) << one[i].name;
    ASSERT_EQ(static_cast<std::int64_t>(one[i].values.size()), numel(one[i].shape)) << one[i].name;
    if (one[i].shape.rank() == 1) continue;
    EXPECT_NE(one[i].values, other[i].values) << one[i].name;
    double sum = 0.0;
    double squares = 0.0;
    for (const float value : one[i].values) {
      sum += value;
      squares += static_cast<double>(value) * value;
    }
    const double count = static_cast<double>(one[i].values.size());
    EXPECT_GT(squares, 0.0) << one[i].name;
    EXPECT_LT(std::abs(sum / count), 0.2 * std::sqrt(squares / count)) << one[i].name;
  }
}

TEST(Train, LearnsTheTable) {
  Options options;
  options.steps = 60;
  const Training run = train<Recomputed>(options, tensor_modules());
  ASSERT_EQ(run.losses.size(), 60U);
  EXPECT_LT(run.losses.back(), 0.8 * modular_addition(options.sizes.modulus).uninformed_loss());
  for (const auto& parameter : run.parameters) {
    EXPECT_EQ(parameter.bad_gradient, "") << parameter.name;
    EXPECT_GT(parameter.moved, 0.0) << parameter.name;
  }
}

TEST(Train, GivesTheSameLossesInEveryRunAndUnderBothStrategies) {
  const Training run = train<Recomputed>(short_run(), tensor_modules());
  EXPECT_EQ(train<Recomputed>(short_run(), tensor_modules()).losses, run.losses);
  EXPECT_EQ(train<Kept>(short_run(), tensor_modules()).losses, run.losses);
  Options other = short_run();
  other.seed = 2;
  EXPECT_NE(train<Recomputed>(other, tensor_modules()).losses, run.losses);
}

TEST(Train, MeasuresTheSquaredDistanceOfLogitsFromOneHotAnswers) {
  // Logits of zero are at distance 1 from every answer.
  const Training run =
      train<Recomputed>(short_run(1), with_norm([](const Recomputed& y) { return mul_scalar(y, 0.0F); }));
  EXPECT_EQ(run.losses.front(), 1.0F);
}

TEST(Train, IsPlainDescentWithMomentum) {
  // One step moves U by the learning rate times its gradient, a second one by momentum more.
  Options options = short_run(1);
  options.learning_rate = 0.5F;
  const double once = history_of(train<Recomputed>(options, tensor_modules()), "U").moved;
  options.learning_rate = 0.25F;
  EXPECT_NEAR(history_of(train<Recomputed>(options, tensor_modules()), "U").moved, once / 2.0, 1e-6);
  options.learning_rate = 1e-4F;
  options.steps = 2;
  options.momentum = 0.0F;
  const double without = history_of(train<Recomputed>(options, tensor_modules()), "U").moved;
  options.momentum = 0.5F;  // 1 + 1.5 steps instead of 1 + 1: the gradient hardly changes on so short a way
  EXPECT_NEAR(history_of(train<Recomputed>(options, tensor_modules()), "U").moved / without, 1.25, 0.01);
}

TEST(Train, StartsOneUlpOffInTheEmbeddingAlone) {
  Options options = short_run(1);
  options.learning_rate = 0.0F;
  options.one_ulp_off = true;
  EXPECT_EQ(history_of(train<Recomputed>(options, tensor_modules()), "embedding").moved, 0.0);
  options = short_run(40);
  const Training run = train<Recomputed>(options, tensor_modules());
  options.one_ulp_off = true;
  EXPECT_NE(train<Recomputed>(options, tensor_modules()).losses, run.losses);
}

TEST(Train, EvaluatesAsOftenAsAskedAndAtTheEnd) {
  Options options = short_run(7);
  options.evaluate_every = 3;
  std::vector<int> steps;
  std::vector<float> losses;
  const Training run = train<Recomputed>(options, tensor_modules(), [&](int done, float loss) {
    steps.push_back(done);
    losses.push_back(loss);
  });
  EXPECT_EQ(steps, (std::vector<int>{3, 6, 7}));
  EXPECT_EQ(losses, (std::vector<float>{run.losses[2], run.losses[5], run.losses[6]}));
}

TEST(Train, ShowsThatAModuleWhoseResultIsALeafTrainsNothingBeforeIt) {
  const Training run =
      train<Recomputed>(short_run(), with_norm([](const Recomputed& y) { return y.detach(); }));
  EXPECT_EQ(history_of(run, "embedding").bad_gradient, "step 0: missing");
  EXPECT_EQ(history_of(run, "embedding").moved, 0.0);
  EXPECT_EQ(history_of(run, "w_final").bad_gradient, "step 0: missing");
  EXPECT_EQ(history_of(run, "U").bad_gradient, "");
}

TEST(Train, ShowsGradientsThatAreZeroOrNotFinite) {
  const Training zero =
      train<Recomputed>(short_run(), with_norm([](const Recomputed& y) { return mul_scalar(y, 0.0F); }));
  EXPECT_EQ(history_of(zero, "w_final").bad_gradient, "step 0: zero in all 4 elements");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Training broken =
      train<Recomputed>(short_run(), with_norm([=](const Recomputed& y) { return mul_scalar(y, nan); }));
  EXPECT_EQ(history_of(broken, "U").bad_gradient, "step 0: not finite: nan");
  EXPECT_TRUE(std::isnan(broken.losses.front()));
}

TEST(Train, RefusesAModuleThatLeavesTheTape) {
  Modules modules = tensor_modules();
  modules.gate_unit = [](const std::vector<AnyTensor>& inputs) {
    return std::vector<AnyTensor>{inputs[0].inner()};
  };
  try {
    train<Recomputed>(short_run(), modules);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "trainer: an output of module gate_unit is cpu f32 [9, 8]; expected a tensor on the tape "
                 "of its inputs");
  }
}

TEST(Train, LearnsTheSameWhereOneModuleAddsAndNorms) {
  Modules modules = tensor_modules();
  int asked = 0;
  modules.add_norm = [&asked, norm = modules.norm](const std::vector<AnyTensor>& inputs) {
    ++asked;
    const Recomputed sum = add(*inputs[0].as<Recomputed>(), *inputs[1].as<Recomputed>());
    return std::vector<AnyTensor>{norm({sum, inputs[2]})[0], sum};
  };
  EXPECT_EQ(train<Recomputed>(short_run(), modules).losses,
            train<Recomputed>(short_run(), tensor_modules()).losses);
  EXPECT_EQ(asked, 4 * add_norms_per_forward);
}

TEST(Train, RefusesAModuleWithTooFewOutputs) {
  Modules modules = tensor_modules();
  modules.add_norm = [](const std::vector<AnyTensor>& inputs) { return std::vector<AnyTensor>{inputs[0]}; };
  EXPECT_THROW(train<Recomputed>(short_run(), modules), std::runtime_error);
}

TEST(Train, RefusesToTakeNoStep) {
  EXPECT_THROW(train<Recomputed>(short_run(0), tensor_modules()), std::invalid_argument);
}

TEST(EvalLine, SaysWhatWasLearntAndWhoServedTheAsks) {
  seam::CounterSnapshot counters;
  counters.counts[static_cast<std::size_t>(seam::Counter::asked)] = 300;
  counters.counts[static_cast<std::size_t>(seam::Counter::skipped)] = 20;
  counters.counts[static_cast<std::size_t>(seam::Counter::node_ran)] = 280;
  EXPECT_EQ(eval_line(100, 0.0123F) + " " + served("norm", counters), "step 100 loss 0.0123 norm=300/20/280");
}

}  // namespace
}  // namespace seamgate::gates::trainer
