/* The C interface of a kernel that seamgate judges: `seamgate check ./libmine.so --op rmsnorm`.
 *
 * A shared library exports one function, seamgate_kernel(), which returns a description of its kernels. Include this file
 * and link nothing. C99 and C++; docs/guide.md goes from nothing to a verdict, examples/plugin_c/rmsnorm.c is a whole library.
 *
 * What an op computes. M rows of N columns: the last dimension is the columns, all dimensions before it are rows. mean() is over
 * a row; gy is the upstream gradient of y, and so on. Arithmetic is f32 or better inside, inputs are converted on entry, and the
 * result is rounded once, to nearest even, where cast() stands; in f32 a cast does nothing. A backward is computed in f32 and
 * rounded once at its end, dx to x's type and dw to w's; casts differentiate as identity.
 *
 *   rmsnorm      inputs x [M, N], w [N]; output y [M, N]
 *     r = 1 / sqrt(mean(x * x) + eps), xhat = x * r
 *     torch  y = cast(xhat * w), of x's type                           llama  y = w * cast(xhat), of the wider type of x and w
 *     t5     as llama, of w's type and with xhat cast to it            gemma  y = cast(xhat * (1 + w)), of x's type
 *     burn   y = cast(x / cast(sqrt(mean(x * x) + eps))) * w, each step cast; x and w of one type          seed  torch in f32
 *     g = gy * w (gemma: gy * (1 + w)), dx = r * (g - xhat * mean(g * xhat))
 *     dw = sum over rows of gy * xhat (llama and t5: of cast(xhat))
 *   swiglu       inputs a, b [M, N] of one type; output y [M, N]
 *     s = 1 / (1 + exp(-a)); default: y = cast(a * s * b); hf: y = cast(cast(a * s) * b)
 *     da = gy * b * s * (1 + a * (1 - s)), db = gy * a * s
 *   add_rmsnorm  inputs x, residual [M, N] of one type, w [N]; outputs y, sum [M, N]
 *     sum = cast(x + residual), y = rmsnorm torch of (the cast) sum and w
 *     dx = dresidual = dx of that rmsnorm + gsum, dw of that rmsnorm
 *
 * Infinities, NaN and zeros are as IEEE arithmetic has them, row by row. A sum of squares beyond f32 is infinite, so that r = 0
 * and y = dx = 0 there, however wide the kernel's own sum is.
 *
 * What is right. The result of the same formula in float128 is the truth. In f32 an error of 1e-6 of S passes, where S is a scale
 * of the terms that meet: for y the largest |y| of the row, for dx of the row likewise with magnitudes, for dw of the column's
 * root of the sum of squared terms. In 16 bits the result has to be the rounding of something that near.
 *
 * Every struct may be written with designated initialisers; what is not named is zero, and zero is the strictest or the
 * commonest choice unless a comment says that a field must be given. Everything that is described must live as long as the
 * library is loaded and may not change.
 */
#ifndef SEAMGATE_KERNEL_H
#define SEAMGATE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SEAMGATE_ABI_VERSION 1
#define SEAMGATE_MAX_TENSORS 4    /* of one kind: inputs, outputs, saved */
#define SEAMGATE_MESSAGE_BYTES 256

#if defined(_WIN32)
#define SEAMGATE_EXPORT __declspec(dllexport)
#else
#define SEAMGATE_EXPORT __attribute__((visibility("default")))
#endif

/* Element types. bf16 and f16 are two bytes; zero is none of them, so that a forgotten one is noticed. */
enum { SEAMGATE_F32 = 1, SEAMGATE_BF16 = 2, SEAMGATE_F16 = 3 };

/* What a function of a kernel returns. Anything but SEAMGATE_OK needs one line in `message`, which says what was given and
 * what is allowed; nothing may have been written then. `message` has room for SEAMGATE_MESSAGE_BYTES, the zero included. */
enum {
  SEAMGATE_OK = 0,
  SEAMGATE_INVALID = 1,       /* the call makes no sense: an eps that is not positive, a null pointer */
  SEAMGATE_UNSUPPORTED = 2,   /* it does, and this kernel does not serve it */
  SEAMGATE_LAUNCH_FAILED = 3, /* it was served, and something went wrong */
  SEAMGATE_DECLINED = 4       /* of seamgate_seam.ask alone: somebody else has to do it; `message` is the reason */
};

/* A borrowed tensor, after DLPack. Element (i, j, ...) is at (char*)data + byte_offset + (i * strides[0] + j * strides[1] +
 * ...) * element size. Strides are in elements. Where a field's comment says so, a null `data` means "not wanted". */
