# Planted faults of SwiGLU and its seam. DEFECT says what they are the kind of.

seamgate_add_mutant(
  ID silu_factor_dropped
  OP swiglu
  TITLE "the factor 1 + a * (1 - s) dropped from da"
  DEFECT "the derivative of silu taken to be the sigmoid: small inputs train nearly as well"
  EXPECTED_GATE truth
  FILE kernels/swiglu/silu.hpp
  REPLACE [==[return s * (1.0F + a * rest);]==]
  WITH [==[return s;]==])

seamgate_add_mutant(
  ID halves_swapped
  OP swiglu
  TITLE "the halves exchanged in the forward"
  DEFECT "gate and up projections in the other order, as checkpoints of two libraries have them"
  EXPECTED_GATE truth
  FILE kernels/swiglu/forward.hpp
  REPLACE [==[Variant::gate(silu(a[j])) * b[j]]==]
  WITH [==[Variant::gate(silu(b[j])) * a[j]]==])

seamgate_add_mutant(
  ID strided_gy_read_as_packed
  OP swiglu
  TITLE "a strided gy read as contiguous"
  DEFECT "the upstream gradient arrives after the ask, in a layout that nobody looked at"
  EXPECTED_GATE bounds
  FILE kernels/swiglu/launch.hpp
  REPLACE [==[    bind(gy, args.gy, args.gy_stride, args.vector);]==]
  WITH [==[    bind(gy, args.gy, args.gy_stride, args.vector);
    args.gy_stride = args.columns;
    args.vector = args.vector && args.columns % quad_width == 0;]==])

seamgate_add_mutant(
  ID strides_shared
  OP swiglu
  TITLE "b read with the row stride of a"
  DEFECT "one stride for both halves: right until they come from different buffers"
  EXPECTED_GATE bounds
  FILE kernels/swiglu/forward.hpp
  REPLACE [==[args.b + row * args.b_stride]==]
  WITH [==[args.b + row * args.a_stride]==])

seamgate_add_mutant(
  ID partial_quad_unwritten
  OP swiglu
  TITLE "a last partial quad not written"
  DEFECT "a vector loop without its tail: right at every multiple of four"
  EXPECTED_GATE bounds
  FILE kernels/swiglu/forward.hpp
  REPLACE [==[c >= args.columns) return;]==]
  WITH [==[c + quad_width > args.columns) return;]==])

seamgate_add_mutant(
  ID sigmoid_overflows
  OP swiglu
  TITLE "silu by exp(a), which overflows"
  DEFECT "exp(a) / (1 + exp(a)) is Inf / Inf from a = 89 on"
  EXPECTED_GATE truth
  FILE kernels/swiglu/silu.hpp
  REPLACE [==[const float e = expf(-fabsf(a));
  return (a >= 0.0F ? a : a * e) / (1.0F + e);]==]
  WITH [==[const float e = expf(a);
  return a * e / (1.0F + e);]==])

seamgate_add_mutant(
  ID silu_in_16_bits
  OP swiglu
  TITLE "silu computed in the dtype"
  DEFECT "silu rounded to 16 bits before the product, in a variant that rounds once"
  EXPECTED_GATE variants
  FILE kernels/swiglu/forward.hpp
  REPLACE [==[Variant::gate(silu(a[j])) * b[j]]==]
  WITH [==[to_float(from_float<typename Variant::Element>(silu(a[j]))) * b[j]]==])

seamgate_add_mutant(
  ID switch_ignored
  OP swiglu
  TITLE "the kill switch ignored"
  DEFECT "a switch that is read, checked, and without effect"
  EXPECTED_GATE kill_switch
  FILE seam/ask.hpp
  REPLACE [==[const bool allowed = switch_allows(Op::contract().switch_name);]==]
  WITH [==[const bool allowed = (switch_allows(Op::contract().switch_name), true);]==])
