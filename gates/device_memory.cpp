// Device memory that tells when it is misused.
#include "gates/device_memory.hpp"

#include <cstring>

#include "gates/device_stream.hpp"

namespace seamgate::gates {
namespace {

constexpr std::size_t guard_bytes = 4096;
constexpr std::size_t alignment = 256;
constexpr std::byte untouched{0xff};

}  // namespace

DeviceMemory::DeviceMemory(Backend backend, Footprint footprint, std::string name, simt::Contents contents)
    : backend_(backend), footprint_(footprint), name_(std::move(name)) {
  const auto extent = footprint.rows == 0 ? 0 : (footprint.rows - 1) * footprint.pitch_bytes + footprint.row_bytes;
  total_ = 2 * guard_bytes + alignment + static_cast<std::size_t>(footprint.offset_bytes + extent);
  base_ = device::allocate(backend, total_);
  const auto address = reinterpret_cast<std::uintptr_t>(base_) + guard_bytes;
  const auto boundary = (address + alignment - 1) / alignment * alignment;
  first_ = boundary - reinterpret_cast<std::uintptr_t>(base_) + static_cast<std::size_t>(footprint.offset_bytes);
  device::fill(backend_, base_, untouched, total_);
  if (backend_ != Backend::cpu) return;
  // What lies between rows is nobody's: the checked emulator reports a touch of it.
  if (footprint.pitch_bytes == footprint.row_bytes || footprint.rows <= 1) {
    simt::buffers().add(data(), static_cast<std::size_t>(extent), name_, contents);
  } else {
    for (std::int64_t row = 0; row < footprint.rows; ++row) {
      simt::buffers().add(base_ + row_start(row), static_cast<std::size_t>(footprint.row_bytes), name_, contents);
    }
  }
}

DeviceMemory::~DeviceMemory() {
  if (backend_ == Backend::cpu) {
    const bool packed = footprint_.pitch_bytes == footprint_.row_bytes || footprint_.rows <= 1;
    for (std::int64_t row = 0; row < (packed ? 1 : footprint_.rows); ++row) simt::buffers().remove(base_ + row_start(row));
  }
  device::release(backend_, base_);
}

void* DeviceMemory::data() const { return base_ + first_; }

std::size_t DeviceMemory::row_start(std::int64_t row) const { return first_ + static_cast<std::size_t>(row * footprint_.pitch_bytes); }

std::vector<std::byte> DeviceMemory::whole() const {
  std::vector<std::byte> bytes(total_);
  device::download(backend_, bytes.data(), base_, total_);
  return bytes;
}

// Rows alone travel: what a kernel did to the bytes between and around them stays to be found, and on a GPU that several
// processes share each copy waits for its turn.
void DeviceMemory::write(const std::vector<std::byte>& packed) {
  if (packed.empty()) return;
  device::upload_rows(backend_, base_ + first_, static_cast<std::size_t>(footprint_.pitch_bytes), packed.data(),
                      static_cast<std::size_t>(footprint_.row_bytes), static_cast<std::size_t>(footprint_.rows));
}

std::vector<std::byte> DeviceMemory::read() const {
  std::vector<std::byte> packed(static_cast<std::size_t>(footprint_.rows * footprint_.row_bytes));
  if (packed.empty()) return packed;
  device::download_rows(backend_, packed.data(), base_ + first_, static_cast<std::size_t>(footprint_.pitch_bytes),
                        static_cast<std::size_t>(footprint_.row_bytes), static_cast<std::size_t>(footprint_.rows));
  return packed;
}

void DeviceMemory::fill(std::byte value) {
  write(std::vector<std::byte>(static_cast<std::size_t>(footprint_.rows * footprint_.row_bytes), value));
}

void DeviceMemory::copy_rows_from(const DeviceMemory& other, kernels::Stream stream) {
  device::copy_rows(stream, data(), static_cast<std::size_t>(footprint_.pitch_bytes), other.data(),
                    static_cast<std::size_t>(other.footprint_.pitch_bytes), static_cast<std::size_t>(footprint_.row_bytes),
                    static_cast<std::size_t>(footprint_.rows));
}

std::string DeviceMemory::broken_guard() const {
  auto bytes = whole();
  for (std::int64_t row = 0; row < footprint_.rows; ++row) {
    std::memset(bytes.data() + row_start(row), 0xff, static_cast<std::size_t>(footprint_.row_bytes));
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == untouched) continue;
    const auto distance = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(first_);
    if (distance < 0) return name_ + ": written " + std::to_string(-distance) + " bytes before the first row";
    const auto row = footprint_.pitch_bytes == 0 ? 0 : std::min(distance / footprint_.pitch_bytes, footprint_.rows - 1);
    const auto past = distance - row * footprint_.pitch_bytes - footprint_.row_bytes;
    return name_ + ": written " + std::to_string(past) + " bytes after the end of row " + std::to_string(row);
  }
  return {};
}

}  // namespace seamgate::gates