typedef struct seamgate_tensor {
  void* data;
  int32_t dtype;
  int32_t rank;
  const int64_t* shape;
  const int64_t* strides;
  uint64_t byte_offset; /* not always zero */
} seamgate_tensor;

/* Where the first element is. */
static inline void* seamgate_first(const seamgate_tensor* tensor) {
  return tensor->data == NULL ? NULL : (void*)((char*)tensor->data + tensor->byte_offset);
}

/* The device of a GPU kernel's tensors is current at every call, and has to be current at its return. No call may change anything of
 * the process (environment, rounding mode, signals, working directory) or its own arguments: seamgate puts it back and says so.
 *
 * One forward. Tensors are in the op's order (docs/guide.md): rmsnorm has inputs x [rows.., columns] and w [columns], output
 * y like x. All are on the kernel's machine. `row_blocks` is how many blocks may share a sum over rows; 0 leaves it open, and
 * a kernel that has no such thing ignores it. Work is queued on `stream`, a cudaStream_t for a GPU kernel (null: the default
 * stream), or is done at the return. */
typedef struct seamgate_forward_call {
  const seamgate_tensor* inputs;  /* read only */
  const seamgate_tensor* outputs; /* every element written, nothing else */
  const seamgate_tensor* saved;   /* contract.saved, f32, for the backward: every element written */
  const char* variant;
  float eps; /* 0 where the op has none */
  int32_t row_blocks;
  void* stream;
} seamgate_forward_call;

/* One backward of such a forward. `grads` are like the inputs, with strides of their own where strided rows are served, each
 * written whole and never read; null `data`: not wanted, and not to be written. `upstream` are the gradients of the outputs, with strides of their own. `outputs` are as the
 * forward wrote them where contract.outputs_for_backward asks for them, else their `data` is null. */
typedef struct seamgate_backward_call {
  const seamgate_tensor* inputs;
  const seamgate_tensor* outputs;
  const seamgate_tensor* saved;
  const seamgate_tensor* upstream;
  const seamgate_tensor* grads;
  void* workspace; /* seamgate_kernel_info.workspace_bytes, aligned to 16; holds anything */
  uint64_t workspace_bytes;
  const char* variant;
  float eps;
  int32_t row_blocks;
  void* stream;
} seamgate_backward_call;

/* ---- the contract: what the kernel serves and promises, and by which it is judged ------------------------------------- */

/* Nothing outside the contract is asked of forward and backward, but what `empty` and `bad_eps` say. */

/* One combination of element types: one for each input of the op, in order, and that of the outputs. */
typedef struct seamgate_dtypes {
  int32_t inputs[SEAMGATE_MAX_TENSORS];
  int32_t output;
} seamgate_dtypes;

/* A variant of the op (`seamgate list`), with the combinations that are served in it. */
typedef struct seamgate_variant {
  const char* name;
  const seamgate_dtypes* dtypes;
  int32_t dtype_count;
} seamgate_variant;

/* A statistic that the forward leaves for the backward: f32, one value per row, per column, or per element. */
enum { SEAMGATE_PER_ROW = 1, SEAMGATE_PER_COLUMN = 2, SEAMGATE_PER_ELEMENT = 3 };
typedef struct seamgate_saved {
  const char* name;
  int32_t extent;
} seamgate_saved;

/* Which bits come again. Must be given. */
enum {
  SEAMGATE_REPEATS_ROWS = 1,   /* outputs and gradients with one value an element: from run to run, whatever the other rows
                                  hold and however many they are. A sum over rows may differ, within the bar (atomics) */
  SEAMGATE_REPEATS_RUNS = 2,   /* and a sum over rows from run to run, for one shape and row_blocks */
  SEAMGATE_REPEATS_LAYOUTS = 3 /* and no stride, offset or alignment changes a bit */
};

/* What the functions do when asked for what no seam would ask them. */
enum {
  SEAMGATE_REFUSES = 0,  /* return SEAMGATE_INVALID or SEAMGATE_UNSUPPORTED, with a message, and write nothing */
  SEAMGATE_SERVES = 1,   /* `empty` alone: no rows or no columns are served; a sum over no rows is +0 */
  SEAMGATE_NOT_ASKED = 2 /* anything; the caller has to look before */
};

