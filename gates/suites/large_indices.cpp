// Gate `large_indices`: tensors of more than 2^31 and 2^32 elements, forward and backward, every element and
// every gradient against truth where they lie. Truth is the op's page in double-double
// (reference/OP_at_size.hpp), which sampled rows hold against float128 in the same run; and elements at the
// far end, changed on purpose, must be found.
#include <unistd.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <set>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "gates/at_size/agreement.hpp"
#include "gates/at_size/large_run.hpp"
#include "gates/device_memory.hpp"
#include "gates/kernel_run.hpp"
#include "gates/numeric.hpp"

namespace seamgate::gates {
namespace {

struct Line {
  std::int64_t rows;
  std::int64_t columns;
  DType dtype;
  Tier tier;
};

// The small ones run the same code. Rows of whole vectors and of 257, which are not; 17 million rows are as
// many as the sum over rows is made for.
constexpr std::array lines = {
    Line{67, 4096, DType::f32, Tier::control},
    Line{1031, 257, DType::f32, Tier::smoke},
    Line{67, 4096, DType::bf16, Tier::smoke},
    Line{131075, 16384, DType::f32, Tier::premerge},  // 2^31 + 2^14 * 3
    Line{1048579, 4096, DType::f32, Tier::premerge},
    Line{1048579, 4096, DType::bf16, Tier::premerge},  // 2^32 + 2^12 * 3
    Line{16777219, 257, DType::f32, Tier::nightly},
    Line{16777219, 257, DType::bf16, Tier::nightly},  // 2^32 + 2^24
};

// What a case may take of a GPU: the other gates of a run have contexts and tensors there, too.
constexpr std::int64_t most_bytes = std::int64_t{104} << 30;
constexpr auto patience = std::chrono::seconds(240);

std::string gib(std::int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (1 << 30));
  return text;
}

// Tensors of rows and columns, in bytes: inputs with gradients, outputs with upstream ones.
std::int64_t tensor_bytes(const kernels::Contract& contract, const Line& line) {
  std::int64_t tensors = 0;
  for (const auto& spec : contract.inputs) tensors += spec.extent == kernels::Extent::rows_by_columns ? 2 : 0;
  for (const auto& spec : contract.outputs)
    tensors += spec.extent == kernels::Extent::rows_by_columns ? 2 : 0;
  return tensors * line.rows * line.columns * static_cast<std::int64_t>(size_of(line.dtype));
}

std::string inapplicable(const OpTraits& op) {
  return find_page_at_size(op.name) == nullptr
             ? "the op brings no page of truth at size (reference/" + op.name + "_at_size.hpp)"
             : "";
}

std::vector<Case> cases(const Plan& plan) {
  std::vector<Case> all;
  const PageAtSize* page = find_page_at_size(plan.op.name);
  if (page == nullptr) return all;
  const auto& contract = plan.contract();
  const auto* variant = kernels::find_variant(contract, page->variant);
  std::uint64_t seed = 480;
  for (const Line& line : lines) {
    ++seed;
    const std::vector<DType> dtypes(contract.inputs.size(), line.dtype);
    if (!plan.at_least(line.tier) || line.columns > contract.max_columns || variant == nullptr) continue;
    if (kernels::find_dtypes(*variant, dtypes) == nullptr || tensor_bytes(contract, line) > most_bytes)
      continue;
    Case c = make_case(contract, page->variant, {line.rows, line.columns}, page->distribution, seed);
    c.dtypes = dtypes;
    all.push_back(c);
  }
  return all;
}

// In the driver's words.
bool is_out_of_memory(const std::runtime_error& error) {
  return std::string_view(error.what()).find("out of memory") != std::string_view::npos;
}

// The tensors, once this process has them all: others may be at work on the GPU, and two that have half each
// would wait for ever, so that whoever gets too little gives back what it has.
std::unique_ptr<LargeRun> allocated(Context& context, const kernels::KernelTable& table, const Case& c) {
  const std::int64_t needed =
      LargeRun::bytes_needed(context.op(), table, c) + workspace_at_size(c.rows(), c.columns());
  const auto total = static_cast<std::int64_t>(device::memory_info(Backend::cuda).total_bytes);
  constexpr std::int64_t reserve = std::int64_t{2} << 30;
  if (needed + reserve > total) {
    throw CannotRun{c.str() + " needs " + gib(needed) + " and 2 GiB to spare; the GPU has " + gib(total)};
  }
  const auto started = std::chrono::steady_clock::now();
  std::string last = "never tried";
  for (unsigned turn = static_cast<unsigned>(::getpid());; turn = turn * 1664525U + 1013904223U) {
    const auto free = static_cast<std::int64_t>(device::memory_info(Backend::cuda).free_bytes);
    if (free > needed + reserve / 2) {
      try {
        return std::make_unique<LargeRun>(context.op(), table, Backend::cuda, c);
      } catch (const std::runtime_error& error) {
        if (!is_out_of_memory(error)) throw;
        last = error.what();
      }
    } else {
      last = gib(free) + " are free of " + gib(total);
    }
    if (std::chrono::steady_clock::now() - started > patience) {
      throw CannotRun{c.str() + " needs " + gib(needed) + "; for " + std::to_string(patience.count()) +
                      " s there was not as much: " + last};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300 + turn % 1700));
  }
}

