// Fused add + RMSNorm's seam and kernels as an implementation.
#include "gates/subjects/define_subject.hpp"
#include "seam/modules/add_rms_norm.hpp"

SEAMGATE_SUBJECT(add_rmsnorm, AddRmsNorm)
