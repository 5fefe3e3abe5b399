// Random RMSNorm inputs for the tests of truth, and the request that borrows them.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "reference/op_definition.hpp"
#include "reference/rounding.hpp"

namespace seamgate::reference {

struct RmsNormCase {
  std::int64_t rows;
  std::int64_t columns;
  float eps = 1e-6F;
  Format x_format = Format::f32;
  Format w_format = Format::f32;
  std::vector<float> x, w, gy;

  RmsNormCase(std::int64_t rows_, std::int64_t columns_, unsigned seed = 1, double scale = 1)
      : rows(rows_), columns(columns_) {
    std::mt19937 bits(seed);
    const auto fill = [&bits](std::vector<float>& v, std::int64_t count, double size) {
      for (std::int64_t i = 0; i < count; ++i)
        v.push_back(static_cast<float>(size * (static_cast<double>(bits()) / 2147483648.0 - 1.0)));
    };
    fill(x, rows * columns, scale);
    fill(w, columns, 2);
    fill(gy, rows * columns, 1);
  }

  // The same inputs as a kernel gets them in these formats.
  RmsNormCase& store_as(Format x_in, Format w_in) {
    x_format = x_in;
    w_format = w_in;
    for (float& v : x) v = static_cast<float>(round_to(static_cast<double>(v), x_format));
    for (float& v : w) v = static_cast<float>(round_to(static_cast<double>(v), w_format));
    return *this;
  }

  TruthRequest request(const char* variant = "torch") const {
    return {rows,
            columns,
            {{x.data(), columns, x_format}, {w.data(), 0, w_format}},
            {{gy.data(), columns}},
            {variant, eps},
            true,
            1};
  }
  Truth truth(const char* variant = "torch") const {
    return find_definition("rmsnorm").evaluate(request(variant));
  }
  float& x_at(std::int64_t m, std::int64_t n) { return x[static_cast<std::size_t>(m * columns + n)]; }
  float& gy_at(std::int64_t m, std::int64_t n) { return gy[static_cast<std::size_t>(m * columns + n)]; }
};

}  // namespace seamgate::reference
