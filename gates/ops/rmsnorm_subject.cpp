// RMSNorm's seam and kernels as an implementation.
#include "gates/subjects/define_subject.hpp"
#include "seam/modules/rms_norm.hpp"

SEAMGATE_SUBJECT(rmsnorm, RmsNorm)
