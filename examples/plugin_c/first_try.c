/* A wrong RMSNorm on the CPU, as a first try might be: docs/guide.md reads its screen.
 *
 *   cc -std=c99 -O2 -ffp-contract=off -fPIC -shared -I include examples/plugin_c/first_try.c -o libfirst_try.so -lm
 *   seamgate check ./libfirst_try.so --op rmsnorm
 *
 * dx = r * g lacks the projection, and gy is read as if it lay like x.
 */
#include <math.h>
#include <stdio.h>

#include "seamgate/kernel.h"

static int64_t rows_in(const seamgate_tensor* t) {
  int64_t rows = 1;
  for (int d = 0; d + 1 < t->rank; ++d) rows *= t->shape[d];
  return rows;
}

static int64_t stride_of(const seamgate_tensor* t) {
  for (int d = t->rank - 2; d >= 0; --d) {
    if (t->shape[d] > 1) return t->strides[d];
  }
  return t->shape[t->rank - 1];
}

static int32_t forward(const seamgate_forward_call* call, char* message) {
  const seamgate_tensor* x = &call->inputs[0];
  const int64_t rows = rows_in(x), columns = x->shape[x->rank - 1];
  const float* w = (const float*)seamgate_first(&call->inputs[1]);
  float* rstd = (float*)seamgate_first(&call->saved[0]);
  (void)message;
  for (int64_t m = 0; m < rows; ++m) {
    const float* from = (const float*)seamgate_first(x) + m * stride_of(x);
    float* to = (float*)seamgate_first(&call->outputs[0]) + m * stride_of(&call->outputs[0]);
    double sum = 0.0;
    for (int64_t n = 0; n < columns; ++n) sum += (double)from[n] * from[n];
    rstd[m] = 1.0f / sqrtf((float)sum / (float)columns + call->eps);
    for (int64_t n = 0; n < columns; ++n) to[n] = from[n] * rstd[m] * w[n];
  }
  return SEAMGATE_OK;
}

static int32_t backward(const seamgate_backward_call* call, char* message) {
  const seamgate_tensor* x = &call->inputs[0];
  const int64_t rows = rows_in(x), columns = x->shape[x->rank - 1];
  const float* w = (const float*)seamgate_first(&call->inputs[1]);
  const float* rstd = (const float*)seamgate_first(&call->saved[0]);
  float* dw = (float*)seamgate_first(&call->grads[1]);
  (void)message;
  for (int64_t n = 0; n < columns && dw != NULL; ++n) {
    double sum = 0.0;
    for (int64_t m = 0; m < rows; ++m) {
      const float* from = (const float*)seamgate_first(x) + m * stride_of(x);
      const float* gy = (const float*)seamgate_first(&call->upstream[0]) + m * stride_of(x);
      sum += (double)gy[n] * from[n] * rstd[m];
    }
    dw[n] = (float)sum;
  }
  for (int64_t m = 0; m < rows && call->grads[0].data != NULL; ++m) {
    const float* gy = (const float*)seamgate_first(&call->upstream[0]) + m * stride_of(x);
    float* dx = (float*)seamgate_first(&call->grads[0]) + m * stride_of(&call->grads[0]);
    for (int64_t n = 0; n < columns; ++n) dx[n] = rstd[m] * gy[n] * w[n];
  }
  return SEAMGATE_OK;
}

static const seamgate_dtypes f32[] = {{{SEAMGATE_F32, SEAMGATE_F32}, SEAMGATE_F32}};
static const seamgate_variant variants[] = {{"torch", f32, 1}};
static const seamgate_saved saved[] = {{"rstd", SEAMGATE_PER_ROW}};

static const seamgate_kernel_info kernels[] = {{
    .op = "rmsnorm",
    .name = "first_try",
    .machine = SEAMGATE_CPU,
    .contract = {.variants = variants,
                 .variant_count = 1,
                 .max_columns = 65536,
                 .strided_rows = 1,
                 .repeats = SEAMGATE_REPEATS_LAYOUTS,
                 .empty = SEAMGATE_NOT_ASKED,
                 .bad_eps = SEAMGATE_NOT_ASKED,
                 .saved = saved,
                 .saved_count = 1},
    .forward = forward,
    .backward = backward,
}};

static const seamgate_library library = {SEAMGATE_ABI_VERSION, sizeof(seamgate_kernel_info), "mine", "0.1", kernels, 1};

const seamgate_library* seamgate_kernel(void) { return &library; }
