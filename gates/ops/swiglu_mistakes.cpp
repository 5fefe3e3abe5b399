// Known ways of getting SwiGLU wrong.
#include <cmath>

#include "gates/diagnosis/mistake.hpp"

namespace seamgate::gates {
namespace {

double sigmoid(double a) {
  return 1.0 / (1.0 + std::exp(-a));
}

using Element = double (*)(double a, double b, double gy);

Mistake mistake(const std::string& tensor, const std::string& text, const std::string& defect,
                Element element) {
  return {tensor, text, defect, [element](const Numbers& n) {
            std::vector<double> values;
            for (std::size_t i = 0; i < n.inputs[0].size(); ++i)
              values.push_back(element(n.inputs[0][i], n.inputs[1][i], n.upstream[0][i]));
            return values;
          }};
}

const RegisterMistakes registered(
    "swiglu",
    {
        mistake("y", "a and b are exchanged", "",
                [](double a, double b, double) { return b * sigmoid(b) * a; }),
        mistake("y", "sigmoid(a) * b: the factor a is left out", "",
                [](double a, double b, double) { return sigmoid(a) * b; }),
        mistake("y", "gelu in place of silu", "D43",
                [](double a, double b, double) {
                  return 0.5 * a * (1.0 + std::erf(a / std::sqrt(2.0))) * b;
                }),
        mistake("y", "gelu (by tanh) in place of silu", "D43",
                [](double a, double b, double) {
                  return 0.5 * a * (1.0 + std::tanh(0.7978845608028654 * (a + 0.044715 * a * a * a))) * b;
                }),
        mistake("y", "silu(a) alone: b is left out", "",
                [](double a, double, double) { return a * sigmoid(a); }),
        mistake("da", "the factor 1 + a * (1 - s) is left out", "",
                [](double a, double b, double gy) { return gy * b * sigmoid(a); }),
        mistake("da", "1 - s has the wrong sign", "",
                [](double a, double b, double gy) {
                  return gy * b * sigmoid(a) * (1.0 - a * (1.0 - sigmoid(a)));
                }),
        mistake("da", "the derivative of the sigmoid alone", "",
                [](double a, double b, double gy) { return gy * b * sigmoid(a) * (1.0 - sigmoid(a)); }),
        mistake("da", "b is left out", "",
                [](double a, double, double gy) { return gy * sigmoid(a) * (1.0 + a * (1.0 - sigmoid(a))); }),
        mistake("da", "gy is left out", "",
                [](double a, double b, double) { return b * sigmoid(a) * (1.0 + a * (1.0 - sigmoid(a))); }),
        mistake("db", "a in place of silu(a)", "", [](double a, double, double gy) { return gy * a; }),
        mistake("db", "sigmoid(a) in place of silu(a)", "",
                [](double a, double, double gy) { return gy * sigmoid(a); }),
        mistake("db", "da and db are exchanged", "",
                [](double a, double b, double gy) {
                  return gy * b * sigmoid(a) * (1.0 + a * (1.0 - sigmoid(a)));
                }),
    });

}  // namespace
}  // namespace seamgate::gates
