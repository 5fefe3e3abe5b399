// AddRmsNorm's truth at size, on the host.
#include "reference/add_rmsnorm_at_size.hpp"

#include "gates/at_size/on_host.hpp"

namespace seamgate::gates {
namespace {

const RegisterPageAtSize registered({.op = "add_rmsnorm",
                                     .variant = "torch",
                                     .distribution = "mixed",
                                     .on_host = at_size::on_host<reference::AddRmsNormAtSize>});

}  // namespace
}  // namespace seamgate::gates
