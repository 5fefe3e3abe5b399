// For gates that build a graph of their own around a module: a case's inputs on a tape, the module asked with
// them, and a watch over what was counted and launched meanwhile.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "gates/counted.hpp"
#include "gates/tape_run.hpp"
#include "tensor/autodiff/prepare.hpp"
#include "tensor/autodiff/primitives.hpp"
#include "tensor/primitives.hpp"

namespace seamgate::gates {

inline constexpr std::array all_strategies = {StrategyTag::no_checkpointing, StrategyTag::balanced};

// Calls `body.template operator()<T>()` with T = Tensor<Autodiff<B, Strategy>>.
template <class Body>
decltype(auto) with_tape(Backend backend, StrategyTag strategy, Body&& body) {
  return with_backend(backend, [&]<class B>() -> decltype(auto) {
    if (strategy == StrategyTag::no_checkpointing)
      return body.template operator()<Tensor<Autodiff<B, NoCheckpointing>>>();
    return body.template operator()<Tensor<Autodiff<B, BalancedCheckpointing>>>();
  });
}

template <class T>
std::string strategy_name() {
  return std::string(to_string(T::Strategy::tag));
}

// Holds the SeamLock, so no run_on_tape while it lives. Counters are at zero and the witness at its mark from
// its making, or from restart().
class Watch {
 public:
  explicit Watch(const Context& context);

  void restart();
  seam::CounterSnapshot counters() const;
  std::string arms() const { return counters().arms(); }  // "(asked,skipped,node_ran,bare_ran)"
  // By the witness. Throws std::logic_error where none is in hand: the gate is to be `witnessed`.
  KernelsSeen seen() const;
  std::size_t forward_launches() const;  // kernels that the contract names
  std::size_t backward_launches() const;
  // The counters against the witness, from the last restart on.
  void check(Context& context, const Case& c, const std::string& where, Parents parents = Parents::all_tracked) const;

 private:
  const Context& context_;
  seam::SeamLock lock_;
  std::uint64_t mark_ = 0;
};

// What `body` throws, in words; "nothing was thrown" when it returns.
template <class Body>
std::string message_of(Body&& body) {
  try {
    body();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// The case's numbers for a graph that uses the op's first output alone: the other outputs' upstream gradients are zero.
HostCase host_for_first_output(const OpTraits& op, const Case& c);

// The same case with every input's sign turned.
HostCase negated(HostCase host);
std::vector<float> negated(std::vector<float> values);

template <class T>
Tensor<typename T::Backend> bare_input(const Context& context, const Case& c, const HostCase& host,
                                       std::size_t i) {
  return tensor_of<typename T::Backend>(c, context.contract().inputs[i].extent, c.dtypes[i], host.inputs[i]);
}

// The inputs as leaves that require a gradient where `tracked` says so (empty: all), else as untracked ones.
template <class T>
std::vector<T> leaves_of(const Context& context, const Case& c, const HostCase& host,
                         const std::vector<bool>& tracked = {}) {
  std::vector<T> leaves;
  for (const auto& bare : bare_inputs<typename T::Backend>(context.contract(), c, host)) {
    const T leaf = T::from_inner(bare);
    leaves.push_back(tracked.empty() || tracked[leaves.size()] ? leaf.require_grad() : leaf);
  }
  return leaves;
}

// -x in x's dtype, exact in each: a memory-bound operation on the tape. The first of `parents` is x; the
// others, untracked, are there to be parents. `recomputed` counts its retro-forwards; these and the forward
// launch primitive.neg, backward does not.
template <class T>
T negation(std::span<const T* const> parents, std::shared_ptr<int> recomputed = nullptr) {
  using Bare = Tensor<typename T::Backend>;
  const auto forward = [](const Bare& x) { return cast(neg(x), x.dtype()); };
  autodiff::Preparation<typename T::Backend, typename T::Strategy> node("negation", parents);
  node.memory_bound([forward, recomputed](std::span<const Bare> values) {
    if (recomputed) ++*recomputed;
    return forward(values[0]);
  });
  return node.finish(forward(parents[0]->inner()),
                     [](autodiff::BackwardContext<typename T::Backend>& context) {
                       context.set_grad(0, mul_scalar(context.upstream(), -1.0F));
                     });
}

template <class T>
T negation(const T& x, std::shared_ptr<int> recomputed = nullptr) {
  const T* parents[] = {&x};
  return negation<T>(std::span<const T* const>(parents), std::move(recomputed));
}

// The module's first output. Throws std::runtime_error when it is not a T.
template <class T>
T ask_module(const Context& context, const Case& c, const std::vector<T>& inputs, Route route = Route::seam) {
  const std::vector<AnyTensor> any(inputs.begin(), inputs.end());
  const AnyTensor y = (route == Route::seam ? context.implementation().ask(any, request_of(c))
                                            : context.implementation().tensor_path(any, request_of(c)))[0];
  if (const T* typed = y.as<T>()) return *typed;
  throw std::runtime_error("the module's output is " + y.describe() +
                           "; expected a tensor on the tape of its inputs, " + strategy_name<T>());
}

// The case's upstream gradient, for a tensor of the output's shape.
template <class T>
Tensor<typename T::Backend> seed_for(const Context& context, const Case& c, const HostCase& host,
                                     const T& y) {
  return tensor_of<typename T::Backend>(c, context.contract().outputs[0].extent, y.dtype(), host.upstream[0]);
}

using HostGradients = std::vector<std::optional<std::vector<float>>>;

template <class T>
HostGradients gradients_of(const std::vector<T>& leaves, const Gradients<typename T::Backend>& gradients) {
  HostGradients values;
  for (const T& leaf : leaves) {
    const auto gradient = leaf.grad(gradients);
    values.push_back(gradient ? std::optional(gradient->to_floats()) : std::nullopt);
  }
  return values;
}

}  // namespace seamgate::gates
