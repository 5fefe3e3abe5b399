// SwiGlu's truth at size, on the host.
#include "reference/swiglu_at_size.hpp"

#include "gates/at_size/on_host.hpp"

namespace seamgate::gates {
namespace {

const RegisterPageAtSize registered({.op = "swiglu",
                                     .variant = "default",
                                     .distribution = "normal",
                                     .on_host = at_size::on_host<reference::SwiGluAtSize>});

}  // namespace
}  // namespace seamgate::gates
