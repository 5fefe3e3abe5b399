// The line that a trainer prints at every evaluation: what was learnt, and who served the modules meanwhile.
#pragma once

#include <string>
#include <string_view>

#include "seam/counters.hpp"

namespace seamgate::gates::trainer {

// "step 100 loss 0.0123": six significant digits.
std::string eval_line(int steps, float loss);
// "norm=300/0/300": asked, skipped, node_ran since the counters were reset, for a module of the model. In
// training node_ran == asked; 0/N says that a fused kernel was asked for and never ran.
std::string served(std::string_view module, const seam::CounterSnapshot& counters);

}  // namespace seamgate::gates::trainer
