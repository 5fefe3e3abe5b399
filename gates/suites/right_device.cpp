// Gate `right_device`: tensors on a second GPU are worked on there, and the caller's device is current again
// afterwards.
#include "gates/cotangent.hpp"
#include "gates/device_stream.hpp"
#include "gates/kernel_results.hpp"
#include "gates/sweep.hpp"
#include "gates/tape_run.hpp"

namespace seamgate::gates {
namespace {

#ifdef SEAMGATE_HAS_CUDA

using Bare = Tensor<Cuda>;
using Tracked = Tensor<Autodiff<Cuda, BalancedCheckpointing>>;

Bare tensor_on(int device, const Case& c, kernels::Extent extent, DType dtype,
               const std::vector<float>& values) {
  const Shape shape =
      extent == kernels::Extent::columns ? Shape{c.columns()} : Shape(std::span<const std::int64_t>(c.shape));
  return Bare::from_floats(values, shape, dtype, Device::cuda(device));
}

// Makes device 0 the caller's again, whatever a check found.
struct FirstDevice {
  FirstDevice() { device::use_device(0); }
  ~FirstDevice() { device::use_device(0); }
};

// Every tensor's own word for where it is, and the driver's.
void check_place(Context& context, const Case& c, const std::string& name, const Bare& tensor, int device) {
  context.check(c, name + " says where it is", to_string(tensor.device()), to_string(Device::cuda(device)));
  context.check(c, name + " is there", std::to_string(device::device_of(tensor.view().data)),
                std::to_string(device));
}

KernelResults ask_on(Context& context, const Case& c, const HostCase& host, int device) {
  const auto& contract = context.contract();
  std::vector<Tracked> leaves;
  std::vector<AnyTensor> asked;
  for (std::size_t i = 0; i < host.inputs.size(); ++i) {
    leaves.push_back(
        Tracked::from_inner(tensor_on(device, c, contract.inputs[i].extent, c.dtypes[i], host.inputs[i]))
            .require_grad());
    asked.push_back(leaves.back());
  }
  std::vector<Bare> seeds;
  for (std::size_t i = 0; i < host.upstream.size(); ++i) {
    seeds.push_back(
        tensor_on(device, c, contract.outputs[i].extent, output_dtype(contract, c), host.upstream[i]));
  }
  const std::string where = "tensors on GPU " + std::to_string(device) + ": ";
  KernelResults results;
  std::vector<Tracked> outputs;
  {
    const seam::SeamLock lock;
    context.implementation().counters().reset(lock);
    for (const AnyTensor& any : context.implementation().ask(asked, request_of(c)))
      outputs.push_back(*any.as<Tracked>());
    context.check(c, where + "the node arm serves", context.implementation().counters().read(lock).arms(),
                  "(1,0,1,0)");
  }
  context.check(c, where + "current after the forward", std::to_string(device::current_device()), "0");
  for (std::size_t j = 0; j < outputs.size(); ++j) {
    check_place(context, c, where + contract.outputs[j].name, outputs[j].inner(), device);
  }
  const auto gradients =
      outputs.size() == 1 ? outputs[0].backward(seeds[0]) : cotangent_loss(outputs, seeds).backward();
  context.check(c, where + "current after the backward", std::to_string(device::current_device()), "0");
  for (const Tracked& output : outputs) results.outputs.push_back(output.inner().to_floats());
  results.saved.resize(contract.saved.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto gradient = leaves[i].grad(gradients);
    context.check(c, where + "d" + contract.inputs[i].name + " arrived", gradient.has_value());
    if (!gradient) return results;
    check_place(context, c, where + "d" + contract.inputs[i].name, *gradient, device);
    results.gradients.push_back(gradient->to_floats());
  }
  context.check(c, where + "current after reading", std::to_string(device::current_device()), "0");
  return results;
}

void run(Context& context, const Case& c) {
  if (device::device_count() < 2)
    throw CannotRun{"this machine has " + std::to_string(device::device_count()) + " GPU"};
  const FirstDevice restored;
  const HostCase host = make_host_case(context.op(), c);
  const KernelResults first = ask_on(context, c, host, 0);
  const KernelResults second = ask_on(context, c, host, 1);
  if (second.gradients.size() != first.gradients.size()) return;
  context.check(c, "the second GPU's results are the first's", same_bits(context.contract(), second, first, repeatable(context.op())),
                same_bits_text);
  // A control: a tensor of device 0 is not taken for one of device 1.
  const Bare elsewhere = tensor_on(0, c, context.contract().inputs[0].extent, c.dtypes[0], host.inputs[0]);
  context.check(c, "control: the driver tells the devices apart",
                std::to_string(device::device_of(elsewhere.view().data)), "0");
}

#else

void run(Context&, const Case&) {
  throw CannotRun{"not built (this build has no CUDA part)"};
}

#endif

const RegisterGate registered({
    .id = "right_device",
    .title = "tensors on a second GPU are worked on there, and the current device is restored",
    .question = Question::right,
    .rows = {"B27"},
    .backends = {Backend::cuda},
    .backends_reason = "a CPU is one device",
    .cases = structure_cases,
    .run = run,
    .reach = Reach::node,
    .gpus = 2,
});

}  // namespace
}  // namespace seamgate::gates
