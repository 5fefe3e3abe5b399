// The backward pass over a graph: order, take the steps, fill the checkpoint store, run.
#include "tensor/autodiff/tape.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "tensor/autodiff/backward_context.hpp"
#include "tensor/primitives.hpp"

namespace seamgate::autodiff {
namespace {

// Tracked nodes that `root` depends on, newest first: children before parents, because ids grow.
template <class B>
std::vector<std::shared_ptr<Node<B>>> tracked_ancestors(const std::shared_ptr<Node<B>>& root) {
  std::vector<std::shared_ptr<Node<B>>> found{root};
  std::unordered_set<const Node<B>*> seen{root.get()};
  for (std::size_t next = 0; next < found.size(); ++next) {
    const std::shared_ptr<Node<B>> node = found[next];
    for (const Edge<B>& parent : node->parents) {
      if (parent.node->tracked() && seen.insert(parent.node.get()).second) found.push_back(parent.node);
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a->id > b->id; });
  return found;
}

template <class B>
[[noreturn]] void already_used(const Node<B>& node) {
  throw std::logic_error("second backward through the same graph: the step of " + label(node) +
                         " was used up by an earlier backward");
}

// Takes the steps of all operations, or throws having taken none (unless another thread takes some
// meanwhile).
template <class B>
std::vector<std::unique_ptr<Step<B>>> take_steps(const std::vector<std::shared_ptr<Node<B>>>& nodes) {
  for (const auto& node : nodes) {
    if (node->consumed.load(std::memory_order_acquire)) already_used(*node);
  }
  std::vector<std::unique_ptr<Step<B>>> steps;
  steps.reserve(nodes.size());
  for (const auto& node : nodes) {
    const bool is_operation = node->requirement == Requirement::through_parents;
    if (is_operation && node->consumed.exchange(true, std::memory_order_acq_rel)) already_used(*node);
    steps.push_back(is_operation ? std::move(node->step) : nullptr);
  }
  return steps;
}

// Children come first, so a node's own value is known to be needed or not before its retro-forward asks for
// inputs.
template <class B>
Checkpointer<B> fill_store(const std::vector<std::shared_ptr<Node<B>>>& nodes,
                           std::vector<std::unique_ptr<Step<B>>>& steps) {
  Checkpointer<B> store;
  const auto announce = [&store](Kept<B>& kept, const std::string& what) {
    store.need(kept.key, what);
    if (kept.value) store.keep(kept.key, *kept.value);
    kept.value.reset();
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node<B>& node = *nodes[i];
    if (!steps[i]) continue;
    Step<B>& step = *steps[i];
    int values = 0;
    for (Kept<B>& kept : step.kept) {
      const bool is_value = kept.parent < 0;
      announce(kept,
               (is_value ? "value " + std::to_string(values) : "parent " + std::to_string(kept.parent)) +
                   " of " + label(node));
      values += is_value ? 1 : 0;
    }
    if (node.recomputable && store.needs(node.id)) {
      std::vector<std::uint64_t> inputs;
      for (Kept<B>& kept : step.retro_inputs) {
        announce(kept, "retro-forward input " + std::to_string(kept.parent) + " of " + label(node));
        inputs.push_back(kept.key);
      }
      store.recompute(node.id, std::move(step.retro_forward), std::move(inputs), node.outputs[0].shape);
    }
    step.retro_inputs.clear();
    step.retro_forward = nullptr;
  }
  return store;
}

}  // namespace

template <class B>
Gradients<B> backward(const Edge<B>& root, const Tensor<B>& seed) {
  if (!root.node->tracked()) {
    throw std::logic_error("backward on an untracked tensor (" + label(*root.node) +
                           "): nothing that it depends on requires a gradient");
  }
  const OutputInfo& info = root.node->outputs[static_cast<std::size_t>(root.output)];
  if (seed.shape() != info.shape || seed.device() != info.device) {
    throw std::invalid_argument("backward: a seed of shape " + to_string(seed.shape()) + " on " +
                                to_string(seed.device()) + " for a tensor of shape " + to_string(info.shape) +
                                " on " + to_string(info.device));
  }
  const auto nodes = tracked_ancestors(root.node);
  auto steps = take_steps(nodes);
  Checkpointer<B> store = fill_store(nodes, steps);

  std::unordered_map<std::uint64_t, Tensor<B>> pending{{root.key(), seed}};
  std::unordered_map<std::uint64_t, Tensor<B>> by_leaf;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const Node<B>& node = *nodes[n];
    std::vector<std::optional<Tensor<B>>> upstream(node.outputs.size());
    for (std::size_t output = 0; output < upstream.size(); ++output) {
      auto arrived = pending.extract(node.id + output);
      if (!arrived.empty()) upstream[output] = std::move(arrived.mapped());
    }
    if (node.requirement == Requirement::leaf) {
      if (upstream[0]) by_leaf.emplace(node.id, upstream[0]->cast(node.outputs[0].dtype));
      continue;
    }
    const std::unique_ptr<Step<B>> step = std::move(steps[n]);
    BackwardContext<B> context(node, *step, store, std::move(upstream));
    step->backward(context);
    const auto grads = context.take_grads();
    for (std::size_t i = 0; i < grads.size(); ++i) {
      if (!grads[i]) continue;
      const auto [place, is_first] = pending.try_emplace(node.parents[i].key(), *grads[i]);
      if (!is_first) place->second = add(place->second, *grads[i]);
    }
  }
  return Gradients<B>(std::move(by_leaf), store.report());
}

#define SEAMGATE_DEFINE_BACKWARD(B) template Gradients<B> backward(const Edge<B>&, const Tensor<B>&);
SEAMGATE_FOR_EACH_BACKEND(SEAMGATE_DEFINE_BACKWARD)

}  // namespace seamgate::autodiff
