// What a seam counted, held against what the witness saw.
#pragma once

#include <cstddef>
#include <string>

#include "gates/gate.hpp"
#include "gates/witness/witness.hpp"
#include "seam/counters.hpp"

namespace seamgate::gates {

// Whether the contract says what its forward kernels are called and how many there are; a library's may not.
bool names_kernels(const kernels::Contract& contract);

// Kernels that the op's contract names for its forward, and for its adjoint; none where it names none.
std::size_t forwards_of(const kernels::Contract& contract, const KernelsSeen& seen);
std::size_t backwards_of(const kernels::Contract& contract, const KernelsSeen& seen);

// Records what was counted under a name of its own, where nobody looked at kernels.
void record_counters(Context& context, const std::string& name, const seam::CounterSnapshot& counters);

// Records what was counted, and checks that it is what was seen: every run of an arm made the contract's forward launches, every
// step of the fused adjoint its backward launches with each kernel that it names, and no kernel of either ran besides. Where some
// parents are untracked an adjoint may leave out what they alone would need, so that a step makes one of these launches at least.
// Of a contract that does not tell its kernels some beside the primitive operations must have been seen where an arm ran; of one
// that does not tell how many a backward makes, one for every step. `where` begins the names of the checks; it may be
// empty.
enum class Parents { all_tracked, some_tracked };
void check_against_witness(Context& context, const Case& c, const std::string& where, const seam::CounterSnapshot& counters,
                           const KernelsSeen& seen, Parents parents = Parents::all_tracked);

}  // namespace seamgate::gates
