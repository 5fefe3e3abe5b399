/* The kernel of rmsnorm.c behind a seam of its own: what a model calls, with counters and a kill switch.
 *
 *   cc -std=c11 -O2 -ffp-contract=off -fPIC -shared -I include examples/plugin_c/rmsnorm_seam.c -o librmsnorm_seam.so -lm
 *   seamgate check ./librmsnorm_seam.so --op rmsnorm
 *
 * MY_NORM_FUSED=0 makes it decline every ask.
 */
#define seamgate_kernel kernel_without_a_seam
#include "rmsnorm.c"
#undef seamgate_kernel

#include <stdatomic.h>
#include <stdlib.h>

static atomic_ullong asked, declined, served, failed, backwards;

static const char switch_name[] = "MY_NORM_FUSED";
static const char* const off_words[] = {"0", "off"};
static const char* const on_words[] = {"1", "on"};

static int is_among(const char* value, const char* const* words) { return strcmp(value, words[0]) == 0 || strcmp(value, words[1]) == 0; }

/* What the backward of one forward needs. */
typedef struct {
  seamgate_tensor inputs[2], saved;
  int64_t shapes[2][4], strides[2][4], rows, one;
  float eps;
  float* rstd;
} context_t;

static int32_t decline(char* message, const char* reason) {
  atomic_fetch_add(&asked, 1);
  atomic_fetch_add(&declined, 1);
  return refuse(message, SEAMGATE_DECLINED, reason);
}

/* Rows of adjacent columns, with one stride from row to row. */
static int has_rows(const seamgate_tensor* t) {
  int64_t step = 0;
  int d;
  if (t->shape[t->rank - 1] > 1 && t->strides[t->rank - 1] != 1) return 0;
  for (d = t->rank - 2; d >= 0; --d) {
    if (t->shape[d] == 1) continue;
    if (step != 0 && t->strides[d] != step) return 0;
    step = t->strides[d] * t->shape[d];
  }
  return 1;
}

static const char* why_not(const seamgate_ask_call* call) {
  const seamgate_tensor* x = &call->inputs[0];
  int d;
  if (strcmp(call->variant, "torch") != 0 && strcmp(call->variant, "llama") != 0) return "variant";
  if (x->dtype != SEAMGATE_F32 || call->inputs[1].dtype != SEAMGATE_F32) return "dtype";
  for (d = 0; d < x->rank; ++d) {
    if (x->shape[d] == 0) return "empty";
  }
  if (x->shape[x->rank - 1] > 1 << 20) return "shape";
  if (!has_rows(x) || !has_rows(&call->outputs[0])) return "layout";
  return NULL;
}

static void copy_tensor(context_t* context, int i, const seamgate_tensor* from) {
  context->inputs[i] = *from;
  memcpy(context->shapes[i], from->shape, (size_t)from->rank * sizeof(int64_t));
  memcpy(context->strides[i], from->strides, (size_t)from->rank * sizeof(int64_t));
  context->inputs[i].shape = context->shapes[i];
  context->inputs[i].strides = context->strides[i];
}

static int32_t ask(const seamgate_ask_call* call, char* message) {
  const char* value = getenv(switch_name); /* at every ask */
  seamgate_forward_call forward_call = {0};
  context_t* context;
  int32_t code;
  if (value != NULL && !is_among(value, off_words) && !is_among(value, on_words)) {
    snprintf(message, SEAMGATE_MESSAGE_BYTES, "%s is '%s'; allowed: 0, off, 1, on", switch_name, value);
    return SEAMGATE_INVALID;
  }
  if (value != NULL && is_among(value, off_words)) return decline(message, "switch");
  if (why_not(call) != NULL) return decline(message, why_not(call));
  atomic_fetch_add(&asked, 1);
  context = (context_t*)calloc(1, sizeof *context);
  copy_tensor(context, 0, &call->inputs[0]);
  copy_tensor(context, 1, &call->inputs[1]);
  context->rows = rows_of(&call->inputs[0]).count;
  context->one = 1;
  context->eps = call->eps;
  context->rstd = (float*)malloc((size_t)context->rows * sizeof(float));
  context->saved.data = context->rstd;
  context->saved.dtype = SEAMGATE_F32;
  context->saved.rank = 1;
  context->saved.shape = &context->rows;
  context->saved.strides = &context->one;
  forward_call.inputs = call->inputs;
  forward_call.outputs = call->outputs;
  forward_call.saved = &context->saved;
  forward_call.variant = call->variant;
  forward_call.eps = call->eps;
  code = forward(&forward_call, message);
  atomic_fetch_add(code == SEAMGATE_OK ? &served : &failed, 1); /* after it ran */
  if (code == SEAMGATE_OK && call->wants_gradient) {
    *call->context = context;
  } else {
    free(context->rstd);
    free(context);
  }
  return code;
}

static int32_t seam_backward(void* kept, const seamgate_tensor* upstream, const seamgate_tensor* grads, void* stream, char* message) {
  const context_t* context = (const context_t*)kept;
  seamgate_backward_call call = {0};
  int32_t code;
  call.inputs = context->inputs;
  call.saved = &context->saved;
  call.upstream = upstream;
  call.grads = grads;
  call.workspace_bytes = workspace_bytes(context->rows, context->shapes[1][0], 0);
  call.workspace = malloc((size_t)call.workspace_bytes);
  call.eps = context->eps;
  call.stream = stream;
  code = backward(&call, message);
  free(call.workspace);
  if (code == SEAMGATE_OK) atomic_fetch_add(&backwards, 1);
  return code;
}

static void release(void* kept) {
  free(((context_t*)kept)->rstd);
  free(kept);
}

static void counters(seamgate_counters* into) {
  into->asked = asked;
  into->declined = declined;
  into->served = served;
  into->failed = failed;
  into->backward = backwards;
}

static void reset(void) { asked = declined = served = failed = backwards = 0; }

static const seamgate_seam seam = {.ask = ask,
                                   .backward = seam_backward,
                                   .release = release,
                                   .counters = counters,
                                   .reset = reset,
                                   .switch_name = switch_name,
                                   .off_words = off_words,
                                   .off_word_count = 2,
                                   .on_words = on_words,
                                   .on_word_count = 2};

SEAMGATE_EXPORT const seamgate_library* seamgate_kernel(void);

const seamgate_library* seamgate_kernel(void) {
  static seamgate_kernel_info with_seam[1];
  static seamgate_library described;
  with_seam[0] = kernels[0];
  with_seam[0].seam = &seam;
  described = library;
  described.kernels = with_seam;
  return &described;
}
