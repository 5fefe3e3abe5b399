// A control: kernels that ignore the stream they are given and go to the legacy default stream. A gate about
// streams runs its case once with them and demands that the comparison fails, so that "could this gate fail?"
// is answered on the GPU itself.
#pragma once

#include "kernels/common/kernel_api.hpp"

namespace seamgate::gates {

// Stands in front of `table` while alive, in the calling thread; one at a time.
class WrongStream {
 public:
  explicit WrongStream(const kernels::KernelTable& table) { inner() = &table; }
  ~WrongStream() { inner() = nullptr; }
  WrongStream(const WrongStream&) = delete;
  WrongStream& operator=(const WrongStream&) = delete;

  const kernels::KernelTable& table() const {
    static const kernels::KernelTable wrong = {
        [](const kernels::ForwardCall& call) {
          kernels::ForwardCall moved = call;
          moved.stream = nullptr;
          return inner()->forward(moved);
        },
        [](const kernels::BackwardCall& call) {
          kernels::BackwardCall moved = call;
          moved.stream = nullptr;
          return inner()->backward(moved);
        },
        [](std::int64_t rows, std::int64_t columns, kernels::LaunchPlan plan) {
          return inner()->workspace_bytes(rows, columns, plan);
        }};
    return wrong;
  }

 private:
  static const kernels::KernelTable*& inner() {
    thread_local const kernels::KernelTable* table = nullptr;
    return table;
  }
};

}  // namespace seamgate::gates
