// Why nothing can run on a GPU here.
#include "gates/no_gpu.hpp"

namespace seamgate::gates {
namespace {

std::string version(int cuda) { return std::to_string(cuda / 1000) + "." + std::to_string(cuda % 1000 / 10); }

}  // namespace

std::string why_no_gpu(const GpuAnswer& answer) {
  if (!answer.error.empty()) {
    if (answer.driver == 0) return "no GPU: no driver (" + answer.error + ")";
    if (answer.driver / 1000 < answer.built_with / 1000) {
      return "no GPU: the driver is too old: it serves CUDA " + version(answer.driver) + ", this build is of " + version(answer.built_with) +
             " (" + answer.error + ")";
    }
    return "no GPU: " + answer.error;
  }
  if (answer.count == 0) return "no GPU";
  if (!answer.code_error.empty()) {
    return "not built for this GPU: compute capability " + answer.capability + ", built for " + answer.built_for + " (" + answer.code_error + ")";
  }
  return {};
}

}  // namespace seamgate::gates
