// Programs built with a real sanitizer have no checker: its hooks would collide with the sanitizer's own.
#include "kernels/simt/check_launch.hpp"

namespace seamgate::simt::host {

kernels::Status check_launch(const LaunchRequest& request, BlockRunner&, BlockLaunch&,
                             const std::function<void()>&) {
  return kernels::Status::launch_failed(*request.kernel +
                                        ": this program was built without the checked emulator");
}

}  // namespace seamgate::simt::host
