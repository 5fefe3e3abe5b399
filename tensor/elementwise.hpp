// The arithmetic of the elementwise primitives, one definition for both backends: f32 in, f32 out, one IEEE
// operation after another as written.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string_view>

#if defined(__CUDACC__)
#define SEAMGATE_HOST_DEVICE __host__ __device__
#else
#define SEAMGATE_HOST_DEVICE
#endif

namespace seamgate {

enum class UnaryOp { neg, square, sqrt, recip, exp, sigmoid, add_scalar, mul_scalar, div_scalar };
enum class BinaryOp { add, sub, mul, div, maximum };

namespace elementwise {

struct Neg {
  SEAMGATE_HOST_DEVICE float operator()(float x) const { return -x; }
};
struct Square {
  SEAMGATE_HOST_DEVICE float operator()(float x) const { return x * x; }
};
struct Sqrt {
  SEAMGATE_HOST_DEVICE float operator()(float x) const { return sqrtf(x); }
};
struct Recip {
  SEAMGATE_HOST_DEVICE float operator()(float x) const { return 1.0F / x; }
};
struct Exp {
  SEAMGATE_HOST_DEVICE float operator()(float x) const { return expf(x); }
};
// Both tails are right: exp(-x) overflows to infinity and the quotient is 0.
struct Sigmoid {
  // By exp of a number that is not positive: it cannot overflow, and keeps the digits of a result near 0.
  SEAMGATE_HOST_DEVICE float operator()(float x) const {
    const float e = expf(-fabsf(x));
    return (x >= 0.0F ? 1.0F : e) / (1.0F + e);
  }
};
struct AddScalar {
  float scalar;
  SEAMGATE_HOST_DEVICE float operator()(float x) const { return x + scalar; }
};
struct MulScalar {
  float scalar;
  SEAMGATE_HOST_DEVICE float operator()(float x) const { return x * scalar; }
};
struct DivScalar {
  float scalar;
  SEAMGATE_HOST_DEVICE float operator()(float x) const { return x / scalar; }
};

struct Add {
  SEAMGATE_HOST_DEVICE float operator()(float a, float b) const { return a + b; }
};
struct Sub {
  SEAMGATE_HOST_DEVICE float operator()(float a, float b) const { return a - b; }
};
struct Mul {
  SEAMGATE_HOST_DEVICE float operator()(float a, float b) const { return a * b; }
};
struct Div {
  SEAMGATE_HOST_DEVICE float operator()(float a, float b) const { return a / b; }
};
// NaN where either is one; the first of equals, so that the sign of a zero follows from the order alone.
struct Maximum {
  SEAMGATE_HOST_DEVICE float operator()(float a, float b) const { return b > a || b != b ? b : a; }
};

// Calls `use(functor)` with the functor of `op`; `scalar` reaches the operations that have one.
template <class Use>
void with_functor(UnaryOp op, float scalar, Use&& use) {
  switch (op) {
    case UnaryOp::neg:
      return use(Neg{});
    case UnaryOp::square:
      return use(Square{});
    case UnaryOp::sqrt:
      return use(Sqrt{});
    case UnaryOp::recip:
      return use(Recip{});
    case UnaryOp::exp:
      return use(Exp{});
    case UnaryOp::sigmoid:
      return use(Sigmoid{});
    case UnaryOp::add_scalar:
      return use(AddScalar{scalar});
    case UnaryOp::mul_scalar:
      return use(MulScalar{scalar});
    case UnaryOp::div_scalar:
      return use(DivScalar{scalar});
  }
  throw std::logic_error("unknown unary operation");
}

template <class Use>
void with_functor(BinaryOp op, Use&& use) {
  switch (op) {
    case BinaryOp::add:
      return use(Add{});
    case BinaryOp::sub:
      return use(Sub{});
    case BinaryOp::mul:
      return use(Mul{});
    case BinaryOp::div:
      return use(Div{});
    case BinaryOp::maximum:
      return use(Maximum{});
  }
  throw std::logic_error("unknown binary operation");
}

}  // namespace elementwise

// As the launch log names them: "primitive.mul".
constexpr std::string_view log_name(UnaryOp op) {
  switch (op) {
    case UnaryOp::neg:
      return "primitive.neg";
    case UnaryOp::square:
      return "primitive.square";
    case UnaryOp::sqrt:
      return "primitive.sqrt";
    case UnaryOp::recip:
      return "primitive.recip";
    case UnaryOp::exp:
      return "primitive.exp";
    case UnaryOp::sigmoid:
      return "primitive.sigmoid";
    case UnaryOp::add_scalar:
      return "primitive.add_scalar";
    case UnaryOp::mul_scalar:
      return "primitive.mul_scalar";
    case UnaryOp::div_scalar:
      return "primitive.div_scalar";
  }
  return "primitive.?";
}

constexpr std::string_view log_name(BinaryOp op) {
  switch (op) {
    case BinaryOp::add:
      return "primitive.add";
    case BinaryOp::sub:
      return "primitive.sub";
    case BinaryOp::mul:
      return "primitive.mul";
    case BinaryOp::div:
      return "primitive.div";
    case BinaryOp::maximum:
      return "primitive.maximum";
  }
  return "primitive.?";
}

// Terms a block of the hierarchical sum. Each level adds at most this many terms one after another, so the
// error grows with 32 * log32(terms) roundings instead of with the number of terms. Both backends use the
// same tree.
inline constexpr int sum_block = 32;

}  // namespace seamgate
