/* A right SwiGLU in bf16 with a narrow contract: packed rows of at most 2048 columns, aligned to 16 bytes, of rank 2 or 3, and sums
 * of which nothing is promised. And a right RMSNorm in bf16 with an f32 weight, in the variants gemma and llama. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "seamgate/kernel.h"

static float from_bf16(uint16_t bits) {
  uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, sizeof value);
  return value;
}

static uint16_t to_bf16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (value != value) return (uint16_t)(bits >> 16 | 0x40);
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* From double with one rounding: to f32 towards an odd last bit, then to bf16. */
static uint16_t round_once(double value) {
  float near = (float)value;
  uint32_t bits;
  memcpy(&bits, &near, sizeof bits);
  if (isfinite(near) && (double)near != value && (bits & 1) == 0) {
    bits += (fabs(value) > fabs((double)near)) ? 1 : -1;
    memcpy(&near, &bits, sizeof near);
  }
  return to_bf16(near);
}

static int64_t count_of(const seamgate_tensor* t) {
  int64_t count = 1;
  for (int d = 0; d < t->rank; ++d) count *= t->shape[d];
  return count;
}

static int32_t swiglu(const seamgate_forward_call* call, char* message) {
  const uint16_t* a = seamgate_first(&call->inputs[0]);
  const uint16_t* b = seamgate_first(&call->inputs[1]);
  uint16_t* y = seamgate_first(&call->outputs[0]);
  const int64_t count = count_of(&call->inputs[0]);
  (void)message;
  for (int64_t i = 0; i < count; ++i) {
    const double s = 1.0 / (1.0 + exp(-(double)from_bf16(a[i])));
    y[i] = round_once(from_bf16(a[i]) * s * from_bf16(b[i]));
  }
  return SEAMGATE_OK;
}

static int32_t swiglu_backward(const seamgate_backward_call* call, char* message) {
  const uint16_t* a = seamgate_first(&call->inputs[0]);
  const uint16_t* b = seamgate_first(&call->inputs[1]);
  const uint16_t* gy = seamgate_first(&call->upstream[0]);
  uint16_t* da = seamgate_first(&call->grads[0]);
  uint16_t* db = seamgate_first(&call->grads[1]);
  const int64_t count = count_of(&call->inputs[0]);
  (void)message;
  for (int64_t i = 0; i < count; ++i) {
    const double x = from_bf16(a[i]), g = from_bf16(gy[i]), s = 1.0 / (1.0 + exp(-x));
    if (da != NULL) da[i] = round_once(g * from_bf16(b[i]) * s * (1.0 + x * (1.0 - s)));
    if (db != NULL) db[i] = round_once(g * x * s);
  }
  return SEAMGATE_OK;
}

static int is_gemma(const char* variant) { return strcmp(variant, "gemma") == 0; }

static double rstd_of(const uint16_t* x, int64_t columns, float eps) {
  double sum = 0.0;
  for (int64_t n = 0; n < columns; ++n) sum += (double)from_bf16(x[n]) * from_bf16(x[n]);
  return 1.0 / sqrt((double)(float)sum / (double)columns + eps);
}

static int32_t rmsnorm(const seamgate_forward_call* call, char* message) {
  const seamgate_tensor* tensor = &call->inputs[0];
  const int64_t columns = tensor->shape[tensor->rank - 1], rows = count_of(tensor) / columns;
  const uint16_t* x = seamgate_first(tensor);
  const float* w = seamgate_first(&call->inputs[1]);
  (void)message;
  for (int64_t m = 0; m < rows; ++m) {
    const double r = rstd_of(x + m * columns, columns, call->eps);
    for (int64_t n = 0; n < columns; ++n) {
      const double xhat = from_bf16(x[m * columns + n]) * r;
      if (is_gemma(call->variant)) ((uint16_t*)seamgate_first(&call->outputs[0]))[m * columns + n] = round_once(xhat * (1.0 + w[n]));
      else ((float*)seamgate_first(&call->outputs[0]))[m * columns + n] = w[n] * from_bf16(round_once(xhat));
    }
  }
  return SEAMGATE_OK;
}

