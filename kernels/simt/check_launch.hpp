// The seam between the launcher and the checker: a checked launch runs between the two halves of
// check_launch.
#pragma once

#include <functional>

#include "kernels/simt/block_runner.hpp"

namespace seamgate::simt::host {

// Installs the checker as `launch`'s observer, calls `run`, and turns what was found into findings and a
// status.
kernels::Status check_launch(const LaunchRequest& request, BlockRunner& runner, BlockLaunch& launch,
                             const std::function<void()>& run);

}  // namespace seamgate::simt::host
