// A right RMSNorm on a GPU, forward and backward, in f32 and bf16: the variant torch.
//
//   nvcc -O2 -fmad=false -shared -Xcompiler -fPIC -gencode arch=compute_80,code=compute_80 -I include
//     examples/plugin_cuda/rmsnorm.cu -o librmsnorm_cuda.so
//   seamgate check ./librmsnorm_cuda.so --op rmsnorm
//
//   r = 1 / sqrt(mean(x * x) + eps), xhat = x * r, y = cast(xhat * w)
//   g = gy * w, dx = cast(r * (g - xhat * mean(g * xhat))), dw = cast(sum over rows of gy * xhat)
//
// A block has a row at a time. dw: each block sums its rows into a line of the workspace, and a second kernel
// sums the lines in order, so that the same call gives the same bits. All work goes to the call's stream and
// nothing is allocated.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>

#include "seamgate/kernel.h"

namespace {

constexpr int threads = 256;
constexpr int default_row_blocks = 128;

template <class T>
struct Rows {
  T* first;
  int64_t count, columns, stride;
};

template <class T>
Rows<T> rows_of(const seamgate_tensor& t) {
  Rows<T> rows{static_cast<T*>(seamgate_first(&t)), 1, t.shape[t.rank - 1], t.shape[t.rank - 1]};
  for (int d = t.rank - 2; d >= 0; --d) {
    if (rows.count == 1 && t.shape[d] > 1)
      rows.stride = t.strides[d];  // the innermost dimension that has steps
    rows.count *= t.shape[d];
  }
  return rows;
}

__device__ float to_float(float value) {
  return value;
}
__device__ float to_float(__nv_bfloat16 value) {
  return __bfloat162float(value);
}
__device__ void store(float* to, float value) {
  *to = value;
}
__device__ void store(__nv_bfloat16* to, float value) {
  *to = __float2bfloat16_rn(value);
}

// The sum over the block, the same for every thread, in an order that depends on nothing but the block's
// size.
__device__ float block_sum(float value) {
  __shared__ float partial[threads];
  partial[threadIdx.x] = value;
  __syncthreads();
  for (int step = threads / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  const float sum = partial[0];
  __syncthreads();  // before the next sum writes `partial` again
  return sum;
}

template <class T>
__global__ void rmsnorm_forward(Rows<const T> x, Rows<const T> w, Rows<T> y, float* rstd, float eps) {
  for (int64_t m = blockIdx.x; m < x.count; m += gridDim.x) {
    float squares = 0.0f;
    for (int64_t n = threadIdx.x; n < x.columns; n += threads) {
      const float value = to_float(x.first[m * x.stride + n]);
      squares += value * value;
    }
    const float r = 1.0f / sqrtf(block_sum(squares) / static_cast<float>(x.columns) + eps);
    if (threadIdx.x == 0) rstd[m] = r;
    for (int64_t n = threadIdx.x; n < x.columns; n += threads) {
      store(&y.first[m * y.stride + n], to_float(x.first[m * x.stride + n]) * r * to_float(w.first[n]));
    }
  }
}

// Each block has the rows m, m + gridDim.x, ... and its own line of `lines`, in double; 32 rows at a time are
// summed in f32.
template <class T>
__global__ void rmsnorm_backward_rows(Rows<const T> x, Rows<const T> w, Rows<const T> gy, const float* rstd,
                                      Rows<T> dx, double* lines) {
  double* line = lines + blockIdx.x * x.columns;
  float* level = reinterpret_cast<float*>(lines + gridDim.x * x.columns) + blockIdx.x * x.columns;
  for (int64_t n = threadIdx.x; n < x.columns; n += threads) {
    line[n] = 0.0;
    level[n] = 0.0f;
  }
  int rows_in_level = 0;
  for (int64_t m = blockIdx.x; m < x.count; m += gridDim.x) {
    const float r = rstd[m];
    float products = 0.0f;
    for (int64_t n = threadIdx.x; n < x.columns; n += threads) {
      const float g = to_float(gy.first[m * gy.stride + n]);
      products += g * to_float(w.first[n]) * (to_float(x.first[m * x.stride + n]) * r);
    }
    const float mean = block_sum(products) / static_cast<float>(x.columns);
    const bool full = ++rows_in_level == 32;
    if (full) rows_in_level = 0;
    for (int64_t n = threadIdx.x; n < x.columns; n += threads) {
      const float g = to_float(gy.first[m * gy.stride + n]);
      const float xhat = to_float(x.first[m * x.stride + n]) * r;
      if (dx.first != nullptr)
        store(&dx.first[m * dx.stride + n], r * (g * to_float(w.first[n]) - xhat * mean));
      level[n] += g * xhat;
      if (full) {
        line[n] += level[n];
        level[n] = 0.0f;
      }
    }
  }
  for (int64_t n = threadIdx.x; n < x.columns; n += threads) line[n] += level[n];
}

template <class T>
__global__ void rmsnorm_backward_columns(const double* lines, int count, int64_t columns, T* dw) {
  const int64_t n = blockIdx.x * static_cast<int64_t>(threads) + threadIdx.x;
  if (n >= columns) return;
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += lines[i * columns + n];
  store(&dw[n], static_cast<float>(sum));
}

int32_t refuse(char* message, int32_t code, const char* text) {
  snprintf(message, SEAMGATE_MESSAGE_BYTES, "%s", text);
  return code;
}

int32_t launched(char* message) {
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? SEAMGATE_OK
                              : refuse(message, SEAMGATE_LAUNCH_FAILED, cudaGetErrorString(error));
}

int32_t check(const seamgate_tensor& x, float eps, char* message) {
  if (!(eps > 0.0f) || isinf(eps)) return refuse(message, SEAMGATE_INVALID, "eps is not positive and finite");
  for (int d = 0; d < x.rank; ++d) {
    if (x.shape[d] == 0)
      return refuse(message, SEAMGATE_UNSUPPORTED, "x is empty; at least one element is needed");
  }
  return SEAMGATE_OK;
}

int row_blocks_of(int64_t rows, int32_t asked) {
  const int64_t blocks = asked > 0 ? asked : default_row_blocks;
  return static_cast<int>(blocks < rows ? blocks : rows);
}

template <class T>
int32_t forward_as(const seamgate_forward_call* call, char* message) {
  const auto x = rows_of<const T>(call->inputs[0]);
  const auto blocks = static_cast<unsigned>(x.count < 65535 ? x.count : 65535);
  rmsnorm_forward<T><<<blocks, threads, 0, static_cast<cudaStream_t>(call->stream)>>>(
      x, rows_of<const T>(call->inputs[1]), rows_of<T>(call->outputs[0]),
      static_cast<float*>(seamgate_first(&call->saved[0])), call->eps);
  return launched(message);
}

template <class T>
int32_t backward_as(const seamgate_backward_call* call, char* message) {
  const auto x = rows_of<const T>(call->inputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  auto* lines = static_cast<double*>(call->workspace);
  const int blocks = row_blocks_of(x.count, call->row_blocks);
  rmsnorm_backward_rows<T><<<blocks, threads, 0, stream>>>(
      x, rows_of<const T>(call->inputs[1]), rows_of<const T>(call->upstream[0]),
      static_cast<const float*>(seamgate_first(&call->saved[0])), rows_of<T>(call->grads[0]), lines);
  auto* dw = static_cast<T*>(seamgate_first(&call->grads[1]));
  if (dw != nullptr) {
    const auto columns_blocks = static_cast<unsigned>((x.columns + threads - 1) / threads);
    rmsnorm_backward_columns<T><<<columns_blocks, threads, 0, stream>>>(lines, blocks, x.columns, dw);
  }
  return launched(message);
}

int32_t forward(const seamgate_forward_call* call, char* message) {
  const int32_t code = check(call->inputs[0], call->eps, message);
  if (code != SEAMGATE_OK) return code;
  return call->inputs[0].dtype == SEAMGATE_F32 ? forward_as<float>(call, message)
                                               : forward_as<__nv_bfloat16>(call, message);
}

int32_t backward(const seamgate_backward_call* call, char* message) {
  const int32_t code = check(call->inputs[0], call->eps, message);
  if (code != SEAMGATE_OK) return code;
  return call->inputs[0].dtype == SEAMGATE_F32 ? backward_as<float>(call, message)
                                               : backward_as<__nv_bfloat16>(call, message);
}

uint64_t workspace_bytes(int64_t rows, int64_t columns, int32_t row_blocks) {
  return static_cast<uint64_t>(row_blocks_of(rows, row_blocks)) * static_cast<uint64_t>(columns) *
         (sizeof(double) + sizeof(float));
}

const seamgate_dtypes dtypes[] = {{{SEAMGATE_F32, SEAMGATE_F32}, SEAMGATE_F32},
                                  {{SEAMGATE_BF16, SEAMGATE_BF16}, SEAMGATE_BF16}};
const seamgate_variant variants[] = {{"torch", dtypes, 2}};
const seamgate_saved saved[] = {{"rstd", SEAMGATE_PER_ROW}};
const int64_t column_thresholds[] = {threads, 2 * threads};
const int64_t row_thresholds[] = {default_row_blocks, 65535};

seamgate_kernel_info described() {
  seamgate_kernel_info kernel = {};
  kernel.op = "rmsnorm";
  kernel.name = "block_a_row";
  kernel.machine = SEAMGATE_CUDA;
  kernel.contract.variants = variants;
  kernel.contract.variant_count = 1;
  kernel.contract.max_columns = 32768;
  kernel.contract.strided_rows = 1;
  kernel.contract.repeats = SEAMGATE_REPEATS_LAYOUTS;
  kernel.contract.saved = saved;
  kernel.contract.saved_count = 1;
  kernel.contract.column_thresholds = column_thresholds;
  kernel.contract.column_threshold_count = 2;
  kernel.contract.row_thresholds = row_thresholds;
  kernel.contract.row_threshold_count = 2;
  kernel.contract.forward_kernels = "rmsnorm_forward";
  kernel.contract.backward_kernels = "rmsnorm_backward_rows,rmsnorm_backward_columns";
  kernel.contract.forward_launches = 1;
  kernel.contract.backward_launches = 2;
  kernel.forward = forward;
  kernel.backward = backward;
  kernel.workspace_bytes = workspace_bytes;
  return kernel;
}

}  // namespace

extern "C" SEAMGATE_EXPORT const seamgate_library* seamgate_kernel(void) {
  static const seamgate_kernel_info kernels[] = {described()};
  static const seamgate_library library = {
      SEAMGATE_ABI_VERSION, sizeof(seamgate_kernel_info), "cuda example", "1.0", kernels, 1};
  return &library;
}
