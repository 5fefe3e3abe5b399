// Gate `comparators`: the comparisons that every other gate rests on can fail. Each way in which one has been
// fooled is played on the numbers of a case, at run time and in this very program.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "gates/numeric.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

using Values = std::vector<float>;

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

const Bar& bar_of_zero() {
  static const Bar bar(0.0, "played");
  return bar;
}
const Bar& bar_of_infinity() {
  static const Bar bar(std::numeric_limits<double>::infinity(), "played");
  return bar;
}

Values with(Values values, std::size_t index, float value) {
  values[index] = value;
  return values;
}

Values scaled(Values values, float factor) {
  for (auto& value : values) value *= factor;
  return values;
}

Values without_last(Values values) {
  values.pop_back();
  return values;
}

// A way to be fooled, as got; and whether even an infinite bar must refuse it.
struct Fault {
  const char* name;
  Values got;
  bool refused_by_every_bar;
};

std::vector<Fault> faults_of(const Values& right) {
  const std::size_t middle = right.size() / 2;
  return {{"a NaN", with(right, middle, nan_value), true},
          {"an Inf", with(right, 0, infinite), true},
          {"a -Inf", with(right, right.size() - 1, -infinite), true},
          {"another shape", without_last(right), true},
          {"nothing", {}, true},
          {"all zero", Values(right.size(), 0.0F), false},
          {"a constant", Values(right.size(), right[0]), false},
          {"a thousandfold", scaled(right, 1000.0F), false},
          {"scaled by 1.00001", scaled(right, 1.00001F), false},
          {"one wrong element", with(right, middle, right[middle] + 1.0F), false}};
}

void expect(Context& context, const Case& c, const std::string& name, const Comparison& comparison,
            bool pass) {
  const std::string got = comparison.passed ? "passes" : "fails (" + comparison.message + ")";
  context.record().check(name, comparison.passed == pass && comparison.passed == comparison.message.empty(),
                         got, pass ? "passes" : "fails, and says why", c.str());
}

void play_faults(Context& context, const Case& c, const std::string& comparator, const Values& right,
                 const Bar& tight, const std::function<Comparison(const Values&, const Bar&)>& compare) {
  expect(context, c, comparator + ": the right values", compare(Values(right), tight), true);
  for (const auto& fault : faults_of(right)) {
    expect(context, c, comparator + ": " + fault.name, compare(fault.got, tight), false);
    expect(context, c, comparator + ": " + fault.name + ", bar infinity",
           compare(fault.got, bar_of_infinity()), !fault.refused_by_every_bar);
  }
  const float first = right[0];
  expect(context, c, comparator + ": one ulp aside, bar 0",
         compare(with(right, 0, std::nextafter(first, 2.0F * first)), bar_of_zero()), false);
}

void play_parity(Context& context, const Case& c, const Values& want) {
  play_faults(context, c, "parity", want, parity_bar(),
              [&](const Values& got, const Bar& bar) { return compare_parity(got, want, bar); });
  expect(context, c, "parity: equal values in other memory, bar 0",
         compare_parity(Values(want), want, bar_of_zero()), true);
  expect(context, c, "parity: the same memory", compare_parity(want, want, bar_of_infinity()), false);
  expect(context, c, "parity: NaN in want is no wildcard",
         compare_parity(want, with(want, 0, nan_value), bar_of_infinity()), false);
  const Values both_nan = with(want, 0, nan_value);
  expect(context, c, "parity: NaN in both", compare_parity(both_nan, Values(both_nan), bar_of_infinity()),
         false);
  const Values zeros(want.size(), 0.0F);
  expect(context, c, "parity: zeros for zeros", compare_parity(Values(zeros), zeros, parity_bar()), true);
  expect(context, c, "parity: want is all zero and got is not",
         compare_parity(want, zeros, Bar(1e300, "played")), false);
  const double error = compare_parity(scaled(want, 1000.0F), want, parity_bar()).error;
  context.check(
      c, "parity: the scale is want's, so a thousandfold is an error of 999 (" + std::to_string(error) + ")",
      std::abs(error - 999.0) < 0.01);
}