// Another process may have taken what was free when this one began: that is no verdict on the kernel.
EvaluationAtSize judged(EvaluateAtSize evaluate, const Case& c, const ProblemAtSize& problem) {
  try {
    return evaluate(problem);
  } catch (const std::runtime_error& error) {
    if (!is_out_of_memory(error)) throw;
    throw CannotRun{c.str() + ": " + error.what()};
  }
}

// What the op serves and no case of the plan is of.
std::string not_covered(const Plan& plan) {
  std::string text;
  const auto all = cases(plan);
  for (const auto& variant : plan.contract().variants) {
    for (const auto& served : variant.dtypes) {
      const bool covered = std::any_of(all.begin(), all.end(), [&](const Case& c) {
        return c.variant == variant.name && c.dtypes == served.inputs;
      });
      if (covered) continue;
      text += (text.empty() ? "" : ", ") + variant.name;
      for (const DType dtype : served.inputs) text += " " + std::string(to_string(dtype));
    }
  }
  return text.empty() ? "nothing" : text;
}

// The ends, where an index passes 2^31 and 2^32, and some between.
std::vector<std::int64_t> sampled_rows(const Case& c) {
  std::set<std::int64_t> rows = {0, c.rows() - 1, c.rows() / 2, c.rows() / 3, 5 * (c.rows() / 7)};
  for (const std::int64_t index : {std::int64_t{1} << 31, std::int64_t{1} << 32}) {
    for (const std::int64_t row : {index / c.columns() - 1, index / c.columns()}) {
      if (row >= 0 && row < c.rows()) rows.insert(row);
    }
  }
  return {rows.begin(), rows.end()};
}

// Float128 on the numbers that the map gives for these rows.
reference::Truth truth_of_rows(Context& context, const LargeRun& run, const Case& c,
                               const std::vector<std::int64_t>& rows) {
  Case some = c;
  some.shape = {static_cast<std::int64_t>(rows.size()), c.columns()};
  HostCase host;
  const auto& contract = context.contract();
  const auto inputs = run.input_maps();
  const auto upstream = run.upstream_maps();
  for (std::size_t i = 0; i < inputs.size(); ++i)
    host.inputs.push_back(run.mapped_rows(inputs[i], contract.inputs[i].extent, rows));
  for (std::size_t j = 0; j < upstream.size(); ++j)
    host.upstream.push_back(run.mapped_rows(upstream[j], contract.outputs[j].extent, rows));
  return evaluate_truth(context.op(), some, host);
}

