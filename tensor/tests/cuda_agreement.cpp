// The backends agree: every primitive gives on the GPU the bits that it gives on the CPU (exp and sigmoid:
// within 4 ulp). A program of its own, because without a GPU it must exit 77 (not run), which a GoogleTest
// skip does not.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "tensor/autodiff/primitives.hpp"

namespace seamgate {
namespace {

int checks = 0;
int failures = 0;

void expect(bool right, const std::string& what) {
  ++checks;
  if (right) return;
  ++failures;
  std::printf("FAIL %s\n", what.c_str());
}

// Signed, of many magnitudes, the same on every machine.
std::vector<float> series(std::int64_t count, std::uint32_t seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::uint32_t state = seed;
  for (float& value : values) {
    state = state * 1664525U + 1013904223U;
    const float unit = static_cast<float>(state >> 8) / 16777216.0F - 0.5F;
    value = std::ldexp(unit, static_cast<int>(state % 9U) - 4);
  }
  return values;
}

template <class B>
Tensor<B> make(const Shape& shape, std::uint32_t seed, DType dtype = DType::f32) {
  return Tensor<B>::from_floats(series(numel(shape), seed), shape, dtype);
}

// The same bits, or a NaN on both sides: an invalid operation's own NaN is negative on x86 and positive on a GPU.
void same_bits(const std::string& what, const Tensor<Cpu>& want, const Tensor<Cuda>& got) {
  bool alike = want.shape() == got.shape() && want.dtype() == got.dtype();
  if (alike && want.to_bytes() != got.to_bytes()) {
    const auto a = want.to_floats();
    const auto b = got.to_floats();
    for (std::size_t i = 0; alike && i < a.size(); ++i) {
      alike = (std::isnan(a[i]) && std::isnan(b[i])) || std::bit_cast<std::uint32_t>(a[i]) == std::bit_cast<std::uint32_t>(b[i]);
    }
  }
  expect(alike, what + " " + to_string(want.shape()));
}

void near(const std::string& what, const Tensor<Cpu>& want, const Tensor<Cuda>& got) {
  const auto a = want.to_floats();
  const auto b = got.to_floats();
  bool right = a.size() == b.size();
  for (std::size_t i = 0; right && i < a.size(); ++i)
    right = std::abs(a[i] - b[i]) <= 4 * 1.2e-7F * std::abs(a[i]);
  expect(right, what);
}

// Calls `use` with a maker of operands for each backend, and compares what it returns.
template <class Use>
void agree(const std::string& what, Use use) {
  same_bits(what, use.template operator()<Cpu>(), use.template operator()<Cuda>());
}

void elementwise_and_sums(const Shape& shape, DType dtype) {
  const std::string at = std::string(to_string(dtype)) + " " + to_string(shape) + " ";
  const auto a = [&]<class B>() { return make<B>(shape, 1, dtype); };
  const auto b = [&]<class B>() { return make<B>(shape, 2, dtype); };
#define A a.template operator()<B>()
#define AB a.template operator()<B>(), b.template operator()<B>()
  agree(at + "add", [&]<class B>() { return add(AB); });
  agree(at + "sub", [&]<class B>() { return sub(AB); });
  agree(at + "mul", [&]<class B>() { return mul(AB); });
  agree(at + "div", [&]<class B>() { return div(AB); });
  agree(at + "maximum", [&]<class B>() { return maximum(AB); });
  agree(at + "neg", [&]<class B>() { return neg(A); });
  agree(at + "square", [&]<class B>() { return square(A); });
  agree(at + "sqrt", [&]<class B>() { return sqrt(square(A)); });
  agree(at + "recip", [&]<class B>() { return recip(A); });
  agree(at + "add_scalar", [&]<class B>() { return add_scalar(A, 0.1F); });
  agree(at + "mul_scalar", [&]<class B>() { return mul_scalar(A, 0.1F); });
  agree(at + "div_scalar", [&]<class B>() { return div_scalar(A, 3.0F); });
  agree(at + "cast to bf16", [&]<class B>() { return cast(A, DType::bf16); });
  agree(at + "cast to f16", [&]<class B>() { return cast(A, DType::f16); });
  agree(at + "fill", [&]<class B>() { return Tensor<B>::full(0.3F, shape, dtype); });
  near(at + "exp", exp(a.operator()<Cpu>()), exp(a.operator()<Cuda>()));
  near(at + "sigmoid", sigmoid(a.operator()<Cpu>()), sigmoid(a.operator()<Cuda>()));
  for (int dim = 0; dim < shape.rank(); ++dim) {
    agree(at + "sum_dim", [&]<class B>() { return sum_dim(A, dim); });
    agree(at + "mean_dim", [&]<class B>() { return mean_dim(A, dim); });
  }
  agree(at + "sum", [&]<class B>() { return sum(A); });
#undef A
#undef AB
}

void layouts() {
  agree("transposed and broadcast", []<class B>() {
    return mul(make<B>({5, 7, 3}, 3).transpose(0, 2), make<B>({5}, 4));
  });
  agree("sliced", []<class B>() { return neg(make<B>({9, 11}, 5).slice(1, 1, 11, 3).slice(0, 2, 9, 2)); });
  agree("contiguous", []<class B>() {
    return make<B>({9, 11}, 6, DType::bf16).transpose(0, 1).contiguous();
  });
  agree("copy_from", []<class B>() {
    const auto whole = Tensor<B>::zeros({6, 4});
    whole.slice(1, 1, 3).copy_from(make<B>({6, 2}, 7));
    return whole;
  });
  agree("matmul", []<class B>() { return matmul(make<B>({17, 1100}, 8), make<B>({1100, 5}, 9)); });
  agree("matmul transposed", []<class B>() {
    return matmul(make<B>({33, 6}, 8).transpose(0, 1), make<B>({33, 5}, 9));
  });
}

// y, dx and dw of RMSNorm composed of primitives.
template <class B, class S>
std::vector<Tensor<B>> rms_norm(std::int64_t rows, std::int64_t columns) {
  using T = Tensor<Autodiff<B, S>>;
  const T x = T::from_inner(make<B>({rows, columns}, 11)).require_grad();
  const T w = T::from_inner(make<B>({columns}, 12)).require_grad();
  const T rstd = recip(sqrt(add_scalar(mean_dim(square(x), -1), 1e-5F)));
  const T y = mul(mul(x, rstd), w);
  const auto gradients = y.backward(make<B>({rows, columns}, 13));
  return {y.inner(), *x.grad(gradients), *w.grad(gradients)};
}

void training() {
  for (const std::int64_t columns : {1, 33, 1025}) {
    const auto want = rms_norm<Cpu, NoCheckpointing>(70, columns);
    const auto kept = rms_norm<Cuda, NoCheckpointing>(70, columns);
    const auto balanced = rms_norm<Cuda, BalancedCheckpointing>(70, columns);
    for (std::size_t i = 0; i < want.size(); ++i) {
      same_bits("rms_norm result " + std::to_string(i), want[i], kept[i]);
      same_bits("rms_norm balanced result " + std::to_string(i), want[i], balanced[i]);
    }
  }
}

void machine() {
  {
    const Cuda::StreamGuard guard(Cuda::make_stream(Device::cuda(0)));
    expect(Cuda::current_stream() != nullptr, "a guarded stream is current");
    agree("on a stream of its own", []<class B>() { return sum_dim(make<B>({300, 20}, 14), 0); });
  }
  expect(Cuda::current_stream() == nullptr, "the former stream is restored");
  try {
    (void)Tensor<Cuda>::zeros({1}, DType::f32, Device::cuda(Cuda::device_count()));
    expect(false, "a device that does not exist was accepted");
  } catch (const std::runtime_error& error) {
    expect(std::strstr(error.what(), "cudaSetDevice(cuda:") != nullptr, error.what());
  }
  agree("after an error", []<class B>() { return neg(make<B>({3}, 15)); });
}

}  // namespace
}  // namespace seamgate

int main() {
  using namespace seamgate;
  if (Cuda::device_count() == 0) {
    std::printf("NOT RUN: no GPU\n");
    return 77;
  }
  for (const DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    for (const Shape& shape :
         {Shape{}, Shape{1}, Shape{0, 3}, Shape{33}, Shape{7, 1025}, Shape{1025, 7}, Shape{2, 3, 4, 65}}) {
      elementwise_and_sums(shape, dtype);
    }
  }
  layouts();
  training();
  machine();
  std::printf("%d checks, %d failed\n", checks, failures);
  return failures == 0 && checks > 0 ? 0 : 1;
}
