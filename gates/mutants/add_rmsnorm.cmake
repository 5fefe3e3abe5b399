# Planted faults of fused add + RMSNorm.

seamgate_add_mutant(
  ID residual_gradient_early
  OP add_rmsnorm
  TITLE "the residual gradient left to the Jacobian's care"
  DEFECT "kind of fused add + norm kernels that add gsum before the Jacobian: it never reaches the residual"
  EXPECTED_GATE truth
  FILE kernels/add_rmsnorm/rows.hpp
  REPLACE [==[for (int j = 0; j < quad_width; ++j) total[j] += v[j];]==]
  WITH [==[for (int j = 0; j < quad_width; ++j) total[j] = v[j];]==])

seamgate_add_mutant(
  ID sum_not_rounded
  OP add_rmsnorm
  TITLE "the unrounded sum normalised"
  DEFECT "kind of vllm-project/vllm#42325: rounding before or after decides the result"
  EXPECTED_GATE truth
  FILE kernels/add_rmsnorm/rows.hpp
  REPLACE [==[v[j] = rmsnorm::rounded<TX>(v[j] + added[j]);]==]
  WITH [==[v[j] = v[j] + 1.001F * added[j];]==])
