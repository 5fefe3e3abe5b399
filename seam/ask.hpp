// The seam of an op: one ask per module forward, served by the node arm on a tape, by the bare arm on a bare tensor, and
// otherwise by the tensor path, for a counted reason.
//
// An op gives: contract(), tensor_path() and tensor_adjoint() (see modules/rms_norm.hpp). Everything here
// reads the contract; nothing here knows an op. Compiled once for each implementation (SEAM_BUILD): the shipped one, and each
// mutant of this file.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/common/contract.hpp"
#include "kernels/common/rows.hpp"
#include "seam/counters.hpp"
#include "seam/decline.hpp"
#include "seam/kill_switch.hpp"
#include "seam/request.hpp"
#include "tensor/any_tensor.hpp"
#include "tensor/autodiff/prepare.hpp"
#include "tensor/tensor.hpp"

#ifndef SEAM_BUILD
#define SEAM_BUILD shipped
#endif

namespace seamgate::seam::SEAM_BUILD {

template <class Op>
class Seam {
 public:
  Seam(Machines machines, Request request) : machines_(machines), request_(std::move(request)) {}

  static Counters& counters() {
    static Counters instance;
    return instance;
  }

  // The op's outputs, in the contract's order. Throws std::invalid_argument for bad input and for a switch that is not
  // understood, both before anything is counted, and LaunchFailed after counting `failed`.
  std::vector<AnyTensor> forward(const std::vector<AnyTensor>& inputs) const {
    check_inputs(Op::contract(), inputs, request_);
    const bool allowed = switch_allows(Op::contract().switch_name);
    const Adjoint adjoint = adjoint_choice(Op::contract().adjoint_switch_name);
    counters().ask();
    if (const auto reason = why_declined(Op::contract(), machines_, inputs, request_, allowed)) {
      counters().decline(*reason);
      return visit(inputs[0], [&]<class T>(const T&) { return pack(Op::tensor_path(unpack<T>(inputs), attributes())); });
    }
    return visit(inputs[0], [&]<class T>(const T& first) { return serve(first, unpack<T>(inputs), adjoint); });
  }

 private:
  template <class B>
  struct Launched {
    std::vector<Tensor<B>> outputs;
    std::vector<Tensor<B>> saved;
  };

  kernels::Attributes attributes() const { return {request_.variant, request_.eps}; }

  // The node arm: lift, strip to bare, launch, register.
  template <class B, class S>
  std::vector<AnyTensor> serve(const Tensor<Autodiff<B, S>>&, const std::vector<Tensor<Autodiff<B, S>>>& inputs, Adjoint adjoint) const {
    std::vector<Tensor<B>> bare;
    std::vector<const Tensor<Autodiff<B, S>>*> parents;
    for (const auto& input : inputs) {
      bare.push_back(input.inner());
      parents.push_back(&input);
    }
    Launched<B> launched = launch(bare);
    counters().add(Counter::node_ran);

    autodiff::Preparation<B, S> node(Op::contract().op, parents);
    if (node.tracked()) counters().add(Counter::node_tracked);
    node.compute_bound();
    for (std::size_t i = 0; i < inputs.size(); ++i) node.checkpoint(static_cast<int>(i));
    for (const int i : Op::contract().outputs_for_adjoint) launched.saved.push_back(launched.outputs[static_cast<std::size_t>(i)]);
    for (const auto& saved : launched.saved) node.checkpoint_value(saved);
    const auto backward = [self = *this, adjoint, kept = launched.saved.size()](autodiff::BackwardContext<B>& context) {
      self.backward(context, adjoint, kept);
    };
    return pack(node.finish(launched.outputs, backward));
  }

  // The bare arm.
  template <class B>
  std::vector<AnyTensor> serve(const Tensor<B>&, const std::vector<Tensor<B>>& inputs, Adjoint) const {
    Launched<B> launched = launch(inputs);
    counters().add(Counter::bare_ran);
    return pack(launched.outputs);
  }

