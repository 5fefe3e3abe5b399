// Gate `special_values`: a row of zeros, NaN, Inf or overflowing squares gives what IEEE arithmetic gives,
// and no other row notices.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "gates/kernel_results.hpp"
#include "gates/numeric.hpp"
#include "gates/sweep.hpp"

namespace seamgate::gates {
namespace {

constexpr std::array table = {
    LaunchRow{5, 7, "packed", 0, Tier::control},      LaunchRow{5, 40, "packed", 0, Tier::control},
    LaunchRow{4, 600, "packed", 1, Tier::control},    LaunchRow{3, 1, "packed", 0, Tier::smoke},
    LaunchRow{9, 33, "strided", 2, Tier::smoke},      LaunchRow{7, 129, "offset1", 0, Tier::smoke},
    LaunchRow{40, 5, "packed", 1, Tier::smoke},       LaunchRow{67, 31, "packed", 3, Tier::premerge},
    LaunchRow{6, 1030, "strided", 2, Tier::premerge}, LaunchRow{3, 4099, "packed", 0, Tier::premerge},
    LaunchRow{33, 128, "offset3", 0, Tier::premerge}, LaunchRow{1100, 5, "packed", 1, Tier::premerge},
};

std::vector<Case> cases(const Plan& plan) {
  return table_cases(plan, table, "normal", 101);
}

struct Special {
  const char* name;
  std::function<void(std::span<float>, DType)> place;
};

void set_one(std::span<float> row, float value) {
  row[row.size() / 2] = value;
}

void set_all(std::span<float> row, float value) {
  std::fill(row.begin(), row.end(), value);
}

// By a power of two, so that every dtype still holds the values. f16 has no squares beyond f32; its row is
// merely large.
void scale_beyond(std::span<float> row, DType dtype) {
  const int exponent = dtype == DType::f16 ? 10 : 80;
  for (float& value : row) value = std::ldexp(value, exponent);
}

const std::vector<Special>& specials() {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  static const std::vector<Special> all = {
      {"a zero row", [](auto row, DType) { set_all(row, 0.0F); }},
      {"a NaN in a row", [](auto row, DType) { set_one(row, nan); }},
      {"a row of NaN", [](auto row, DType) { set_all(row, nan); }},
      {"an Inf in a row", [](auto row, DType) { set_one(row, infinity); }},
      {"a -Inf in a row", [](auto row, DType) { set_one(row, -infinity); }},
      {"a row of Inf", [](auto row, DType) { set_all(row, infinity); }},
      {"a row whose squares overflow", scale_beyond},
  };
  return all;
}

// In the same buffers as before, so that a result kept from an earlier call is found out.
void check_special(Context& context, const Case& c, KernelRun& kernel, const HostCase& normal,
                   const KernelResults& before, std::size_t input, std::int64_t row, const Special& special) {
  const auto& contract = context.contract();
  const auto columns = static_cast<std::size_t>(c.columns());
  const std::string name =
      std::string(special.name) + " of " + contract.inputs[input].name + ", row " + std::to_string(row);
  HostCase host = normal;
  special.place(std::span(host.inputs[input]).subspan(static_cast<std::size_t>(row) * columns, columns),
                c.dtypes[input]);
  kernel.set_host(host);
  kernel.refill(std::byte{0x7f});
  const KernelResults results = launch_both(kernel, contract);

  RowPairs others;
  for (std::int64_t other = 0; other < c.rows(); ++other) {
    if (other != row) others.emplace_back(other, other);
  }
  context.check(c, name + ": the other rows", same_rows(contract, c.columns(), results, before, others),
                same_bits_text);
  context.check(c, name + ": nothing else is touched", kernel.damage(), "");
  record_against_truth(context, c, evaluate_truth(context.op(), c, host), results.outputs, results.gradients,
                       nullptr, name, &host);
}

void run(Context& context, const Case& c) {
  const auto& contract = context.contract();
  const HostCase normal = make_host_case(context.op(), c);
  KernelRun kernel(context.op(), context.implementation(), default_machine(context.backend()), c, normal);
  const KernelResults before = launch_both(kernel, contract);
  for (std::size_t input = 0; input < contract.inputs.size(); ++input) {
    if (contract.inputs[input].extent != kernels::Extent::rows_by_columns) continue;
    bool at_the_end = false;
    for (const Special& special : specials()) {
      // Between other rows, and at an end of the tensor.
      for (const std::int64_t row : {c.rows() / 2, at_the_end ? c.rows() - 1 : 0}) {
        check_special(context, c, kernel, normal, before, input, row, special);
      }
      at_the_end = !at_the_end;
    }
  }
}

const RegisterGate registered({
    .id = "special_values",
    .title = "zero, NaN, Inf and overflowing rows are as IEEE has them, and no other row notices",
    .question = Question::right,
    .rows = {"B17"},
    .cases = cases,
    .run = run,
    .reach = Reach::kernels,
    .timeout_s = 300,
    .sanitized = true,
});

}  // namespace
}  // namespace seamgate::gates
