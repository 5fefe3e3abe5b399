// Gate `streams`: work goes to the stream it is given. Inputs are written by a producer that is still
// spinning when the kernels are launched, so that a kernel on another stream reads what was there before:
// NaN.
#include <array>
#include <optional>

#include "gates/cotangent.hpp"
#include "gates/device_stream.hpp"
#include "gates/kernel_results.hpp"
#include "gates/sweep.hpp"
#include "gates/tape_run.hpp"
#include "gates/wrong_stream.hpp"
#include "tensor/autodiff/primitives.hpp"

namespace seamgate::gates {
namespace {

// The producer spins for the first of these; where the host was held up meanwhile, so that it had ended
// before the launches had returned, for the next. A launch that waits for the producer finds none long
// enough.
constexpr std::array delays_ns = {std::int64_t{50'000'000}, std::int64_t{200'000'000},
                                  std::int64_t{800'000'000}};

constexpr std::array table = {
    LaunchRow{33, 300, "packed", 0, Tier::control},   LaunchRow{5, 40, "strided", 0, Tier::smoke},
    LaunchRow{64, 1024, "packed", 3, Tier::smoke},    LaunchRow{1100, 65, "packed", 0, Tier::premerge},
    LaunchRow{7, 4099, "offset1", 0, Tier::premerge}, LaunchRow{200, 8192, "packed", 0, Tier::nightly},
};

std::vector<Case> cases(const Plan& plan) {
  return thinned(plan, table_cases(plan, table, "normal", 401), table.front());
}

struct Late {
  bool launched = true;
  bool producer_was_running = false;  // when the last launch had returned
  bool non_blocking = false;
  std::string launch_message;
};

// A direct launch of both directions behind a producer on one stream.
Late launch_behind(const KernelRun& source, KernelRun& run, std::int64_t delay_ns) {
  Late late;
  run.refill(std::byte{0xff});
  run.spoil_inputs();
  const device::Stream stream;
  late.non_blocking = stream.is_non_blocking();
  device::synchronise(Backend::cuda);
  device::keep_busy(stream.handle(), delay_ns);
  run.copy_inputs_from(source, stream.handle());
  const auto forward = run.enqueue_forward(stream.handle());
  const auto backward = run.enqueue_backward(stream.handle());
  late.producer_was_running = stream.is_busy();
  late.launched = forward.ok() && backward.ok();
  late.launch_message = forward.message + backward.message;
  device::synchronise(Backend::cuda);  // all streams: a kernel that went elsewhere has ended, too
  return late;
}

Late launch_late(const KernelRun& source, KernelRun& run) {
  Late late;
  for (const std::int64_t delay : delays_ns) {
    late = launch_behind(source, run, delay);
    if (late.producer_was_running) break;
  }
  return late;
}

void check_direct(Context& context, const Case& c, const HostCase& host) {
  const auto& kernels = *context.implementation().kernels(Machine::cuda);
  KernelRun plain(context.op(), kernels, Machine::cuda, c, host);
  const KernelResults want = launch_both(plain, context.contract());
  context.check(c, "a plain launch has no NaN", first_nan(context.contract(), want), "");

  KernelRun run(context.op(), kernels, Machine::cuda, c, host);
  const Late late = launch_late(plain, run);
  context.check(c, "launches on a stream of their own", late.launched ? "ok" : late.launch_message, "ok");
  context.check(c, "the stream does not wait for the default stream", late.non_blocking);
  context.check(c, "the launches returned while the producer was running", late.producer_was_running);
  context.check(c, "behind a delayed producer",
                same_bits(context.contract(), read_results(run, context.contract()), want, repeatable(context.op())), same_bits_text);
  context.check(c, "nothing else was touched", run.damage(), "");

  const WrongStream wrong(kernels);
  KernelRun control(context.op(), wrong.table(), Machine::cuda, c, host);
  const Late astray = launch_late(plain, control);
  const auto seen = same_bits(context.contract(), read_results(control, context.contract()), want);
  context.check(c, "control: kernels on the default stream are noticed (" + seen + ")",
                astray.launched && astray.producer_was_running && seen != same_bits_text);
}

#ifdef SEAMGATE_HAS_CUDA

struct OnTape {
  KernelResults results;
  bool producer_was_running = false;
};

// The same through the seam: forward on a tape and backward, on the thread's current stream.
OnTape ask_behind(Context& context, const Case& c, const HostCase& host, const seam::Machines* machines,
                  std::int64_t delay_ns) {
  using Bare = Tensor<Cuda>;
  using Tracked = Tensor<Autodiff<Cuda, BalancedCheckpointing>>;
  const auto& contract = context.contract();
  const auto stream = Cuda::make_stream(Cuda::default_device());
  const Cuda::StreamGuard on(stream);
  const std::vector<Bare> inputs = bare_inputs<Cuda>(contract, c, host);
  std::vector<Bare> seeds;
  for (std::size_t i = 0; i < host.upstream.size(); ++i) {
    seeds.push_back(
        tensor_of<Cuda>(c, contract.outputs[i].extent, output_dtype(contract, c), host.upstream[i]));
  }
  const auto spoilt = [](const std::vector<Bare>& like) {
    std::vector<Bare> tensors;
    for (const Bare& tensor : like)
      tensors.push_back(Bare::full(__builtin_nanf(""), tensor.shape(), tensor.dtype()));
    return tensors;
  };
  const std::vector<Bare> late_inputs = spoilt(inputs);
  const std::vector<Bare> late_seeds = spoilt(seeds);
  Cuda::synchronize(Cuda::default_device());
  if (delay_ns > 0) device::keep_busy(stream.get(), delay_ns);
  for (std::size_t i = 0; i < inputs.size(); ++i) late_inputs[i].copy_from(inputs[i]);
  for (std::size_t i = 0; i < seeds.size(); ++i) late_seeds[i].copy_from(seeds[i]);

  std::vector<Tracked> leaves;
  std::vector<AnyTensor> asked;
  for (const Bare& input : late_inputs) {
    leaves.push_back(Tracked::from_inner(input).require_grad());
    asked.push_back(leaves.back());
  }
  std::vector<Tracked> outputs;
  for (const AnyTensor& any : context.implementation().ask(asked, request_of(c), machines))
    outputs.push_back(*any.as<Tracked>());
  const auto gradients = outputs.size() == 1 ? outputs[0].backward(late_seeds[0])
                                             : cotangent_loss(outputs, late_seeds).backward();
  OnTape on_tape;
  on_tape.producer_was_running = device::is_busy(stream.get());
  Cuda::synchronize(Cuda::default_device());
  for (const Tracked& output : outputs) on_tape.results.outputs.push_back(output.inner().to_floats());
  on_tape.results.saved.resize(contract.saved.size());
  for (const Tracked& leaf : leaves) on_tape.results.gradients.push_back(leaf.grad(gradients)->to_floats());
  return on_tape;
}

OnTape ask_late(Context& context, const Case& c, const HostCase& host, const seam::Machines* machines) {
  OnTape on_tape;
  for (const std::int64_t delay : delays_ns) {
    on_tape = ask_behind(context, c, host, machines, delay);
    if (on_tape.producer_was_running) break;
  }
  return on_tape;
}

void check_seam(Context& context, const Case& c, const HostCase& host) {
  if (c.layout != "packed") return;  // late copies are packed
  const auto& contract = context.contract();
  const auto eager = run_on_tape(context.op(), context.implementation(), context.backend(), c, host, {});
  KernelResults want;
  want.outputs = eager.outputs;
  want.saved.resize(contract.saved.size());
  for (const auto& gradient : eager.gradients) want.gradients.push_back(gradient.value());
  const seam::SeamLock lock;
  (void)ask_behind(context, c, host, nullptr,
                   0);  // the first use of a kernel loads it, which may wait for the device
  const OnTape late = ask_late(context, c, host, nullptr);
  context.check(c, "seam: forward and backward returned while the producer was running",
                late.producer_was_running);
  context.check(c, "seam: on a stream of the thread's, behind a delayed producer",
                same_bits(contract, late.results, want, repeatable(context.op())), same_bits_text);

  const kernels::KernelTable& kernels = *context.implementation().kernels(Machine::cuda);
  const WrongStream wrong(kernels);
  const seam::Machines machines{context.implementation().kernels(Machine::cpu_plain), &wrong.table()};
  const OnTape astray = ask_late(context, c, host, &machines);
  const auto seen = same_bits(contract, astray.results, want);
  context.check(c, "control: seam on the default stream is noticed (" + seen + ")",
                astray.producer_was_running && seen != same_bits_text);
}

#else

void check_seam(Context&, const Case&, const HostCase&) {
  throw CannotRun{"not built (this build has no CUDA part)"};
}

#endif

void run(Context& context, const Case& c) {
  const HostCase host = make_host_case(context.op(), c);
  check_direct(context, c, host);
  check_seam(context, c, host);
}

const RegisterGate registered({
    .id = "streams",
    .title = "work goes to the stream it is given, forward and backward",
    .question = Question::right,
    .rows = {"B21"},
    .backends = {Backend::cuda},
    .backends_reason = "the emulator has no streams: a launch has ended when it returns",
    .cases = cases,
    .run = run,
    .reach = Reach::kernels,
    .timeout_s = 300,
});

}  // namespace
}  // namespace seamgate::gates
