// Inputs of any size, made and looked over where they lie.
#pragma once

#include <cstdint>

#include "gates/backend.hpp"
#include "gates/input_map.hpp"

namespace seamgate::gates {

// `rows` rows of map.columns values of map.dtype at `to`, on the backend's current device; waits.
void make_inputs(Backend backend, const InputMap& map, void* to, std::int64_t rows);

struct ChangedInputs {
  std::int64_t count = 0;
  std::int64_t first = -1;  // index of the first one
};
// Elements whose bits are not the map's.
ChangedInputs changed_inputs(Backend backend, const InputMap& map, const void* data, std::int64_t rows);

// The host's part of both.
void make_inputs_on_host(const InputMap& map, void* to, std::int64_t rows);
ChangedInputs changed_inputs_on_host(const InputMap& map, const void* data, std::int64_t rows);

}  // namespace seamgate::gates
