// Where a tensor lives.
#pragma once

#include <string>

namespace seamgate {

enum class DeviceKind { cpu, cuda };

struct Device {
  DeviceKind kind = DeviceKind::cpu;
  int index = 0;

  static constexpr Device cpu() { return {DeviceKind::cpu, 0}; }
  static constexpr Device cuda(int index) { return {DeviceKind::cuda, index}; }
  friend constexpr bool operator==(const Device&, const Device&) = default;
};

// "cpu", "cuda:0".
inline std::string to_string(const Device& device) {
  return device.kind == DeviceKind::cpu ? "cpu" : "cuda:" + std::to_string(device.index);
}

}  // namespace seamgate
