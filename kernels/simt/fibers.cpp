// Fibers by Boost.Context's fcontext, whose switch makes no system call; that of ucontext makes one.
#include "kernels/simt/fibers.hpp"

#include <sys/mman.h>

#include <new>

#if defined(SEAMGATE_UCONTEXT_FIBERS)
#include "kernels/simt/fibers_ucontext.hpp"
#else
#include <boost/context/detail/fcontext.hpp>

namespace seamgate::simt::host {

struct Fiber {
  boost::context::detail::fcontext_t suspended = nullptr;  // null: not started
  FiberPool::Entry entry = nullptr;
  void* context = nullptr;
  int slot = 0;
};

namespace {

struct Handover {
  Fiber* from;
  Fiber* to;
};

// Runs on the stack that was switched to: whoever came from is now suspended at `transfer.fctx`.
void arrived(boost::context::detail::transfer_t transfer) {
  static_cast<Handover*>(transfer.data)->from->suspended = transfer.fctx;
}

void start(boost::context::detail::transfer_t transfer) {
  Fiber* self = static_cast<Handover*>(transfer.data)->to;
  arrived(transfer);
  self->entry(self->context, self->slot);
}

void create(Fiber& fiber, unsigned char* stack, std::size_t bytes) {
  fiber.suspended = boost::context::detail::make_fcontext(stack + bytes, bytes, &start);
}

void forget(Fiber& fiber) {
  fiber.suspended = nullptr;
}

bool started(const Fiber& fiber) {
  return fiber.suspended != nullptr;
}

void switch_fibers(Fiber& from, Fiber& to) {
  Handover handover{&from, &to};
  arrived(boost::context::detail::jump_fcontext(to.suspended, &handover));
}

void adopt_thread(Fiber&) {}

}  // namespace
}  // namespace seamgate::simt::host
#endif

namespace seamgate::simt::host {
namespace {

// Not a power of two: equal offsets in many stacks would share cache sets, which shows in the time
// of a kernel with 1024 threads a block.
constexpr std::size_t stack_stride_bytes = 64 * 1024 + 320;

}  // namespace

FiberPool::FiberPool(int count, Entry entry, void* context)
    : count_(count), entry_(entry), context_(context), fibers_(new Fiber[count + 1]) {
  void* memory = mmap(nullptr, stacks_bytes(), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<unsigned char*>(memory);
}

FiberPool::~FiberPool() {
  reset();
  munmap(memory_, stacks_bytes());
}

std::size_t FiberPool::stacks_bytes() const {
  return static_cast<std::size_t>(count_) * stack_stride_bytes;
}

void FiberPool::prepare(int slot) {
  Fiber& fiber = fibers_[slot];
  if (started(fiber)) return;
  fiber.entry = entry_;
  fiber.context = context_;
  fiber.slot = slot;
  create(fiber, memory_ + slot * stack_stride_bytes, stack_stride_bytes);
}

void FiberPool::enter(int slot) {
  prepare(slot);
  adopt_thread(fibers_[count_]);
  switch_fibers(fibers_[count_], fibers_[slot]);
}

void FiberPool::hand_over(int from, int to) {
  prepare(to);
  switch_fibers(fibers_[from], fibers_[to]);
}

void FiberPool::leave(int from) {
  switch_fibers(fibers_[from], fibers_[count_]);
}

void FiberPool::reset() {
  for (int slot = 0; slot < count_; ++slot) forget(fibers_[slot]);
}

}  // namespace seamgate::simt::host
