// Adding the gradients of several backwards.
#include "tensor/autodiff/gradients.hpp"

#include "tensor/primitives.hpp"

namespace seamgate::autodiff {

template <class B>
void GradientsAccumulator<B>::add(const Gradients<B>& gradients) {
  for (const auto& [leaf, gradient] : gradients.by_leaf_) {
    const auto [place, is_new] = totals_.try_emplace(leaf, Total{gradient, gradient.dtype()});
    if (!is_new) place->second.value = seamgate::add(place->second.value, gradient);
  }
  const CheckpointReport& report = gradients.report_;
  report_.checkpointed += report.checkpointed;
  report_.retrieved += report.retrieved;
  report_.recomputed += report.recomputed;
  report_.left += report.left;
  report_.left_values.insert(report_.left_values.end(), report.left_values.begin(), report.left_values.end());
}

template <class B>
Gradients<B> GradientsAccumulator<B>::gradients() const {
  std::unordered_map<std::uint64_t, Tensor<B>> by_leaf;
  for (const auto& [leaf, total] : totals_) by_leaf.emplace(leaf, total.value.cast(total.dtype));
  return Gradients<B>(std::move(by_leaf), report_);
}

#define SEAMGATE_DEFINE_ACCUMULATOR(B) template class GradientsAccumulator<B>;
SEAMGATE_FOR_EACH_BACKEND(SEAMGATE_DEFINE_ACCUMULATOR)

}  // namespace seamgate::autodiff