  template <class B>
  Launched<B> launch(const std::vector<Tensor<B>>& inputs) const {
    const auto& contract = Op::contract();
    const typename B::DeviceGuard on(inputs[0].device());
    Launched<B> made;
    std::vector<DType> dtypes;
    for (const auto& input : inputs) dtypes.push_back(input.dtype());
    const DType output = kernels::find_dtypes(*kernels::find_variant(contract, request_.variant), dtypes)->output;
    for (const auto& spec : contract.outputs) {
      made.outputs.push_back(Tensor<B>::empty(shape_of(spec.extent, inputs[0].shape()), output, inputs[0].device()));
    }
    for (const auto& spec : contract.saved) {
      made.saved.push_back(Tensor<B>::empty(shape_of(spec.extent, inputs[0].shape()), DType::f32, inputs[0].device()));
    }
    const auto in = views(inputs);
    const auto out = views(made.outputs);
    const auto saved = views(made.saved);
    const kernels::Status status = machines_.on(inputs[0].device())
                                       ->forward({.inputs = in,
                                                  .outputs = out,
                                                  .saved = saved,
                                                  .attributes = attributes(),
                                                  .plan = request_.plan,
                                                  .stream = B::current_stream()});
    if (!status.ok()) {
      counters().add(Counter::failed);
      throw LaunchFailed(contract.op + " forward: " + status.message);
    }
    return made;
  }

  template <class B>
  void backward(autodiff::BackwardContext<B>& context, Adjoint adjoint, std::size_t kept) const {
    const auto& contract = Op::contract();
    std::vector<Tensor<B>> inputs;
    std::vector<Tensor<B>> saved;
    for (std::size_t i = 0; i < contract.inputs.size(); ++i) inputs.push_back(context.parent(static_cast<int>(i)));
    for (std::size_t k = 0; k < kept; ++k) saved.push_back(context.value(static_cast<int>(k)));
    std::vector<Tensor<B>> upstream;
    for (std::size_t i = 0; i < contract.outputs.size(); ++i) upstream.push_back(context.upstream(static_cast<int>(i)));
    const typename B::DeviceGuard on(inputs[0].device());

    if (adjoint == Adjoint::tensor) {
      std::vector<bool> wants;
      for (std::size_t i = 0; i < inputs.size(); ++i) wants.push_back(context.wants(static_cast<int>(i)));
      auto grads = Op::tensor_adjoint(inputs, saved, upstream, wants, attributes());
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (wants[i]) context.set_grad(static_cast<int>(i), *grads[i]);
      }
      counters().add(Counter::adjoint_tensor);
      counters().add(Counter::node_backward);
      return;
    }

    // An upstream gradient arrives after the ask, in any layout.
    for (auto& gradient : upstream) {
      if (kernels::as_rows(gradient.view())) continue;
      gradient = gradient.contiguous();
      counters().add(Counter::gy_materialised);
    }
    std::vector<Tensor<B>> grads;
    std::vector<kernels::View> grad_views;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      kernels::View unwanted = inputs[i].view();
      unwanted.data = nullptr;
      if (!context.wants(static_cast<int>(i))) {
        grad_views.push_back(unwanted);
        grads.push_back(inputs[i]);
        continue;
      }
      grads.push_back(Tensor<B>::empty(inputs[i].shape(), inputs[i].dtype(), inputs[i].device()));
      grad_views.push_back(grads.back().view());
    }
    const auto in = views(inputs);
    const auto kept_views = views(saved);
    const auto upstream_views = views(upstream);
    const kernels::KernelTable& table = *machines_.on(inputs[0].device());
    const auto rows = in[0].rows();
    const auto bytes = table.workspace_bytes(rows, in[0].columns(), request_.plan);
    const Tensor<B> workspace =
        Tensor<B>::empty({static_cast<std::int64_t>((bytes + 3) / 4)}, DType::f32, inputs[0].device());
    const kernels::Status status = table.backward({.inputs = in,
                                                   .saved = kept_views,
                                                   .upstream = upstream_views,
                                                   .grads = grad_views,
                                                   .workspace = workspace.view(),
                                                   .attributes = attributes(),
                                                   .plan = request_.plan,
                                                   .stream = B::current_stream()});
    if (!status.ok()) throw LaunchFailed(contract.op + " backward: " + status.message);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (context.wants(static_cast<int>(i))) context.set_grad(static_cast<int>(i), grads[i]);
    }
    counters().add(Counter::adjoint_fused);
    counters().add(Counter::node_backward);
  }

  Machines machines_;
  Request request_;
};

}  // namespace seamgate::seam::SEAM_BUILD
