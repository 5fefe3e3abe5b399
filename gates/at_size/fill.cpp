// Inputs of any size on the host, and on a GPU in a build without CUDA, which there is none of.
#include "gates/at_size/fill.hpp"

#include <cstring>
#include <stdexcept>

namespace seamgate::gates {
namespace {

template <class Visit>
void each_value(const InputMap& map, std::int64_t rows, Visit visit) {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < map.columns; ++column)
      visit(row * map.columns + column, map.at(row, column));
  }
}

template <class T>
void make_as(const InputMap& map, T* to, std::int64_t rows) {
  each_value(map, rows, [to](std::int64_t at, float value) { to[at] = simt::from_float<T>(value); });
}

template <class T>
ChangedInputs changed_as(const InputMap& map, const T* data, std::int64_t rows) {
  ChangedInputs changed;
  each_value(map, rows, [&](std::int64_t at, float value) {
    const T want = simt::from_float<T>(value);
    if (std::memcmp(&want, &data[at], sizeof(T)) == 0) return;
    if (changed.count++ == 0) changed.first = at;
  });
  return changed;
}

}  // namespace

void make_inputs_on_host(const InputMap& map, void* to, std::int64_t rows) {
  if (map.dtype == DType::f32) return make_as(map, static_cast<float*>(to), rows);
  if (map.dtype == DType::bf16) return make_as(map, static_cast<bf16*>(to), rows);
  make_as(map, static_cast<f16*>(to), rows);
}

ChangedInputs changed_inputs_on_host(const InputMap& map, const void* data, std::int64_t rows) {
  if (map.dtype == DType::f32) return changed_as(map, static_cast<const float*>(data), rows);
  if (map.dtype == DType::bf16) return changed_as(map, static_cast<const bf16*>(data), rows);
  return changed_as(map, static_cast<const f16*>(data), rows);
}

#ifndef SEAMGATE_HAS_CUDA
void make_inputs(Backend backend, const InputMap& map, void* to, std::int64_t rows) {
  if (backend != Backend::cpu) throw std::logic_error("this build has no CUDA part; allowed backend: cpu");
  make_inputs_on_host(map, to, rows);
}
ChangedInputs changed_inputs(Backend backend, const InputMap& map, const void* data, std::int64_t rows) {
  if (backend != Backend::cpu) throw std::logic_error("this build has no CUDA part; allowed backend: cpu");
  return changed_inputs_on_host(map, data, rows);
}
#endif

}  // namespace seamgate::gates
