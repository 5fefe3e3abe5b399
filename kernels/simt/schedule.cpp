// Orders of threads and blocks: settings of the process, and the permutation of blocks.
#include "kernels/simt/schedule.hpp"

#include <bit>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace seamgate::simt {
namespace {

constexpr int max_workers = 64;

int default_workers() {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  return cores < 1 ? 1 : (cores > max_workers ? max_workers : cores);
}

struct Settings {
  std::mutex mutex;
  Schedule schedule;
  BlockOrder block_order;
  int workers = default_workers();
};

Settings& settings() {
  static Settings instance;
  return instance;
}

// An invertible mix of `bits`-bit numbers: multiplications by odd numbers and shifted xors only.
std::uint64_t mix(std::uint64_t value, int bits, std::uint64_t seed) {
  const std::uint64_t mask = bits >= 64 ? ~0ULL : (1ULL << bits) - 1;
  const int shift = bits / 2 + 1;
  for (int round = 0; round < 4; ++round) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    value = (value + (seed >> 17)) & mask;
    value = (value * ((seed >> 11) | 1ULL)) & mask;
    value ^= value >> shift;
  }
  return value;
}

}  // namespace

std::uint64_t BlockOrder::block_at(std::uint64_t position, std::uint64_t count) const {
  switch (kind) {
    case Kind::in_order:
      return position;
    case Kind::reversed:
      return count - 1 - position;
    case Kind::shuffled:
      break;
  }
  // Permute the next power of two, and walk on until the value falls into range: still a permutation.
  const int bits = count <= 1 ? 1 : std::bit_width(count - 1);
  std::uint64_t block = mix(position, bits, seed);
  while (block >= count) block = mix(block, bits, seed);
  return block;
}

void set_schedule(Schedule schedule) {
  const std::lock_guard lock(settings().mutex);
  settings().schedule = schedule;
}

Schedule schedule() {
  const std::lock_guard lock(settings().mutex);
  return settings().schedule;
}

void set_block_order(BlockOrder order) {
  const std::lock_guard lock(settings().mutex);
  settings().block_order = order;
}

BlockOrder block_order() {
  const std::lock_guard lock(settings().mutex);
  return settings().block_order;
}

void set_workers(int workers) {
  if (workers < 1 || workers > max_workers) {
    throw std::invalid_argument("simt::set_workers: got " + std::to_string(workers) + ", allowed 1.." +
                                std::to_string(max_workers));
  }
  const std::lock_guard lock(settings().mutex);
  settings().workers = workers;
}

int workers() {
  const std::lock_guard lock(settings().mutex);
  return settings().workers;
}

ExecutionScope::ExecutionScope()
    : schedule_(simt::schedule()), block_order_(simt::block_order()), workers_(simt::workers()) {}

ExecutionScope::~ExecutionScope() {
  set_schedule(schedule_);
  set_block_order(block_order_);
  set_workers(workers_);
}

}  // namespace seamgate::simt
