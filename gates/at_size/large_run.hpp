// One case run on a kernel directly, in tensors that the host never holds: as KernelRun (kernel_run.hpp),
// with inputs made and results judged where they lie. Packed layout, one dtype.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gates/at_size/fill.hpp"
#include "gates/at_size/problem.hpp"
#include "gates/case.hpp"
#include "gates/ops/op_traits.hpp"

namespace seamgate::gates {

// Bytes with guard zones on both sides, 0xff all over at first, which reads as NaN.
class LargeMemory {
 public:
  LargeMemory(Backend backend, std::int64_t bytes, std::string name);
  ~LargeMemory();
  LargeMemory(const LargeMemory&) = delete;
  LargeMemory& operator=(const LargeMemory&) = delete;

  std::byte* data() const;
  const std::string& name() const { return name_; }
  std::string broken_guard() const;  // empty when none is

 private:
  Backend backend_;
  std::int64_t bytes_;
  std::string name_;
  std::byte* base_;
};

class LargeRun {
 public:
  // Of the tensors and the workspace.
  static std::int64_t bytes_needed(const OpTraits& op, const kernels::KernelTable& table, const Case& c);

  // Allocates and makes the inputs. Throws std::runtime_error where the memory is not to be had.
  LargeRun(const OpTraits& op, const kernels::KernelTable& table, Backend backend, const Case& c);

  kernels::Status forward();
  kernels::Status backward();
  // The first broken guard or changed input, in words; empty when nothing was touched that should not be.
  std::string damage() const;

  ProblemAtSize problem(double bar, std::vector<std::int64_t> sampled) const;
  // The values of some rows (of a tensor per column: of its one row), brought to the host.
  std::vector<float> input_rows(std::size_t i, const std::vector<std::int64_t>& rows) const;
  // The same numbers by the map, made on the host.
  std::vector<float> mapped_rows(const InputMap& map, kernels::Extent extent,
                                 const std::vector<std::int64_t>& rows) const;
  std::vector<InputMap> input_maps() const { return maps_of(inputs_); }
  std::vector<InputMap> upstream_maps() const { return maps_of(upstream_); }

  // One element, read or written.
  float input_at(std::size_t i, std::int64_t row, std::int64_t column) const {
    return element(inputs_[i], row, column);
  }
  void set_input(std::size_t i, std::int64_t row, std::int64_t column, float value) {
    set(inputs_[i], row, column, value);
  }
  float output_at(std::size_t j, std::int64_t row, std::int64_t column) const {
    return element(outputs_[j], row, column);
  }
  float gradient_at(std::size_t i, std::int64_t row, std::int64_t column) const {
    return element(grads_[i], row, column);
  }
  void set_output(std::size_t j, std::int64_t row, std::int64_t column, float value) {
    set(outputs_[j], row, column, value);
  }
  void set_gradient(std::size_t i, std::int64_t row, std::int64_t column, float value) {
    set(grads_[i], row, column, value);
  }

 private:
  struct Buffer {
    std::unique_ptr<LargeMemory> memory;
    kernels::View view;
    kernels::Extent extent;
    InputMap map;  // of inputs and upstream gradients
  };
  Buffer make_buffer(const std::string& name, kernels::Extent extent, DType dtype) const;
  void make_values_in(Buffer& buffer, const std::string& stream, bool shaped) const;
  std::byte* address(const Buffer& buffer, std::int64_t row, std::int64_t column) const;
  float element(const Buffer& buffer, std::int64_t row, std::int64_t column) const;
  void set(const Buffer& buffer, std::int64_t row, std::int64_t column, float value) const;
  static std::vector<InputMap> maps_of(const std::vector<Buffer>& buffers);

  const OpTraits& op_;
  const kernels::KernelTable& table_;
  Backend backend_;
  Case case_;
  std::vector<Buffer> inputs_, outputs_, saved_, upstream_, grads_;
  Buffer workspace_;
};

}  // namespace seamgate::gates
