// The line that a trainer prints at every evaluation.
#include "gates/trainer/eval_line.hpp"

#include <cstdio>

namespace seamgate::gates::trainer {

std::string eval_line(int steps, float loss) {
  char text[64];
  std::snprintf(text, sizeof(text), "step %d loss %.6g", steps, static_cast<double>(loss));
  return text;
}

std::string served(std::string_view module, const seam::CounterSnapshot& counters) {
  using seam::Counter;
  return std::string(module) + "=" + std::to_string(counters[Counter::asked]) + "/" +
         std::to_string(counters[Counter::skipped]) + "/" + std::to_string(counters[Counter::node_ran]);
}

}  // namespace seamgate::gates::trainer
