// How a trainer uses the seam: its model asks for RMSNorm and SwiGLU, and every evaluation says who served
// the asks.
//
//   train [steps]                      300 steps where nothing is said
//   DM_RMSNORM_FUSED=0 train           norms by tensor operations, the same training: norm=900/900/0
//   DM_RMSNORM_ADJOINT=tensor train    fused norms forward, tensor operations backward
//
// The model learns (a + b) mod 11 (gates/trainer). On a machine without a GPU the kernels run in the
// emulator.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "gates/trainer/eval_line.hpp"
#include "gates/trainer/train.hpp"
#include "seam/ask.hpp"
#include "seam/modules/rms_norm.hpp"
#include "seam/modules/swiglu.hpp"
#include "seam/seam_lock.hpp"

// The kernels that this program was linked with: those for the host. A build of an op's table.cu gives those
// of a GPU.
namespace seamgate::kernels::shipped_plain {
const KernelTable& rmsnorm_table();
const KernelTable& swiglu_table();
}  // namespace seamgate::kernels::shipped_plain

namespace {

using namespace seamgate;
using Norm = seam::shipped::Seam<seam::shipped::RmsNorm>;
using GateUnit = seam::shipped::Seam<seam::shipped::SwiGlu>;

// The type of a trainer's tensors: a backend, on a tape, and what the tape keeps.
using Tracked = Tensor<Autodiff<Cpu, BalancedCheckpointing>>;

int steps_of(int argc, char** argv) {
  if (argc < 2) return 300;
  const int steps = argc == 2 ? std::atoi(argv[1]) : 0;
  if (steps < 1) {
    throw std::invalid_argument("train: the arguments begin with '" + std::string(argv[1]) +
                                "'; allowed: one number of steps, 1 and more");
  }
  return steps;
}

void train(int steps) {
  // A seam is made of the kernels at hand and of what is asked of them.
  const Norm norm({&kernels::shipped_plain::rmsnorm_table(), nullptr}, {"torch", 1e-6F, {}});
  const GateUnit gate_unit({&kernels::shipped_plain::swiglu_table(), nullptr}, {"default", 0.0F, {}});

  // A module asks once per forward, and does not mind who serves it.
  gates::trainer::Modules modules;
  modules.norm = [&](const std::vector<AnyTensor>& x_and_w) { return norm.forward(x_and_w); };
  modules.gate_unit = [&](const std::vector<AnyTensor>& a_and_b) { return gate_unit.forward(a_and_b); };

  // Counters are read with the lock in hand, held from reset to read: nobody else's asks are among them.
  const seam::SeamLock lock;
  Norm::counters().reset(lock);
  GateUnit::counters().reset(lock);
  gates::trainer::Options options;
  options.steps = steps;
  const auto run = gates::trainer::train<Tracked>(options, modules, [&](int done, float loss) {
    std::printf("%s %s %s\n", gates::trainer::eval_line(done, loss).c_str(),
                gates::trainer::served("norm", Norm::counters().read(lock)).c_str(),
                gates::trainer::served("gate_unit", GateUnit::counters().read(lock)).c_str());
  });
  std::printf("first loss %.4g, last loss %.4g\n", static_cast<double>(run.losses.front()),
              static_cast<double>(run.losses.back()));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    train(steps_of(argc, argv));
    return 0;
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 64;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "train: %s\n", error.what());
    return 70;
  }
}
