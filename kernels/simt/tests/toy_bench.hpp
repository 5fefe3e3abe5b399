// Memory for toys, registered and filled anew for each run.
#pragma once

#include <cstring>
#include <string_view>
#include <vector>

#include "kernels/simt/buffers.hpp"
#include "kernels/simt/tests/toys.hpp"

namespace seamgate::simt::test {

class ToyBench {
 public:
  explicit ToyBench(Contents contents_of_out = Contents::written)
      : in_(elements + 4),
        out_(elements),
        half_(elements),
        counter_(16),
        in_scope_(in(), elements * sizeof(float), "in"),
        out_scope_(out_.data(), elements * sizeof(float), "out", contents_of_out),
        half_scope_(half_.data(), elements * sizeof(std::uint16_t), "half"),
        counter_scope_(counter_.data(), 16 * sizeof(unsigned), "counter") {
    refill();
  }

  void refill() {
    for (std::size_t i = 0; i < elements; ++i) in()[i] = 0.001F * static_cast<float>(i % 97);
    std::fill(out_.begin(), out_.end(), 0.0F);
    std::fill(half_.begin(), half_.end(), std::uint16_t{0});
    std::fill(counter_.begin(), counter_.end(), 0U);
  }

  ToyMemory memory() { return {in(), out_.data(), half_.data(), counter_.data()}; }
  const std::vector<float>& out() const { return out_; }

  // Everything a kernel may have written.
  std::vector<unsigned char> bytes() const {
    std::vector<unsigned char> all(out_.size() * 4 + half_.size() * 2 + counter_.size() * 4);
    std::memcpy(all.data(), out_.data(), out_.size() * 4);
    std::memcpy(all.data() + out_.size() * 4, half_.data(), half_.size() * 2);
    std::memcpy(all.data() + out_.size() * 4 + half_.size() * 2, counter_.data(), counter_.size() * 4);
    return all;
  }

 private:
  static constexpr std::size_t elements = std::size_t{toy_blocks} * toy_columns;

  // 16-byte aligned, so that float4 loads of whole vectors are right.
  float* in() {
    auto address = reinterpret_cast<std::uintptr_t>(in_.data());
    return reinterpret_cast<float*>((address + 15) / 16 * 16);
  }

  std::vector<float> in_;
  std::vector<float> out_;
  std::vector<std::uint16_t> half_;
  std::vector<unsigned> counter_;
  BufferScope in_scope_;
  BufferScope out_scope_;
  BufferScope half_scope_;
  BufferScope counter_scope_;
};

inline const Toy& toy_named(const std::vector<Toy>& toys, std::string_view name) {
  for (const Toy& toy : toys) {
    if (toy.name == name) return toy;
  }
  throw std::invalid_argument("no toy is named " + std::string(name));
}

}  // namespace seamgate::simt::test