void check_page(Context& context, const Case& c, const LargeRun& run, const EvaluationAtSize& page,
                const std::vector<std::int64_t>& rows) {
  const auto& contract = context.contract();
  const auto maps = run.input_maps();
  for (std::size_t i = 0; i < maps.size(); ++i) {
    context.check(c, contract.inputs[i].name + ": sampled rows are the host's numbers",
                  run.input_rows(i, rows) == run.mapped_rows(maps[i], contract.inputs[i].extent, rows));
  }
  const auto truth = truth_of_rows(context, run, c, rows);
  const auto held = [&](const std::string& name, const reference::TruthTensor& tensor,
                        const SampledAtSize& sampled) {
    const Agreement agreement = agreement_of(tensor, sampled);
    context.record().check(name + ": the page agrees with float128 on sampled rows", agreement.holds(),
                           agreement.str(), "2^-95 of S, 2.5e-29, and S to 1e-12", c.str());
  };
  for (std::size_t j = 0; j < truth.outputs.size(); ++j)
    held(contract.outputs[j].name, truth.outputs[j], page.sampled_outputs[j]);
  for (std::size_t i = 0; i < truth.gradients.size(); ++i) {
    held("d" + contract.inputs[i].name, truth.gradients[i], page.sampled_gradients[i]);
  }
}

// What float128 says of the worst element, where it is of one row.
double wanted_at(Context& context, const LargeRun& run, const Case& c, bool output, std::size_t k,
                 const WorstAtSize& worst) {
  const auto truth = truth_of_rows(context, run, c, {worst.row});
  return (output ? truth.outputs[k] : truth.gradients[k]).value(static_cast<std::size_t>(worst.column));
}

void record_worst(Context& context, const Case& c, const LargeRun& run, const EvaluationAtSize& page,
                  bool output, std::size_t k) {
  const auto& contract = context.contract();
  const WorstAtSize& worst = output ? page.outputs[k] : page.gradients[k];
  const bool per_column = !output && contract.inputs[k].extent == kernels::Extent::columns;
  Numeric numeric;
  numeric.case_text = c.str();
  numeric.tensor = output ? contract.outputs[k].name : "d" + contract.inputs[k].name;
  const Bar bar = bar_of(context.op());
  numeric.bar = bar.value();
  numeric.bar_source = bar.source();
  numeric.you.error = worst.error;
  numeric.you.failing = worst.slices_over;
  numeric.you.passed = worst.slices_over == 0 && bar.admits(worst.error) && worst.slices > 0;
  if (!numeric.you.passed && worst.column >= 0) {
    const std::int64_t row = per_column ? 0 : worst.row;
    numeric.you.worst = row * c.columns() + worst.column;
    numeric.you.got = output ? run.output_at(k, row, worst.column) : run.gradient_at(k, row, worst.column);
    numeric.you.want = per_column ? page.sums[k][static_cast<std::size_t>(worst.column)].hi
                                  : wanted_at(context, run, c, output, k, worst);
    numeric.place =
        (per_column ? "" : "row " + std::to_string(row) + ", ") + "column " + std::to_string(worst.column);
    char text[200];
    std::snprintf(text, sizeof text,
                  "error %.3g, bar %.3g, got %.9g, want %.9g; %lld of %lld %s over the bar", worst.error,
                  numeric.bar, numeric.you.got, numeric.you.want, static_cast<long long>(worst.slices_over),
                  static_cast<long long>(worst.slices), per_column ? "columns" : "rows");
    numeric.you.message = text;
  }
  context.record().numeric(numeric);
  context.check(c, numeric.tensor + (per_column ? ": columns compared" : ": rows compared"),
                std::to_string(worst.slices), std::to_string(per_column ? c.columns() : c.rows()));
}

