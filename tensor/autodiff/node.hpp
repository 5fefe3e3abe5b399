// The nodes of the graph and what each keeps for its backward step.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tensor/autodiff/node_info.hpp"
#include "tensor/tensor.hpp"

namespace seamgate::autodiff {

// Tape entries made in this process so far: operations with a tracked parent, and leaves that require a
// gradient. Only ever grows, so that a test can show that a call made none.
std::uint64_t nodes_created();

// `count` consecutive, process-wide, growing numbers: parents precede their children.
std::uint64_t next_ids(std::uint64_t count);

enum class Requirement {
  none,            // untracked
  leaf,            // require_grad was called
  through_parents  // an operation with a tracked parent
};

template <class B>
struct Node;

// One output of a node.
template <class B>
struct Edge {
  std::shared_ptr<Node<B>> node;
  int output = 0;

  // The name of this value in gradients and in the checkpoint store.
  std::uint64_t key() const { return node->id + static_cast<std::uint64_t>(output); }
};

template <class B>
class BackwardContext;
// Computes the gradients of one node's parents from the gradients of its outputs, on bare tensors.
template <class B>
using BackwardFn = std::function<void(BackwardContext<B>&)>;
// Computes an output again from the values of all parents, on bare tensors.
template <class B>
using RetroForward = std::function<Tensor<B>(std::span<const Tensor<B>>)>;

// A value that backward will ask for: of a parent, or a state of the node's own (parent -1). Without a value,
// the parent is computed again.
template <class B>
struct Kept {
  int parent = -1;
  std::uint64_t key = 0;
  std::optional<Tensor<B>> value;
};

template <class B>
struct Step {
  BackwardFn<B> backward;
  std::vector<Kept<B>> kept;
  RetroForward<B> retro_forward;      // memory-bound nodes only
  std::vector<Kept<B>> retro_inputs;  // one per parent
};

struct OutputInfo {
  Shape shape;
  DType dtype = DType::f32;
  Device device;
};

// Immutable once made, but for `step`, which whoever first sets `consumed` takes.
template <class B>
struct Node {
  std::uint64_t id = 0;  // of output 0; the other outputs follow
  std::string op = "leaf";
  Requirement requirement = Requirement::none;
  bool recomputable = false;
  TapeTags tags;
  std::vector<Edge<B>> parents;
  std::vector<OutputInfo> outputs;
  std::atomic<bool> consumed{false};
  std::unique_ptr<Step<B>> step;

  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  // Releases chains of any length without recursion.
  ~Node();

  bool tracked() const { return requirement != Requirement::none; }
  NodeInfo info() const;
};

// "mul#12".
template <class B>
std::string label(const Node<B>& node);

// A leaf for `value`; counts as a tape entry when tracked.
template <class B>
Edge<B> make_leaf(const Tensor<B>& value, TapeTags tags, bool tracked);

// Called once per operation entered into the tape.
void count_tape_entry();

}  // namespace seamgate::autodiff