void play_truth(Context& context, const Case& c, const HostCase& host) {
  const auto truth = evaluate_truth(context.op(), c, host);
  const auto& y = truth.outputs[0];
  Values right;
  for (std::size_t i = 0; i < y.size(); ++i) right.push_back(static_cast<float>(y.value(i)));
  play_faults(context, c, "truth", right, f32_bar(),
              [&](const Values& got, const Bar& bar) { return compare_tensor(y, got, bar); });
  // A row a million times smaller than its neighbours, all of it wrong: what the largest element must not
  // hide.
  Case mixed = c;
  mixed.distribution = "mixed";
  const auto rows = evaluate_truth(context.op(), mixed, make_host_case(context.op(), mixed));
  const auto& gradient = rows.gradients[0];
  Values got;
  for (std::size_t i = 0; i < gradient.size(); ++i) got.push_back(static_cast<float>(gradient.value(i)));
  const auto columns = static_cast<std::size_t>(gradient.columns());
  for (std::size_t row = 0; row < static_cast<std::size_t>(gradient.rows()); ++row) {
    const Values wrong =
        with(got, row * columns, got[row * columns] + static_cast<float>(gradient.scale(row * columns)));
    expect(context, c, "truth: row " + std::to_string(row) + " alone is wrong",
           compare_tensor(gradient, wrong, f32_bar()), false);
  }
}

// Where nothing meets, nothing but zero is right.
void play_zero_scale(Context& context, const Case& c) {
  Case zeros = c;
  zeros.distribution = "zero-rows";
  const auto truth = evaluate_truth(context.op(), zeros, make_host_case(context.op(), zeros));
  const auto& y = truth.outputs[0];
  if (y.scale(0) != 0.0) {
    context.record().note("a row of zeros has an output that is not zero: S = 0 is not played");
    return;
  }
  Values right;
  for (std::size_t i = 0; i < y.size(); ++i) right.push_back(static_cast<float>(y.value(i)));
  expect(context, c, "truth: S = 0, +0", compare_tensor(y, with(right, 0, 0.0F), f32_bar()), true);
  expect(context, c, "truth: S = 0, -0", compare_tensor(y, with(right, 0, -0.0F), f32_bar()), true);
  expect(context, c, "truth: S = 0, the smallest float", compare_tensor(y, with(right, 0, 1e-45F), f32_bar()),
         false);
}

void play_bits(Context& context, const Case& c, const Values& want) {
  expect(context, c, "bits: the same bits in other memory", compare_bits(Values(want), want), true);
  expect(context, c, "bits: the same memory", compare_bits(want, want), false);
  expect(context, c, "bits: nothing", compare_bits(Values{}, Values{}), false);
  expect(context, c, "bits: another shape", compare_bits(without_last(want), want), false);
  expect(context, c, "bits: one ulp aside",
         compare_bits(with(want, 0, std::nextafter(want[0], infinite)), want), false);
  expect(context, c, "bits: -0 for +0", compare_bits(with(want, 0, -0.0F), with(want, 0, 0.0F)), false);
  expect(context, c, "bits: the same NaN", compare_bits(with(want, 0, nan_value), with(want, 0, nan_value)),
         true);
}

// The same values in another form are another tensor.
void play_forms(Context& context, const Case& c) {
  const Form want{c.dtypes[0], c.shape};
  Form other_dtype = want;
  other_dtype.dtype = want.dtype == DType::f32 ? DType::bf16 : DType::f32;
  Form flat = want;
  flat.shape = {c.rows() * c.columns()};
  Form turned = want;
  std::reverse(turned.shape.begin(), turned.shape.end());
  context.check(c, "form: the same", differing_form(want, want).empty());
  for (const auto& [name, form] : {std::pair("another dtype", other_dtype), {"another rank", flat}, {"extents exchanged", turned}}) {
    context.check(c, std::string("form: ") + name + " fails, and says both", !differing_form(form, want).empty());
  }
}

void play_bars(Context& context, const Case& c) {
  for (const double value : {std::nan(""), -1.0, -1e-300}) {
    bool refused = false;
    try {
      const Bar bar(value, "played");
    } catch (const std::invalid_argument&) {
      refused = true;
    }
    context.check(c, "a bar of " + std::to_string(value) + " is an error", refused);
  }
  context.check(c, "no bar admits a NaN",
                !bar_of_infinity().admits(std::nan("")) && !f32_bar().admits(std::nan("")));
}

void run(Context& context, const Case& c) {
  const HostCase host = make_host_case(context.op(), c);
  play_bars(context, c);
  play_forms(context, c);
  play_parity(context, c, host.inputs[0]);
  play_truth(context, c, host);
  play_zero_scale(context, c);
  play_bits(context, c, host.inputs[0]);
}

const RegisterGate registered({
    .id = "comparators",
    .title = "comparisons fail on NaN, Inf, zeros, scale, one element, and themselves",
    .question = Question::could_fail,
    .rows = {"B19"},
    .cases = [](const Plan& plan) { return std::vector<Case>{structure_cases(plan).front()}; },
    .run = run,
    .reach = Reach::house,
    .judges_mutants = false,
    .timeout_s = 60,
});

}  // namespace
}  // namespace seamgate::gates
