// The seam that a library brings.
#include "gates/plugin/own_seam.hpp"

#include <stdexcept>

#include "gates/plugin/in_force.hpp"
#include "gates/plugin/process_state.hpp"
#include "gates/plugin/watched.hpp"

namespace seamgate::gates::plugin {
namespace {

struct Asking {
  bool wants_gradient = true;
  void* context = nullptr;
  Said said;
};
Asking asking;

const seamgate_seam& seam() {
  const auto* own = kernel_in_force().seam;
  if (own == nullptr) throw std::logic_error("the library in force has no seam of its own");
  return *own;
}

void release() {
  if (asking.context == nullptr) return;
  void* context = std::exchange(asking.context, nullptr);
  const ProcessState state;
  seam().release(context);
  note_disturbances("seam.release", state.restore());
}

kernels::Status ask(const kernels::ForwardCall& call) {
  release();
  const auto inputs = tensors_of(call.inputs);
  const auto outputs = tensors_of(call.outputs);
  const std::string variant(call.attributes.variant);
  seamgate_ask_call given;
  std::memset(&given, 0, sizeof given);
  given.inputs = inputs.data();
  given.outputs = outputs.data();
  given.variant = variant.c_str();
  given.eps = call.attributes.eps;
  given.wants_gradient = asking.wants_gradient ? 1 : 0;
  given.context = &asking.context;
  given.stream = call.stream;
  const std::vector<seamgate_tensor>* arguments[] = {&inputs, &outputs};
  asking.said = watched("seam.ask", seam().ask, given, arguments);
  return status_of(asking.said);
}

struct BackwardCall {
  const seamgate_tensor* upstream;
  const seamgate_tensor* grads;
  void* stream;
};

kernels::Status backward(const kernels::BackwardCall& call) {
  const auto upstream = tensors_of(call.upstream);
  const auto grads = tensors_of(call.grads);
  const BackwardCall given{upstream.data(), grads.data(), call.stream};
  const std::vector<seamgate_tensor>* arguments[] = {&upstream, &grads};
  const auto by_context = [](const BackwardCall* one, char* message) {
    return seam().backward(asking.context, one->upstream, one->grads, one->stream, message);
  };
  asking.said = watched("seam.backward", by_context, given, arguments);
  return status_of(asking.said);
}

std::size_t no_workspace(std::int64_t, std::int64_t, kernels::LaunchPlan) {
  return 0;
}

// What KernelRun needs of an implementation: its launches. Nothing else is ever asked of it.
class Asked final : public Implementation {
 public:
  std::string name() const override { return "the library's own seam"; }
  const kernels::Contract& contract() const override { return facts_in_force().contract; }
  const kernels::KernelTable* kernels(Machine) const override {
    static const kernels::KernelTable table = {&plugin::ask, &plugin::backward, &no_workspace};
    return &table;
  }
  std::vector<AnyTensor> ask(const std::vector<AnyTensor>&, const seam::Request&,
                             const seam::Machines*) const override {
    return refuse();
  }
  std::vector<AnyTensor> tensor_path(const std::vector<AnyTensor>&, const seam::Request&) const override {
    return refuse();
  }
  seam::Counters& counters() const override {
    refuse();
    throw std::logic_error("not reached");
  }

 private:
  [[noreturn]] static std::vector<AnyTensor> refuse() {
    throw std::logic_error("a library's own seam takes no tensors of ours");
  }
};

}  // namespace

SeamRun::SeamRun(const OpTraits& op, Backend backend, const Case& c, HostCase host)
    : implementation_(std::make_unique<Asked>()),
      kernel_(
          std::make_unique<KernelRun>(op, *implementation_, default_machine(backend), c, std::move(host))) {
  seam();
}

SeamRun::~SeamRun() {
  release();
}

Said SeamRun::ask(bool wants_gradient) {
  asking.wants_gradient = wants_gradient;
  (void)kernel_->forward();  // what it said is in asking
  return asking.said;
}

Said SeamRun::backward(const std::vector<bool>& wanted) {
  (void)kernel_->backward(wanted);
  return asking.said;
}

bool SeamRun::kept_a_context() const {
  return asking.context != nullptr;
}

seamgate_counters read_counters() {
  seamgate_counters counters;
  std::memset(&counters, 0xff, sizeof counters);  // what is not filled in is no number that anybody counted
  const ProcessState state;
  seam().counters(&counters);
  note_disturbances("seam.counters", state.restore());
  return counters;
}

void reset_counters() {
  const ProcessState state;
  seam().reset();
  note_disturbances("seam.reset", state.restore());
}

std::string text_of(const seamgate_counters& counters) {
  return "(" + std::to_string(counters.asked) + "," + std::to_string(counters.declined) + "," +
         std::to_string(counters.served) + "," + std::to_string(counters.failed) + ")";
}

std::string broken_law(const seamgate_counters& counters) {
  const auto sum = counters.declined + counters.served + counters.failed;
  if (counters.asked == sum) return {};
  return "asked " + std::to_string(counters.asked) + ", declined + served + failed " + std::to_string(sum);
}

}  // namespace seamgate::gates::plugin
