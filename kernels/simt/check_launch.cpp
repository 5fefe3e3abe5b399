// A checked launch: listen, run, then say what was found.
#include "kernels/simt/check_launch.hpp"

#include "kernels/simt/checker.hpp"
#include "kernels/simt/launch_checker.hpp"

namespace seamgate::simt::host {

kernels::Status check_launch(const LaunchRequest& request, BlockRunner& runner, BlockLaunch& launch,
                             const std::function<void()>& run) {
  static LaunchChecker checker;  // launches come one at a time
  checker.begin_launch(request, runner);
  launch.observer = &checker;
  LaunchChecker::active = &checker;
  run();
  LaunchChecker::active = nullptr;
  const std::vector<Finding> findings = checker.end_launch();
  if (findings.empty()) return kernels::Status::success();
  const bool collected = deliver(findings);
  if (checker.stopped_the_launch() || !collected) {
    const std::string more =
        findings.size() > 1 ? " (and " + std::to_string(findings.size() - 1) + " more findings)" : "";
    return kernels::Status::launch_failed("checker: " + findings.back().message + more);
  }
  return kernels::Status::success();
}

}  // namespace seamgate::simt::host
