// Gate `graphs`: forward and backward captured into a graph and replayed on new data in the same buffers are
// what an eager launch gives, bit for bit, and allocate nothing.
//
// A direct launch is what is captured. Through the seam a capture would turn the tensors' stream-ordered
// allocations into nodes of the graph: those belong to the tensor layer, not to the kernel.
#include <array>

#include "gates/counted.hpp"
#include "gates/device_stream.hpp"
#include "gates/kernel_results.hpp"
#include "gates/sweep.hpp"
#include "gates/wrong_stream.hpp"

namespace seamgate::gates {
namespace {

constexpr int data_sets = 3;

constexpr std::array table = {
    LaunchRow{33, 300, "packed", 0, Tier::control},   LaunchRow{5, 40, "strided", 0, Tier::smoke},
    LaunchRow{64, 1024, "packed", 3, Tier::smoke},    LaunchRow{1100, 65, "packed", 0, Tier::premerge},
    LaunchRow{7, 4099, "offset1", 0, Tier::premerge}, LaunchRow{200, 8192, "packed", 0, Tier::nightly},
};

std::vector<Case> cases(const Plan& plan) {
  return thinned(plan, table_cases(plan, table, "normal", 441), table.front());
}

HostCase data_set(Context& context, const Case& c, int number) {
  Case other = c;
  other.seed += 100'000 * static_cast<std::uint64_t>(number);
  return make_host_case(context.op(), other);
}

// Both directions onto the stream; throws in the words of a launch that fails.
void enqueue_both(KernelRun& run, const device::Stream& stream) {
  for (const auto& status : {run.enqueue_forward(stream.handle()), run.enqueue_backward(stream.handle())}) {
    if (!status.ok()) throw std::runtime_error(status.message);
  }
}

std::string counted(Context& context) {
  const seam::SeamLock lock;
  const auto counters = context.implementation().counters().read(lock);
  return counters.arms() + ", node_backward " + std::to_string(counters[seam::Counter::node_backward]);
}

std::string wrong_capture(Context& context, const Case& c, const kernels::KernelTable& kernels) {
  const WrongStream wrong(kernels);
  KernelRun run(context.op(), wrong.table(), Machine::cuda, c, data_set(context, c, 0));
  const device::Stream stream;
  try {
    const device::Graph graph(stream, [&] { enqueue_both(run, stream); });
    if (!graph.error().empty()) return graph.error();
    return graph.nodes().kernels == 0 ? "no kernel was captured" : "captured: " + graph.nodes().str();
  } catch (const std::exception& error) {
    return error.what();
  }
}

void run(Context& context, const Case& c) {
  const auto& contract = context.contract();
  const auto& kernels = *context.implementation().kernels(Machine::cuda);
  std::vector<HostCase> data;
  std::vector<KernelResults> want;
  for (int set = 0; set <= data_sets; ++set) {
    data.push_back(data_set(context, c, set));
    KernelRun eager(context.op(), kernels, Machine::cuda, c, data.back());
    want.push_back(
        launch_both(eager, contract));  // the first also loads the kernels, which a capture would refuse
  }

  KernelRun captured(context.op(), kernels, Machine::cuda, c, data[0]);
  const device::Stream stream;
  const std::string allocation = device::allocate_in_capture(stream);
  context.check(c, "a capture refuses an allocation (" + allocation + ")", allocation != "allowed");
  const device::Graph graph(stream, [&] { enqueue_both(captured, stream); });
  context.check(c, "the capture succeeds", graph.error(), "");
  if (!graph.error().empty()) return;
  const auto& nodes = graph.nodes();
  context.check(c, "the graph's nodes are kernels and copies (" + nodes.str() + ")",
                nodes.allocations == 0 && nodes.others == 0);
  const int launches = contract.forward_launches + contract.backward_launches;
  // A library need not tell how many it launches.
  if (launches > 0) context.check(c, "kernels in the graph, as the contract has them", std::to_string(nodes.kernels), std::to_string(launches));
  context.check(c, "there are kernels in the graph", nodes.kernels > 0);
  context.check(c, "a capture runs nothing: the outputs are as they were filled",
                !first_nan(contract, read_results(captured, contract)).empty());

  const std::string counters = counted(context);
  graph.replay(stream);  // the first replay uploads the graph
  stream.wait();
  const auto before = device::memory_info(Backend::cuda).free_bytes;
  const auto mark = context.witness()->mark();
  for (int set = 1; set <= data_sets; ++set) {
    captured.set_host(data[static_cast<std::size_t>(set)]);
    captured.refill(std::byte{0xff});
    device::synchronise(Backend::cuda);
    graph.replay(stream);
    stream.wait();
    context.check(c, "replay " + std::to_string(set) + " on new data in the same buffers",
                  same_bits(contract, read_results(captured, contract), want[static_cast<std::size_t>(set)], repeatable(context.op())),
                  same_bits_text);
  }
  const auto seen = context.witness()->since(mark);
  context.check(c, "kernels seen while it was replayed (" + seen.str() + "), as many as the graph's nodes times replays",
                std::to_string(seen.count()), std::to_string(nodes.kernels * data_sets));
  context.check(c, "of them by name, forward and backward",
                std::to_string(forwards_of(contract, seen)) + " and " + std::to_string(backwards_of(contract, seen)),
                std::to_string(contract.forward_launches * data_sets) + " and " + std::to_string(contract.backward_launches * data_sets));
  context.check(c, "nothing else was touched", captured.damage(), "");
  const auto after = device::memory_info(Backend::cuda).free_bytes;
  // Other processes share the GPU, so that its free memory says nothing for certain; the graph's nodes do.
  context.record().note(c.str() + ": " + nodes.str() + "; free memory of the GPU before the replays " +
                        std::to_string(before) + " bytes, after " + std::to_string(after) +
                        "; a direct launch alone was captured: the seam's tensors allocate in stream order");
  context.check(c, "a replay leaves the counters alone", counted(context), counters);
  context.check(c, "data sets differ, so that a stale replay shows",
                same_bits(contract, want[1], want[2]) != same_bits_text &&
                    same_bits(contract, want[0], want[1]) != same_bits_text);

  const std::string refused = wrong_capture(context, c, kernels);
  context.check(c, "control: kernels on the default stream spoil a capture (" + refused + ")",
                !refused.starts_with("captured"));
}

const RegisterGate registered({
    .id = "graphs",
    .title = "a captured graph replayed on new data equals eager, and allocates nothing",
    .question = Question::right,
    .rows = {"B21"},
    .backends = {Backend::cuda},
    .backends_reason = "the emulator has no graphs",
    .cases = cases,
    .run = run,
    .reach = Reach::kernels,
    .timeout_s = 300,
    .witnessed = true,
});

}  // namespace
}  // namespace seamgate::gates
