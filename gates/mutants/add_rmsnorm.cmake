# Planted faults of fused add + RMSNorm.

seamgate_add_mutant(
  ID residual_gradient_early
  OP add_rmsnorm
  TITLE "the residual's own gradient added before the Jacobian"
  DEFECT "kind of fused add + norm adjoints that send the incoming residual gradient through the norm"
  EXPECTED_GATE truth
  FILE kernels/rmsnorm/adjoint.hpp
  REPLACE [==[        for (int j = 0; j < quad_width; ++j) {
          const float xhat = xv[j] * rstd;
          xv[j] =]==]
  WITH [==[        float early[quad_width];
        load_quad(a.dx.gsum + row * a.dx.gsum_stride, c, a.columns, a.vector, early);
        for (int j = 0; j < quad_width; ++j) {
          gv[j] += early[j];
          const float xhat = xv[j] * rstd;
          xv[j] =]==])

seamgate_add_mutant(
  ID residual_gradient_dropped
  OP add_rmsnorm
  TITLE "the residual's own gradient dropped"
  DEFECT "kind of huggingface/candle#2168: gradients stop at the fused op"
  EXPECTED_GATE truth
  FILE kernels/add_rmsnorm/rows.hpp
  REPLACE [==[total[j] += v[j];]==]
  WITH [==[total[j] = v[j];]==])

seamgate_add_mutant(
  ID sum_not_rounded
  OP add_rmsnorm
  TITLE "the statistics taken of the unrounded sum"
  DEFECT "kind of vllm-project/vllm#42325: rounding before or after decides the result"
  EXPECTED_GATE truth
  FILE kernels/add_rmsnorm/rows.hpp
  REPLACE [==[v[j] = rmsnorm::rounded<TX>(v[j] + added[j]);]==]
  WITH [==[v[j] = v[j] + added[j];]==])
