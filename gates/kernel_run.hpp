// One case run on a kernel directly, below the seam: guarded buffers, NaN-filled outputs, kernel first and truth after.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gates/case.hpp"
#include "gates/device_memory.hpp"
#include "gates/implementation.hpp"
#include "gates/ops/op_traits.hpp"

namespace seamgate::gates {

// The values of a case in logical order, on the host.
struct HostCase {
  std::vector<std::vector<float>> inputs;
  std::vector<std::vector<float>> upstream;
};

HostCase make_host_case(const OpTraits& op, const Case& c);
// Outputs and gradients in float128 from the same numbers.
reference::Truth evaluate_truth(const OpTraits& op, const Case& c, const HostCase& host);

class KernelRun {
 public:
  // Throws std::invalid_argument for a case that a direct launch cannot lay out.
  KernelRun(const OpTraits& op, const Implementation& implementation, Machine machine, const Case& c);
  KernelRun(const OpTraits& op, const Implementation& implementation, Machine machine, const Case& c, HostCase host);
  // The same of a table that is no implementation's own; it must outlive the run.
  KernelRun(const OpTraits& op, const kernels::KernelTable& table, Machine machine, const Case& c, HostCase host);

  // Waits for the device. `wanted[i]`: the gradient of input i.
  kernels::Status forward();
  kernels::Status backward(const std::vector<bool>& wanted);
  kernels::Status backward();  // all gradients
  // The same on a stream, without waiting.
  kernels::Status enqueue_forward(kernels::Stream stream);
  kernels::Status enqueue_backward(kernels::Stream stream) { return enqueue_backward(std::vector<bool>(inputs_.size(), true), stream); }

  // With the first input's memory for the first output, and what is there afterwards.
  kernels::Status forward_in_place();
  std::vector<float> first_input() const { return read(inputs_[0]); }

  const HostCase& host() const { return host_; }
  std::vector<float> output(std::size_t i) const { return read(outputs_[i]); }
  std::vector<float> saved(std::size_t i) const { return read(saved_[i]); }
  std::vector<float> gradient(std::size_t i) const { return read(grads_[i]); }
  // The first broken guard or changed input, in words; empty when nothing was touched that should not be.
  std::string damage() const;
  // Gives all that a kernel writes another fill, to be launched again.
  void refill(std::byte value);
  // New values in the same buffers.
  void set_host(HostCase host);
  // Inputs and upstream gradients: NaN in their place, and those of a run of the same case in stream order.
  void spoil_inputs();
  void copy_inputs_from(const KernelRun& other, kernels::Stream stream);

 private:
  struct Buffer {
    std::unique_ptr<DeviceMemory> memory;
    kernels::View view;
  };
  // `padding`: elements between rows where the layout is strided.
  Buffer make_buffer(const std::string& name, kernels::Extent extent, DType dtype, std::int64_t padding,
                     simt::Contents contents = simt::Contents::written);
  kernels::Status enqueue_backward(const std::vector<bool>& wanted, kernels::Stream stream);
  std::vector<float> read(const Buffer& buffer) const;
  void upload();
  kernels::Status enqueue_into(const std::vector<kernels::View>& out, kernels::Stream stream);

  const OpTraits& op_;
  const kernels::KernelTable& table_;
  Backend backend_;
  Case case_;
  int made_ = 0;  // tensors so far: how the layout oddK counts them
  HostCase host_;
  std::vector<Buffer> inputs_, outputs_, saved_, upstream_, grads_;
  std::optional<Buffer> workspace_;
};

// Host bytes of values in a dtype and back; exact for values that the dtype holds.
std::vector<std::byte> to_bytes(const std::vector<float>& values, DType dtype);
std::vector<float> to_values(const std::vector<std::byte>& bytes, DType dtype);
// The bytes of f32 values, as lower-case hex: how results are compared across processes.
std::string to_hex(const std::vector<float>& values);

}  // namespace seamgate::gates
