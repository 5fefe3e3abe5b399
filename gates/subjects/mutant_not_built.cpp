// A mutant whose text is not in the sources any more: known by name, so that no report can forget it.
#include "gates/implementation.hpp"
#include "seamgate_mutant_info.hpp"

namespace seamgate::gates {
namespace {

const MutantInfo info{SEAMGATE_MUTANT_ID,     SEAMGATE_MUTANT_OP,   SEAMGATE_MUTANT_TITLE,
                      SEAMGATE_MUTANT_DEFECT, SEAMGATE_MUTANT_GATE, "not built: its text is not in the sources any more"};
const RegisterImplementation registered(nullptr, &info);

}  // namespace
}  // namespace seamgate::gates
