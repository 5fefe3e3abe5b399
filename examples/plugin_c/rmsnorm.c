/* A right RMSNorm on the CPU, forward and backward, in f32: the variants torch and llama, which are one function there.
 *
 *   cc -std=c99 -O2 -ffp-contract=off -fPIC -shared -I include examples/plugin_c/rmsnorm.c -o librmsnorm.so -lm
 *   seamgate check ./librmsnorm.so --op rmsnorm
 *
 *   r = 1 / sqrt(mean(x * x) + eps), xhat = x * r, y = xhat * w
 *   g = gy * w, dx = r * (g - xhat * mean(g * xhat)), dw = sum over rows of gy * xhat
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "seamgate/kernel.h"

/* Rows with a stride of their own; columns are adjacent, as the contract says. */
typedef struct {
  float* first;
  int64_t count, columns, stride;
} rows_t;

static rows_t rows_of(const seamgate_tensor* t) {
  rows_t rows;
  int d;
  rows.first = (float*)seamgate_first(t);
  rows.columns = t->shape[t->rank - 1];
  rows.count = 1;
  rows.stride = rows.columns;
  for (d = t->rank - 2; d >= 0; --d) {
    if (rows.count == 1 && t->shape[d] > 1) rows.stride = t->strides[d]; /* the innermost dimension that has steps */
    rows.count *= t->shape[d];
  }
  return rows;
}

static int32_t refuse(char* message, int32_t code, const char* text) {
  snprintf(message, SEAMGATE_MESSAGE_BYTES, "%s", text);
  return code;
}

static int32_t check(const rows_t* x, float eps, char* message) {
  if (!(eps > 0.0f) || isinf(eps)) return refuse(message, SEAMGATE_INVALID, "eps is not positive and finite");
  if (x->count == 0 || x->columns == 0) return refuse(message, SEAMGATE_UNSUPPORTED, "x is empty; at least one element is needed");
  return SEAMGATE_OK;
}

static int32_t forward(const seamgate_forward_call* call, char* message) {
  const rows_t x = rows_of(&call->inputs[0]);
  const rows_t w = rows_of(&call->inputs[1]);
  const rows_t y = rows_of(&call->outputs[0]);
  float* rstd = (float*)seamgate_first(&call->saved[0]);
  const int32_t code = check(&x, call->eps, message);
  int64_t m, n;
  if (code != SEAMGATE_OK) return code;
  for (m = 0; m < x.count; ++m) {
    const float* row = x.first + m * x.stride;
    double sum = 0.0; /* the squares of f32 fit into double; a sum beyond f32 makes r 0, as it does in f32 */
    for (n = 0; n < x.columns; ++n) sum += (double)row[n] * row[n];
    rstd[m] = (float)(1.0 / sqrt((double)(float)sum / (double)x.columns + call->eps));
    for (n = 0; n < x.columns; ++n) y.first[m * y.stride + n] = row[n] * rstd[m] * w.first[n];
  }
  return SEAMGATE_OK;
}

static int32_t backward(const seamgate_backward_call* call, char* message) {
  const rows_t x = rows_of(&call->inputs[0]);
  const rows_t w = rows_of(&call->inputs[1]);
  const rows_t gy = rows_of(&call->upstream[0]);
  const rows_t dx = rows_of(&call->grads[0]);
  const rows_t dw = rows_of(&call->grads[1]);
  const float* rstd = (const float*)seamgate_first(&call->saved[0]);
  double* sums = (double*)call->workspace;
  const int32_t code = check(&x, call->eps, message);
  int64_t m, n;
  if (code != SEAMGATE_OK) return code;
  for (n = 0; n < x.columns; ++n) sums[n] = 0.0;
  for (m = 0; m < x.count; ++m) {
    const float* row = x.first + m * x.stride;
    const float* g = gy.first + m * gy.stride;
    double dot = 0.0;
    for (n = 0; n < x.columns; ++n) dot += (double)g[n] * w.first[n] * ((double)row[n] * rstd[m]);
    dot /= (double)x.columns;
    for (n = 0; n < x.columns; ++n) {
      const double xhat = (double)row[n] * rstd[m];
      if (dx.first != NULL) dx.first[m * dx.stride + n] = (float)(rstd[m] * ((double)g[n] * w.first[n] - xhat * dot));
      sums[n] += g[n] * xhat;
    }
  }
  for (n = 0; dw.first != NULL && n < x.columns; ++n) dw.first[n] = (float)sums[n];
  return SEAMGATE_OK;
}

static uint64_t workspace_bytes(int64_t rows, int64_t columns, int32_t row_blocks) {
  (void)rows;
  (void)row_blocks;
  return (uint64_t)columns * sizeof(double);
}

static const seamgate_dtypes f32[] = {{{SEAMGATE_F32, SEAMGATE_F32}, SEAMGATE_F32}};
static const seamgate_variant variants[] = {{"torch", f32, 1}, {"llama", f32, 1}};
static const seamgate_saved saved[] = {{"rstd", SEAMGATE_PER_ROW}};

static const seamgate_kernel_info kernels[] = {{
    .op = "rmsnorm",
    .name = "plain",
    .machine = SEAMGATE_CPU,
    .contract = {.variants = variants,
                 .variant_count = 2,
                 .max_columns = 1 << 20,
                 .strided_rows = 1,
                 .repeats = SEAMGATE_REPEATS_LAYOUTS,
                 .saved = saved,
                 .saved_count = 1},
    .forward = forward,
    .backward = backward,
    .workspace_bytes = workspace_bytes,
}};

static const seamgate_library library = {SEAMGATE_ABI_VERSION, sizeof(seamgate_kernel_info), "example", "1.0", kernels, 1};

const seamgate_library* seamgate_kernel(void) { return &library; }