typedef struct seamgate_contract {
  const seamgate_variant* variants; /* must be given */
  int32_t variant_count;
  int64_t max_columns;    /* must be given: the widest row that is served */
  int64_t max_elements;   /* rows * columns; 0: no limit */
  int32_t least_rank;     /* 0: 1 */
  int32_t most_rank;      /* 0: 4 */
  int32_t strided_rows;   /* not 0: rows may have padding between them. Columns are adjacent in any case */
  int32_t alignment;      /* bytes by which first elements and rows must be aligned; 0: as the element type */
  int32_t repeats;        /* SEAMGATE_REPEATS_...; must be given */
  int32_t empty;          /* REFUSES, SERVES or NOT_ASKED */
  int32_t bad_eps;        /* an eps that is not positive and finite: REFUSES or NOT_ASKED */
  int32_t in_place;       /* not 0: the first output may be the first input's memory */
  const seamgate_saved* saved;
  int32_t saved_count;
  uint32_t outputs_for_backward; /* bit i: the backward reads output i */
  /* Sizes at which the kernel changes its ways (a vector, a block, another path); the sweeps take one below, at and above. */
  const int64_t* column_thresholds;
  int32_t column_threshold_count;
  const int64_t* row_thresholds;
  int32_t row_threshold_count;
  double bar;             /* 0: 1e-6. Else the largest error of S that the author promises, up to 1e-2, and every screen says that */
  /* Of a GPU kernel, for the witness: parts of the names of its kernels, separated by commas, and launches a call. Null and 0: not
   * told, and nothing about launches is judged. */
  const char* forward_kernels;
  const char* backward_kernels;
  int32_t forward_launches;
  int32_t backward_launches;
} seamgate_contract;

/* ---- the author's own seam (optional) ---------------------------------------------------------------------------------- */

/* What the seam counted since the start or its last reset. At rest asked == declined + served + failed. */
typedef struct seamgate_counters {
  uint64_t asked;
  uint64_t declined;
  uint64_t served;
  uint64_t failed;
  uint64_t backward;
} seamgate_counters;

/* One module forward. `wants_gradient`: somebody is going to ask for a backward; the seam then leaves in *context what that
 * needs. Inputs, outputs and what the context holds live until release(). */
typedef struct seamgate_ask_call {
  const seamgate_tensor* inputs;
  const seamgate_tensor* outputs;
  const char* variant;
  float eps;
  int32_t wants_gradient;
  void** context;
  void* stream;
} seamgate_ask_call;

/* A seam is what a model calls: it looks at its inputs and at a switch, and serves the call with the kernel or declines. The
 * contract is the table of what it has to serve; it has to decline, with a reason, whatever else it is asked: other variants or types, more
 * columns or elements, other ranks, rows that are not served as they lie, empty tensors unless those are served. */
typedef struct seamgate_seam {
  /* SEAMGATE_OK: served. SEAMGATE_DECLINED: nothing was written and the caller computes it otherwise. */
  int32_t (*ask)(const seamgate_ask_call* call, char* message);
  /* `grads` as in seamgate_backward_call. */
  int32_t (*backward)(void* context, const seamgate_tensor* upstream, const seamgate_tensor* grads, void* stream, char* message);
  void (*release)(void* context); /* called once for each context that is not null */
  void (*counters)(seamgate_counters* counters);
  void (*reset)(void);
  const char* switch_name;       /* the environment variable that makes it decline; read at every ask */
  const char* const* off_words;  /* values that decline */
  int32_t off_word_count;
  const char* const* on_words;   /* values that serve, as an unset variable does; any other value is SEAMGATE_INVALID */
  int32_t on_word_count;
} seamgate_seam;

/* ---- the library --------------------------------------------------------------------------------------------------------- */

enum { SEAMGATE_CPU = 1, SEAMGATE_CUDA = 2 };

typedef struct seamgate_kernel_info {
  const char* op;   /* `seamgate list` */
  const char* name; /* the kernel's own; tells two of one op apart */
  int32_t machine;  /* SEAMGATE_CPU or SEAMGATE_CUDA: where tensors live */
  seamgate_contract contract;
  int32_t (*forward)(const seamgate_forward_call* call, char* message);
  int32_t (*backward)(const seamgate_backward_call* call, char* message);
  /* Bytes that a backward of these sizes needs, for the largest of the served types; null: none. */
  uint64_t (*workspace_bytes)(int64_t rows, int64_t columns, int32_t row_blocks);
  const seamgate_seam* seam; /* null: it has none */
} seamgate_kernel_info;

typedef struct seamgate_library {
  uint32_t abi_version;  /* SEAMGATE_ABI_VERSION */
  uint32_t kernel_bytes; /* sizeof(seamgate_kernel_info) */
  const char* name;
  const char* version;
  const seamgate_kernel_info* kernels;
  int32_t kernel_count;
} seamgate_library;

/* The one symbol that the library exports. */
SEAMGATE_EXPORT const seamgate_library* seamgate_kernel(void);

#ifdef __cplusplus
}
#endif

#endif /* SEAMGATE_KERNEL_H */
