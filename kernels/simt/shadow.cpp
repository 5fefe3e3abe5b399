// Refinement and look-up of shadow pages.
#include "kernels/simt/shadow.hpp"

#include <bit>

namespace seamgate::simt::host {

void Page::refine(std::uintptr_t address_or_size) {
  const int shift = std::countr_zero(address_or_size);  // below shift_, or nobody would ask
  for (Plane* plane : {&writes, &reads, &other_reads}) {
    if (plane->cells == nullptr) continue;
    std::unique_ptr<Access[]> finer(new Access[bytes >> shift]);
    for (std::size_t i = 0; i < bytes >> shift; ++i) finer[i] = plane->cells[i >> (shift_ - shift)];
    plane->cells = std::move(finer);
  }
  shift_ = shift;
}

Page& ShadowMemory::find(std::uintptr_t number) {
  std::unique_ptr<Page>& page = pages_[number];
  if (page == nullptr) page = std::make_unique<Page>();
  return *page;
}

void ShadowMemory::clear() {
  recent_.fill({});
  pages_.clear();
}

}  // namespace seamgate::simt::host
