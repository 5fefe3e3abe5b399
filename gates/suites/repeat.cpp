// Gate `repeat`: the same bits over runs, launch plans, block orders and layouts; and a row's bits depend on
// that row alone.
#include <algorithm>
#include <array>

#include "gates/kernel_results.hpp"
#include "gates/sweep.hpp"
#include "kernels/simt/schedule.hpp"

namespace seamgate::gates {
namespace {

// Many rows of few columns, where the last bit of a sum shows, beside rows of several warps; and enough
// blocks that the order of their sums would show.
constexpr std::array table = {
    LaunchRow{30, 8, "packed", 0, Tier::control},    LaunchRow{5, 600, "packed", 0, Tier::control},
    LaunchRow{6, 40, "packed", 0, Tier::control},    LaunchRow{3, 7, "packed", 0, Tier::smoke},
    LaunchRow{2, 1, "packed", 0, Tier::smoke},       LaunchRow{37, 33, "packed", 0, Tier::smoke},
    LaunchRow{9, 130, "packed", 0, Tier::smoke},     LaunchRow{7, 1030, "packed", 0, Tier::smoke},
    LaunchRow{40, 128, "packed", 2, Tier::smoke},    LaunchRow{60, 16, "packed", 3, Tier::smoke},
    LaunchRow{130, 64, "packed", 0, Tier::premerge}, LaunchRow{5, 4099, "packed", 0, Tier::premerge},
    LaunchRow{1100, 5, "packed", 0, Tier::premerge}, LaunchRow{67, 513, "packed", 3, Tier::premerge},
    LaunchRow{3, 8193, "packed", 0, Tier::premerge}, LaunchRow{300, 31, "packed", 0, Tier::premerge},
};

std::vector<Case> cases(const Plan& plan) {
  return table_cases(plan, table, "mixed", 121);
}

// What one launch of a case, or of a variation of it, leaves behind.
class Runner {
 public:
  explicit Runner(Context& context) : context_(context) {}

  KernelResults operator()(const Case& c, const HostCase& host) const {
    KernelRun kernel(context_.op(), context_.implementation(), default_machine(context_.backend()), c, host);
    return launch_both(kernel, context_.contract());
  }

