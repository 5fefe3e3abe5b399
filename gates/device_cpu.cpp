// Raw device bytes in a build without CUDA: the host's own.
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include "gates/device_memory.hpp"

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
void synchronise(Backend) {}

}  // namespace seamgate::gates::device
