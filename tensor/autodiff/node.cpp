// The nodes of the graph: numbering, inspection, release.
#include "tensor/autodiff/node.hpp"

#include <utility>

namespace seamgate::autodiff {
namespace {

std::atomic<std::uint64_t> entries{0};
std::atomic<std::uint64_t> ids{1};

// What one node held. Destroying it may destroy other nodes, which queue theirs instead of recursing.
template <class B>
struct Remains {
  std::vector<Edge<B>> parents;
  std::unique_ptr<Step<B>> step;
};

// The queue of the thread's outermost ~Node, null outside. A plain pointer, so it is usable while a thread
// ends.
template <class B>
thread_local std::vector<Remains<B>>* releasing = nullptr;

}  // namespace

std::uint64_t nodes_created() {
  return entries.load(std::memory_order_relaxed);
}
std::uint64_t next_ids(std::uint64_t count) {
  return ids.fetch_add(count, std::memory_order_relaxed);
}
void count_tape_entry() {
  entries.fetch_add(1, std::memory_order_relaxed);
}

template <class B>
Node<B>::~Node() {
  if (parents.empty() && !step) return;
  if (releasing<B> != nullptr) {
    releasing<B>->push_back({std::move(parents), std::move(step)});
    return;
  }
  std::vector<Remains<B>> queue;
  releasing<B> = &queue;
  queue.push_back({std::move(parents), std::move(step)});
  while (!queue.empty()) {
    const Remains<B> next = std::move(queue.back());
    queue.pop_back();
  }
  releasing<B> = nullptr;
}

template <class B>
NodeInfo Node<B>::info() const {
  NodeInfo result{id, op, {}, parents.empty(), tracked(), recomputable, tags};
  for (const Edge<B>& parent : parents) {
    result.parents.push_back({parent.key(), parent.node->op, parent.node->tracked()});
  }
  return result;
}

template <class B>
std::string label(const Node<B>& node) {
  return node.op + "#" + std::to_string(node.id);
}

template <class B>
Edge<B> make_leaf(const Tensor<B>& value, TapeTags tags, bool tracked) {
  auto node = std::make_shared<Node<B>>();
  node->id = next_ids(1);
  node->requirement = tracked ? Requirement::leaf : Requirement::none;
  node->tags = tags;
  node->outputs.push_back({value.shape(), value.dtype(), value.device()});
  if (tracked) count_tape_entry();
  return {std::move(node), 0};
}

#define SEAMGATE_DEFINE_NODE(B)               \
  template struct Node<B>;                    \
  template std::string label(const Node<B>&); \
  template Edge<B> make_leaf(const Tensor<B>&, TapeTags, bool);
SEAMGATE_FOR_EACH_BACKEND(SEAMGATE_DEFINE_NODE)

}  // namespace seamgate::autodiff