 private:
  Context& context_;
};

void check_runs(Context& context, const Case& c, const HostCase& host, const KernelResults& first) {
  KernelRun kernel(context.op(), context.implementation(), default_machine(context.backend()), c, host);
  for (int run = 2; run <= 3; ++run) {
    kernel.refill(std::byte{0xff});
    const KernelResults again = launch_both(kernel, context.contract());
    context.check(c, "run " + std::to_string(run), same_bits(context.contract(), again, first, repeatable(context.op())),
                  same_bits_text);
  }
}

// Sums over rows may follow the plan; nothing else may, unless the contract says so of the other gradients.
void check_plans(Context& context, const Case& c, const HostCase& host, const KernelResults& first) {
  const bool fixed = context.contract().input_grad_repeatability == kernels::Repeatability::bit_identical;
  const Compared compared{.column_gradients = false, .row_gradients = fixed};
  for (const int row_blocks : {1, 2, 3}) {
    if (row_blocks == c.plan.row_blocks) continue;
    Case planned = c;
    planned.plan.row_blocks = row_blocks;
    context.check(c, "plan p" + std::to_string(row_blocks),
                  same_bits(context.contract(), Runner(context)(planned, host), first, compared),
                  same_bits_text);
  }
}

// On a GPU the hardware chooses the order, and repeated runs stand for this.
void check_orders(Context& context, const Case& c, const HostCase& host, const KernelResults& first) {
  if (context.backend() != Backend::cpu) return;
  struct Order {
    const char* name;
    simt::BlockOrder order;
    int workers;
  };
  const simt::ExecutionScope restore;
  for (const Order& way : {Order{"blocks reversed", simt::BlockOrder::reversed(), 1},
                           Order{"blocks shuffled", simt::BlockOrder::shuffled(7), 1},
                           Order{"one worker", simt::BlockOrder::in_order(), 1},
                           Order{"two workers", simt::BlockOrder::in_order(), 2},
                           Order{"two workers, blocks shuffled", simt::BlockOrder::shuffled(8), 2}}) {
    simt::set_block_order(way.order);
    simt::set_workers(way.workers);
    context.check(c, way.name, same_bits(context.contract(), Runner(context)(c, host), first, repeatable(context.op())),
                  same_bits_text);
  }
}

void check_layouts(Context& context, const Case& c, const HostCase& host, const KernelResults& first) {
  if (!context.op().promises.layouts_keep_bits) return;
  for (const char* layout : {"strided", "offset1", "offset2", "offset3", "offset4"}) {
    Case laid_out = c;
    laid_out.layout = layout;
    if (!is_within(context.op(), laid_out)) continue;
    context.check(c, std::string("layout ") + layout,
                  same_bits(context.contract(), Runner(context)(laid_out, host), first, repeatable(context.op())), same_bits_text);
  }
}

// The first rows of a case on their own.
HostCase first_rows(const kernels::Contract& contract, const HostCase& host, std::int64_t rows,
                    std::int64_t columns) {
  HostCase some = host;
  const auto cut = [&](std::vector<float>& values, kernels::Extent extent) {
    if (extent == kernels::Extent::rows_by_columns) values.resize(static_cast<std::size_t>(rows * columns));
  };
  for (std::size_t i = 0; i < some.inputs.size(); ++i) cut(some.inputs[i], contract.inputs[i].extent);
  for (std::size_t i = 0; i < some.upstream.size(); ++i) cut(some.upstream[i], contract.outputs[i].extent);
  return some;
}

void check_number_of_rows(Context& context, const Case& c, const HostCase& host, const KernelResults& first) {
  std::int64_t last = 0;
  for (const std::int64_t rows : {std::int64_t{1}, c.rows() / 2, c.rows() - 1}) {
    if (rows <= last) continue;
    last = rows;
    Case fewer = c;
    fewer.shape = {rows, c.columns()};
    const auto results = Runner(context)(fewer, first_rows(context.contract(), host, rows, c.columns()));
    RowPairs pairs;
    for (std::int64_t row = 0; row < rows; ++row) pairs.emplace_back(row, row);
    context.check(c, "the first " + std::to_string(rows) + " rows alone",
                  same_rows(context.contract(), c.columns(), results, first, pairs), same_bits_text);
  }
}

// `host` with the values of one row kept and all others from somewhere else; what all rows share stays.
HostCase with_other_neighbours(Context& context, const Case& c, const HostCase& host, std::int64_t row) {
  Case elsewhere = c;
  elsewhere.seed += 1000;
  HostCase other = make_host_case(context.op(), elsewhere);
  const auto columns = static_cast<std::ptrdiff_t>(c.columns());
  const auto keep = [&](std::vector<float>& to, const std::vector<float>& from, kernels::Extent extent) {
    const bool shared = extent == kernels::Extent::columns;
    const auto begin = from.begin() + (shared ? 0 : row * columns);
    std::copy(begin, begin + columns, to.begin() + (shared ? 0 : row * columns));
  };
  for (std::size_t i = 0; i < other.inputs.size(); ++i)
    keep(other.inputs[i], host.inputs[i], context.contract().inputs[i].extent);
  for (std::size_t i = 0; i < other.upstream.size(); ++i) {
    keep(other.upstream[i], host.upstream[i], context.contract().outputs[i].extent);
  }
  return other;
}

void check_neighbours(Context& context, const Case& c, const HostCase& host, const KernelResults& first) {
  std::int64_t last = -1;
  for (const std::int64_t row : {std::int64_t{0}, c.rows() / 2, c.rows() - 1}) {
    if (row <= last) continue;
    last = row;
    const auto results = Runner(context)(c, with_other_neighbours(context, c, host, row));
    context.check(c, "row " + std::to_string(row) + " among other rows",
                  same_rows(context.contract(), c.columns(), results, first, {{row, row}}), same_bits_text);
  }
}

void run(Context& context, const Case& c) {
  const HostCase host = make_host_case(context.op(), c);
  const KernelResults first = Runner(context)(c, host);
  check_runs(context, c, host, first);
  check_plans(context, c, host, first);
  check_orders(context, c, host, first);
  check_layouts(context, c, host, first);
  check_number_of_rows(context, c, host, first);
  check_neighbours(context, c, host, first);
}

const RegisterGate registered({
    .id = "repeat",
    .title = "results repeat bit for bit, and a row's bits depend on that row alone",
    .question = Question::right,
    .rows = {"B20", "B23"},
    .cases = cases,
    .run = run,
    .reach = Reach::kernels,
    .timeout_s = 300,
    .sanitized = true,
});

}  // namespace
}  // namespace seamgate::gates