// The last element of every tensor, off by a hundredth of S, must be found, there and there alone.
void check_far_end(Context& context, const Case& c, LargeRun& run, const EvaluationAtSize& page,
                   EvaluateAtSize evaluate, const std::vector<std::int64_t>& rows) {
  const auto& contract = context.contract();
  const std::int64_t row = c.rows() - 1;
  const std::int64_t column = c.columns() - 1;
  for (std::size_t j = 0; j < contract.outputs.size(); ++j) {
    run.set_output(
        j, row, column,
        run.output_at(j, row, column) + 0.01F * static_cast<float>(page.sampled_outputs[j].scales.back()));
  }
  for (std::size_t i = 0; i < contract.inputs.size(); ++i) {
    const bool per_column = contract.inputs[i].extent == kernels::Extent::columns;
    const double scale = per_column ? page.sum_scales[i].back() : page.sampled_gradients[i].scales.back();
    run.set_gradient(i, row, column, run.gradient_at(i, row, column) + 0.01F * static_cast<float>(scale));
  }
  const EvaluationAtSize spoilt = judged(evaluate, c, run.problem(bar_of(context.op()).value(), rows));
  const auto found = [&](const std::string& name, const WorstAtSize& worst, bool per_column) {
    const std::string got = std::to_string(worst.slices_over) + " over, the worst at row " +
                            std::to_string(per_column ? row : worst.row) + ", column " +
                            std::to_string(worst.column);
    context.check(c, "control: the last element of " + name + ", changed, is found", got,
                  "1 over, the worst at row " + std::to_string(row) + ", column " + std::to_string(column));
  };
  for (std::size_t j = 0; j < contract.outputs.size(); ++j)
    found(contract.outputs[j].name, spoilt.outputs[j], false);
  for (std::size_t i = 0; i < contract.inputs.size(); ++i) {
    found("d" + contract.inputs[i].name, spoilt.gradients[i],
          contract.inputs[i].extent == kernels::Extent::columns);
  }
  const float last = run.input_at(0, row, column);
  run.set_input(0, row, column, last == 0.0F ? 1.0F : -last);
  context.check(c, "control: the last element of " + contract.inputs[0].name + ", changed, is noticed",
                run.damage(),
                contract.inputs[0].name + ": 1 elements were changed, the first at row " +
                    std::to_string(row) + ", column " + std::to_string(column));
}

void run(Context& context, const Case& c) {
  const EvaluateAtSize evaluate = gpu_at_size(context.op().name);
  if (evaluate == nullptr)
    throw CannotRun{"not built (the op's page at size has no CUDA part in this program)"};
  if (c == cases(context.plan()).front()) {
    context.record().note("not covered at size: " + not_covered(context.plan()));
  }
  const auto began = std::chrono::steady_clock::now();
  const auto seconds = [&began] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  const auto run = allocated(context, *context.implementation().kernels(Machine::cuda), c);
  const double made = seconds();
  const auto forward = run->forward();
  context.check(c, "the forward launches", forward.ok() ? "ok" : forward.message, "ok");
  const auto backward = run->backward();
  context.check(c, "the backward launches", backward.ok() ? "ok" : backward.message, "ok");
  if (!forward.ok() || !backward.ok()) return;
  const double ran = seconds();
  context.check(c, "nothing else was touched", run->damage(), "");
  const auto rows = sampled_rows(c);
  const EvaluationAtSize page = judged(evaluate, c, run->problem(bar_of(context.op()).value(), rows));
  check_page(context, c, *run, page, rows);
  for (std::size_t j = 0; j < page.outputs.size(); ++j) record_worst(context, c, *run, page, true, j);
  for (std::size_t i = 0; i < page.gradients.size(); ++i) record_worst(context, c, *run, page, false, i);
  const bool all_right = std::all_of(page.outputs.begin(), page.outputs.end(),
                                     [](const auto& w) { return w.slices_over == 0; }) &&
                         std::all_of(page.gradients.begin(), page.gradients.end(),
                                     [](const auto& w) { return w.slices_over == 0; });
  if (all_right) check_far_end(context, c, *run, page, evaluate, rows);
  char text[256];
  std::snprintf(text, sizeof text,
                "%.0f elements, %.3f s to judge, %.2f G elements/s (goal 5); memory and inputs %.2f s, "
                "kernels %.3f s, in all %.2f s",
                static_cast<double>(c.rows()) * static_cast<double>(c.columns()), page.seconds,
                static_cast<double>(c.rows()) * static_cast<double>(c.columns()) / page.seconds * 1e-9, made,
                ran - made, seconds());
  context.record().note(c.str() + ": " + text);
}

const RegisterGate registered({
    .id = "large_indices",
    .title = "tensors of more than 2^32 elements are right, every element and gradient",
    .question = Question::right,
    .rows = {"B25"},
    .backends = {Backend::cuda},
    .backends_reason = "no host has the memory and the time for 2^32 elements",
    .inapplicable = inapplicable,
    .cases = cases,
    .run = run,
    .reach = Reach::kernels,
    .timeout_s = 600,
    .alone = true,
});

}  // namespace
}  // namespace seamgate::gates
