// Raw device bytes in a build without CUDA: the host's own.
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include "gates/device_memory.hpp"
#include "gates/device_stream.hpp"
#include "gates/no_gpu.hpp"

namespace seamgate::gates::device {
namespace {

void only_cpu(Backend backend) {
  if (backend != Backend::cpu) throw std::logic_error("this build has no CUDA part; allowed backend: cpu");
}

}  // namespace

std::byte* allocate(Backend backend, std::size_t bytes) {
  only_cpu(backend);
  void* data = std::malloc(bytes);
  if (data == nullptr) throw std::bad_alloc();
  return static_cast<std::byte*>(data);
}

void release(Backend, std::byte* data) { std::free(data); }
void upload(Backend, std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
void download(Backend, std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
void upload_rows(Backend, std::byte* to, std::size_t pitch, const std::byte* from, std::size_t row_bytes, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) std::memcpy(to + row * pitch, from + row * row_bytes, row_bytes);
}
void download_rows(Backend, std::byte* to, const std::byte* from, std::size_t pitch, std::size_t row_bytes, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) std::memcpy(to + row * row_bytes, from + row * pitch, row_bytes);
}
void synchronise(Backend) {}
void wait_without_spinning() {}
void fill(Backend, std::byte* to, std::byte value, std::size_t bytes) { std::memset(to, static_cast<int>(value), bytes); }
MemoryInfo memory_info(Backend) { return {}; }

namespace {

[[noreturn]] void no_streams() { throw std::logic_error("this build has no CUDA part, and no streams"); }

}  // namespace

int device_count() { return 0; }
int current_device() { no_streams(); }
void use_device(int) { no_streams(); }
int device_of(const void*) { no_streams(); }
Stream::Stream() { no_streams(); }
Stream::~Stream() = default;
bool Stream::is_non_blocking() const { no_streams(); }
bool Stream::is_busy() const { no_streams(); }
void Stream::wait() const { no_streams(); }
void keep_busy(kernels::Stream, std::int64_t) { no_streams(); }
void copy_rows(kernels::Stream, void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t) { no_streams(); }
bool is_busy(kernels::Stream) { no_streams(); }
Graph::Graph(const Stream&, const std::function<void()>&) { no_streams(); }
Graph::~Graph() = default;
void Graph::replay(const Stream&) const { no_streams(); }
std::string allocate_in_capture(const Stream&) { no_streams(); }

}  // namespace seamgate::gates::device

namespace seamgate::gates {

std::string why_no_gpu() { return "not built (this build has no CUDA part)"; }

}  // namespace seamgate::gates