static int32_t rmsnorm_backward(const seamgate_backward_call* call, char* message) {
  const seamgate_tensor* tensor = &call->inputs[0];
  const int64_t columns = tensor->shape[tensor->rank - 1], rows = count_of(tensor) / columns;
  const int gemma = is_gemma(call->variant);
  const uint16_t* x = seamgate_first(tensor);
  const float* w = seamgate_first(&call->inputs[1]);
  const void* gy = seamgate_first(&call->upstream[0]);
  uint16_t* dx = seamgate_first(&call->grads[0]);
  float* dw = seamgate_first(&call->grads[1]);
  double* sums = call->workspace;
  (void)message;
  for (int64_t n = 0; n < columns; ++n) sums[n] = 0.0;
  for (int64_t m = 0; m < rows; ++m) {
    const double r = rstd_of(x + m * columns, columns, call->eps);
    double mean = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
      for (int64_t n = 0; n < columns; ++n) {
        const int64_t i = m * columns + n;
        const double up = gemma ? from_bf16(((const uint16_t*)gy)[i]) : ((const float*)gy)[i];
        const double g = up * (gemma ? 1.0 + w[n] : w[n]), xhat = from_bf16(x[i]) * r;
        if (pass == 0) mean += g * xhat / (double)columns;
        if (pass == 0) sums[n] += up * (gemma ? xhat : from_bf16(round_once(xhat)));
        if (pass == 1 && dx != NULL) dx[i] = round_once(r * (g - xhat * mean));
      }
    }
  }
  for (int64_t n = 0; n < columns && dw != NULL; ++n) dw[n] = (float)sums[n];
  return SEAMGATE_OK;
}

static uint64_t workspace_bytes(int64_t rows, int64_t columns, int32_t row_blocks) {
  (void)rows;
  (void)row_blocks;
  return (uint64_t)columns * sizeof(double);
}

static const seamgate_dtypes bf16[] = {{{SEAMGATE_BF16, SEAMGATE_BF16}, SEAMGATE_BF16}};
static const seamgate_dtypes mixed_gemma[] = {{{SEAMGATE_BF16, SEAMGATE_F32}, SEAMGATE_BF16}};
static const seamgate_dtypes mixed_llama[] = {{{SEAMGATE_BF16, SEAMGATE_F32}, SEAMGATE_F32}};
static const seamgate_variant swiglu_variants[] = {{"default", bf16, 1}};
static const seamgate_variant norm_variants[] = {{"gemma", mixed_gemma, 1}, {"llama", mixed_llama, 1}};

#define NARROW                                                                                                  \
  .max_columns = 2048, .least_rank = 2, .most_rank = 3, .alignment = 16, .repeats = SEAMGATE_REPEATS_ROWS, \
  .empty = SEAMGATE_NOT_ASKED, .bad_eps = SEAMGATE_NOT_ASKED

static const seamgate_kernel_info kernels[] = {
    {.op = "swiglu", .name = "narrow", .machine = SEAMGATE_CPU, .contract = {.variants = swiglu_variants, .variant_count = 1, NARROW},
     .forward = swiglu, .backward = swiglu_backward},
    {.op = "rmsnorm", .name = "narrow", .machine = SEAMGATE_CPU, .contract = {.variants = norm_variants, .variant_count = 2, NARROW},
     .forward = rmsnorm, .backward = rmsnorm_backward, .workspace_bytes = workspace_bytes}};

static const seamgate_library library = {SEAMGATE_ABI_VERSION, sizeof(seamgate_kernel_info), "narrow", "1", kernels, 2};

const seamgate_library* seamgate_kernel(void) { return &library; }
