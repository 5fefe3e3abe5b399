// Known ways of getting RMSNorm wrong.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gates/diagnosis/mistake.hpp"

namespace seamgate::gates {
namespace {

using Values = std::vector<double>;

enum class Eps { inside, dropped, outside, fixed };

// The formula, with what may go wrong in it.
struct Formula {
  Eps eps = Eps::inside;
  double fixed_eps = 0.0;
  bool sum_for_mean = false;     // in the statistics
  bool one_column_less = false;  // divided by N - 1
  bool centred = false;          // the mean subtracted first
  bool normalised = true;
  double r_power = 1.0;
  double weight_shift = 0.0;  // added to what the variant takes for the weight
  bool weight = true;
  // Of dx.
  double projection = 1.0;  // how often it is subtracted
  bool projection_is_sum = false;
  bool weight_in_projection = true;
  bool projection_times_weight = false;
  bool r_in_front = true;
  // Of dw.
  bool xhat_in_dw = true;
  bool weight_in_dw = false;
  std::int64_t block_of_rows = 1;  // dw leaves out the rows after the last whole block
  std::int64_t first_rows = 0;     // dw sums these alone; 0: all
};

double weight_of(const Numbers& n, const Formula& f, std::int64_t j) {
  if (!f.weight) return 1.0;
  return n.inputs[1][static_cast<std::size_t>(j)] + (n.variant == "gemma" ? 1.0 : 0.0) + f.weight_shift;
}

struct RowStatistics {
  double mean = 0.0;
  double r = 1.0;
};

RowStatistics statistics(const Numbers& n, const Formula& f, std::int64_t row) {
  RowStatistics s;
  const auto count = static_cast<double>(n.columns);
  for (std::int64_t j = 0; f.centred && j < n.columns; ++j) s.mean += n.at(n.inputs[0], row, j) / count;
  double sum = 0.0;
  for (std::int64_t j = 0; j < n.columns; ++j) {
    const double x = n.at(n.inputs[0], row, j) - s.mean;
    sum += x * x;
  }
  const double divisor = f.sum_for_mean ? 1.0 : f.one_column_less ? count - 1.0 : count;
  const double square = sum / divisor;
  const double eps = f.eps == Eps::fixed ? f.fixed_eps : n.eps;
  const double root = f.eps == Eps::dropped   ? std::sqrt(square)
                      : f.eps == Eps::outside ? std::sqrt(square) + eps
                                              : std::sqrt(square + eps);
  s.r = f.normalised ? std::pow(1.0 / root, f.r_power) : 1.0;
  return s;
}

Values y_of(const Numbers& n, const Formula& f) {
  Values y;
  for (std::int64_t row = 0; row < n.rows; ++row) {
    const auto s = statistics(n, f, row);
    for (std::int64_t j = 0; j < n.columns; ++j)
      y.push_back((n.at(n.inputs[0], row, j) - s.mean) * s.r * weight_of(n, f, j));
  }
  return y;
}

Values dx_of(const Numbers& n, const Formula& f) {
  Values dx;
  for (std::int64_t row = 0; row < n.rows; ++row) {
    const auto s = statistics(n, f, row);
    double projection = 0.0;
    for (std::int64_t j = 0; j < n.columns; ++j) {
      const double g = n.at(n.upstream[0], row, j) * (f.weight_in_projection ? weight_of(n, f, j) : 1.0);
      projection +=
          g * n.at(n.inputs[0], row, j) * s.r / (f.projection_is_sum ? 1.0 : static_cast<double>(n.columns));
    }
    for (std::int64_t j = 0; j < n.columns; ++j) {
      const double w = weight_of(n, f, j);
      const double xhat = n.at(n.inputs[0], row, j) * s.r;
      const double g = n.at(n.upstream[0], row, j) * w;
      dx.push_back((f.r_in_front ? s.r : 1.0) *
                   (g - f.projection * xhat * projection * (f.projection_times_weight ? w : 1.0)));
    }
  }
  return dx;
}

Values dw_of(const Numbers& n, const Formula& f) {
  Values dw(static_cast<std::size_t>(n.columns), 0.0);
  const std::int64_t whole = n.rows / f.block_of_rows * f.block_of_rows;
  const std::int64_t rows = f.first_rows > 0 ? std::min(f.first_rows, n.rows) : whole;
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto s = statistics(n, f, row);
    for (std::int64_t j = 0; j < n.columns; ++j) {
      const double xhat = (n.at(n.inputs[0], row, j) - s.mean) * (f.xhat_in_dw ? s.r : 1.0);
      dw[static_cast<std::size_t>(j)] +=
          n.at(n.upstream[0], row, j) * xhat * (f.weight_in_dw ? weight_of(n, f, j) : 1.0);
    }
  }
  return dw;
}

// A mistake in the statistics shows in every tensor that reads them.
void add_to_all(std::vector<Mistake>& all, const std::string& text, const std::string& defect,
                const Formula& f) {
  all.push_back({"y", text, defect, [f](const Numbers& n) { return y_of(n, f); }});
  all.push_back({"dx", text, defect, [f](const Numbers& n) { return dx_of(n, f); }});
  all.push_back({"dw", text, defect, [f](const Numbers& n) { return dw_of(n, f); }});
}

std::vector<Mistake> all_mistakes() {
  std::vector<Mistake> all;
  add_to_all(all, "eps is left out of the root", "D44", {.eps = Eps::dropped});
  add_to_all(all, "eps is added to the root, not under it", "D46", {.eps = Eps::outside});
  for (const double eps : {1e-5, 1e-6, 1e-8, 1e-12, 0x1p-23}) {
    char text[64];
    std::snprintf(text, sizeof text, "eps is always %.3g, whatever the call says", eps);
    add_to_all(all, text, "D44", {.eps = Eps::fixed, .fixed_eps = eps});
  }
  add_to_all(all, "the sum of squares in place of their mean", "", {.sum_for_mean = true});
  add_to_all(all, "the squares are divided by N - 1", "", {.one_column_less = true});
  add_to_all(all, "the mean is subtracted first, as in LayerNorm", "D23", {.centred = true});
  add_to_all(all, "x is not normalised: r is 1", "", {.normalised = false});
  add_to_all(all, "r is 1 / (mean square + eps), without the root", "D25", {.r_power = 2.0});
  add_to_all(all, "r is the root, not one over it", "D25", {.r_power = -1.0});
  const auto y = [&](const std::string& text, const std::string& defect, const Formula& f) {
    all.push_back({"y", text, defect, [f](const Numbers& n) { return y_of(n, f); }});
  };
  const auto dx = [&](const std::string& text, const std::string& defect, const Formula& f) {
    all.push_back({"dx", text, defect, [f](const Numbers& n) { return dx_of(n, f); }});
  };
  const auto dw = [&](const std::string& text, const std::string& defect, const Formula& f) {
    all.push_back({"dw", text, defect, [f](const Numbers& n) { return dw_of(n, f); }});
  };
  y("w is left out", "", {.weight = false});
  y("1 is added to w once too often", "D53", {.weight_shift = 1.0});
  y("1 is not added to w", "D05", {.weight_shift = -1.0});
  dx("w is left out", "", {.weight = false});
  dx("1 is added to w once too often", "D53", {.weight_shift = 1.0});
  dx("1 is not added to w", "D05", {.weight_shift = -1.0});
  dx("the projection term, xhat * mean(g * xhat), is left out", "D03", {.projection = 0.0});
  dx("the projection term is subtracted twice", "D103", {.projection = 2.0});
  dx("the projection term is added, not subtracted", "", {.projection = -1.0});
  dx("the projection term is multiplied by w a second time", "D03", {.projection_times_weight = true});
  dx("the projection is a sum, not a mean", "", {.projection_is_sum = true});
  dx("w is left out of the projection", "", {.weight_in_projection = false});
  dx("r is left out in front", "", {.r_in_front = false});
  dw("x in place of xhat", "", {.xhat_in_dw = false});
  dw("multiplied by w", "", {.weight_in_dw = true});
  for (const std::int64_t rows : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
    dw("only the first " + std::to_string(rows) + " rows are summed", "", {.first_rows = rows});
    if (rows > 1)
      dw("rows after the last whole block of " + std::to_string(rows) + " are left out of the sum", "D22",
         {.block_of_rows = rows});
  }
  return all;
}

const RegisterMistakes registered("rmsnorm", all_mistakes());

}  // namespace
}  // namespace seamgate::gates
