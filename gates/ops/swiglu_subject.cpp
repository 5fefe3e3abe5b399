// SwiGLU's seam and kernels as an implementation.
#include "gates/subjects/define_subject.hpp"
#include "seam/modules/swiglu.hpp"

SEAMGATE_SUBJECT(swiglu, SwiGlu)
