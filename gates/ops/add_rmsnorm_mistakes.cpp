// Known ways of getting fused add and RMSNorm wrong.
#include <cmath>

#include "gates/diagnosis/mistake.hpp"

namespace seamgate::gates {
namespace {

using Values = std::vector<double>;

// dx = dresidual = r * (g - s * r * mean(g * s * r)) + gsum, with what may go wrong in it.
struct Formula {
  bool sum = true;                 // s = x + residual; else x alone
  double added_after = 1.0;        // gsum, after the Jacobian
  bool added_before = false;       // and before it, to g
  bool added_to_upstream = false;  // before it, to gy, so that w multiplies it too
  bool in_projection = true;       // what is added before is in the mean as well
  double projection = 1.0;
};

struct Row {
  Values s;
  double r = 0.0;
};

Row row_of(const Numbers& n, const Formula& f, std::int64_t row) {
  Row result;
  double squares = 0.0;
  for (std::int64_t j = 0; j < n.columns; ++j) {
    const float x = n.at(n.inputs[0], row, j);
    const float s = f.sum ? x + n.at(n.inputs[1], row, j) : x;
    result.s.push_back(s);
    squares += static_cast<double>(s) * s;
  }
  result.r = 1.0 / std::sqrt(squares / static_cast<double>(n.columns) + n.eps);
  return result;
}

Values y_of(const Numbers& n, const Formula& f) {
  Values y;
  for (std::int64_t row = 0; row < n.rows; ++row) {
    const Row here = row_of(n, f, row);
    for (std::int64_t j = 0; j < n.columns; ++j)
      y.push_back(here.s[static_cast<std::size_t>(j)] * here.r * n.inputs[2][static_cast<std::size_t>(j)]);
  }
  return y;
}

Values dx_of(const Numbers& n, const Formula& f) {
  Values dx;
  for (std::int64_t row = 0; row < n.rows; ++row) {
    const Row here = row_of(n, f, row);
    Values g;
    double mean = 0.0;
    for (std::int64_t j = 0; j < n.columns; ++j) {
      const double w = n.inputs[2][static_cast<std::size_t>(j)];
      const double own = n.at(n.upstream[1], row, j);
      const double plain = n.at(n.upstream[0], row, j) * w;
      g.push_back(plain + (f.added_before ? own : 0.0) + (f.added_to_upstream ? own * w : 0.0));
      mean += (f.in_projection ? g.back() : plain) * here.s[static_cast<std::size_t>(j)] * here.r /
              static_cast<double>(n.columns);
    }
    for (std::int64_t j = 0; j < n.columns; ++j) {
      const auto i = static_cast<std::size_t>(j);
      dx.push_back(here.r * (g[i] - f.projection * here.s[i] * here.r * mean) +
                   f.added_after * n.at(n.upstream[1], row, j));
    }
  }
  return dx;
}

std::vector<Mistake> all_mistakes() {
  std::vector<Mistake> all;
  const auto dx = [&](const std::string& text, const std::string& defect, const Formula& f) {
    for (const char* tensor : {"dx", "dresidual"})
      all.push_back({tensor, text, defect, [f](const Numbers& n) { return dx_of(n, f); }});
  };
  all.push_back({"y", "x is normalised, without the residual", "",
                 [](const Numbers& n) { return y_of(n, {.sum = false}); }});
  dx("the residual's own gradient is left out", "D10", {.added_after = 0.0});
  dx("the residual's own gradient is added twice", "", {.added_after = 2.0});
  dx("the projection term is left out", "D03", {.projection = 0.0});
  for (const bool in_projection : {true, false}) {
    dx("the residual's own gradient went through the norm", "",
       {.added_after = 0.0, .added_before = true, .in_projection = in_projection});
    dx("the residual's own gradient went through the norm", "",
       {.added_after = 0.0, .added_to_upstream = true, .in_projection = in_projection});
    dx("the residual's own gradient went through the norm as well", "",
       {.added_before = true, .in_projection = in_projection});
    dx("the residual's own gradient went through the norm as well", "",
       {.added_to_upstream = true, .in_projection = in_projection});
  }
  return all;
}

const RegisterMistakes registered("add_rmsnorm", all_mistakes());

}  // namespace
}  // namespace seamgate::gates
