// RmsNorm's truth at size, on the host.
#include "reference/rmsnorm_at_size.hpp"

#include "gates/at_size/on_host.hpp"

namespace seamgate::gates {
namespace {

const RegisterPageAtSize registered({.op = "rmsnorm",
                                     .variant = "torch",
                                     .distribution = "mixed",
                                     .on_host = at_size::on_host<reference::RmsNormAtSize>});

}  // namespace
}  // namespace seamgate::gates
