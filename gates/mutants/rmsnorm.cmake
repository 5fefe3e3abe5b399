# Planted faults of RMSNorm and its seam. DEFECT names public reports of the same kind.

seamgate_add_mutant(
  ID eps_dropped
  OP rmsnorm
  TITLE "eps dropped"
  DEFECT "kind of pytorch/pytorch#142848 and coremltools#2821: eps does not reach the root"
  EXPECTED_GATE eps
  FILE kernels/rmsnorm/forward.hpp
  REPLACE [==[sqrtf(mean + a.eps)]==]
  WITH [==[sqrtf(mean)]==])

seamgate_add_mutant(
  ID barrier_removed
  OP rmsnorm
  TITLE "a barrier removed"
  DEFECT "kind of gittensor-ai-lab/sparkinfer#705: a row loop uses shared memory again without a barrier"
  EXPECTED_GATE races
  FILE kernels/rmsnorm/adjoint.hpp
  REPLACE [==[__syncthreads();  // the next row's sum writes `partial` again]==]
  WITH [==[]==])

seamgate_add_mutant(
  ID projection_deleted
  OP rmsnorm
  TITLE "the projection term deleted from dx"
  DEFECT "kind of NVIDIA/Megatron-LM#6859: the correction term of dx is wrong"
  EXPECTED_GATE truth
  FILE kernels/rmsnorm/adjoint.hpp
  REPLACE [==[ - xhat * mean)]==]
  WITH [==[)]==])

seamgate_add_mutant(
  ID leaf_returned
  OP rmsnorm
  TITLE "a leaf returned"
  DEFECT "kind of huggingface/candle#2168: the fused output carries no graph edge"
  EXPECTED_GATE leaf
  FILE seam/ask.hpp
  REPLACE [==[return pack(node.finish(launched.outputs, backward));]==]
  WITH [==[return {AnyTensor(Tensor<Autodiff<B, S>>::from_inner(launched.outputs[0]))};]==])

seamgate_add_mutant(
  ID counter_before_launch
  OP rmsnorm
  TITLE "a counter moved before the launch"
  DEFECT "kind of TensorRT-LLM#16702 and llama-cpp-turboquant#349: what did not run is counted as run"
  EXPECTED_GATE failed_launch
  FILE seam/ask.hpp
  REPLACE [==[Launched<B> launched = launch(bare);
    counters().add(Counter::node_ran);]==]
  WITH [==[counters().add(Counter::node_ran);
    Launched<B> launched = launch(bare);]==])

seamgate_add_mutant(
  ID cached_switch
  OP rmsnorm
  TITLE "a cached kill switch"
  DEFECT "kind of vllm-project/vllm#22738: the switch is read once"
  EXPECTED_GATE kill_switch
  FILE seam/ask.hpp
  REPLACE [==[request_);
    const bool allowed = switch_allows(]==]
  WITH [==[request_);
    static const bool allowed = switch_allows(]==])

seamgate_add_mutant(
  ID tensor_adjoint_sign
  OP rmsnorm
  TITLE "the projection term of the tensor adjoint added, not subtracted"
  DEFECT "what a switch falls back to: seldom taken, and the same number of launches"
  EXPECTED_GATE parity
  FILE seam/modules/rms_norm.hpp
  REPLACE [==[sub(g, mul(xhat, mean_dim(mul(g, xhat), -1)))]==]
  WITH [==[add(g, mul(xhat, mean_dim(mul(g, xhat), -1)))]==])
