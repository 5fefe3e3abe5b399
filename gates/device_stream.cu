// Streams, graphs and devices of a GPU, as far as gates need them.
#include "gates/device_stream.hpp"
#include "gates/no_gpu.hpp"

#include <cuda_runtime.h>

#include <exception>
#include <stdexcept>
#include <vector>

namespace seamgate::gates::device {
namespace {

void must(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();  // not sticky: do not leave it to the next caller
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorName(error) + ", " +
                           cudaGetErrorString(error));
}

cudaStream_t stream_of(kernels::Stream stream) {
  return static_cast<cudaStream_t>(stream);
}

__global__ void spin_kernel(std::uint64_t nanoseconds) {
  std::uint64_t begin = 0;
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

}  // namespace

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  (void)cudaGetLastError();
  return 0;
}

int current_device() {
  int index = -1;
  must(cudaGetDevice(&index), "cudaGetDevice");
  return index;
}

void use_device(int index) {
  must(cudaSetDevice(index), "cudaSetDevice");
}

int device_of(const void* address) {
  cudaPointerAttributes attributes{};
  must(cudaPointerGetAttributes(&attributes, address), "cudaPointerGetAttributes");
  return attributes.type == cudaMemoryTypeDevice ? attributes.device : -1;
}

Stream::Stream() {
  cudaStream_t stream = nullptr;
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  handle_ = stream;
}

Stream::~Stream() {
  (void)cudaStreamDestroy(stream_of(handle_));
}

bool Stream::is_non_blocking() const {
  unsigned flags = 0;
  must(cudaStreamGetFlags(stream_of(handle_), &flags), "cudaStreamGetFlags");
  return flags == cudaStreamNonBlocking;
}

bool Stream::is_busy() const {
  return device::is_busy(handle_);
}

void Stream::wait() const {
  must(cudaStreamSynchronize(stream_of(handle_)), "cudaStreamSynchronize");
}

bool is_busy(kernels::Stream stream) {
  const cudaError_t error = cudaStreamQuery(stream_of(stream));
  if (error == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return true;
  }
  must(error, "cudaStreamQuery");
  return false;
}

void keep_busy(kernels::Stream stream, std::int64_t nanoseconds) {
  spin_kernel<<<1, 1, 0, stream_of(stream)>>>(static_cast<std::uint64_t>(nanoseconds));
  must(cudaGetLastError(), "spin_kernel");
}

void copy_rows(kernels::Stream stream, void* to, std::size_t to_pitch, const void* from,
               std::size_t from_pitch, std::size_t row_bytes, std::size_t rows) {
  if (row_bytes == 0 || rows == 0) return;
  if (rows == 1) {
    must(cudaMemcpyAsync(to, from, row_bytes, cudaMemcpyDeviceToDevice, stream_of(stream)),
         "cudaMemcpyAsync");
  } else {
    must(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, row_bytes, rows, cudaMemcpyDeviceToDevice,
                           stream_of(stream)),
         "cudaMemcpy2DAsync");
  }
}

Graph::Graph(const Stream& stream, const std::function<void()>& enqueue) {
  must(cudaStreamBeginCapture(stream_of(stream.handle()), cudaStreamCaptureModeGlobal),
       "cudaStreamBeginCapture");
  std::exception_ptr thrown;
  try {
    enqueue();
  } catch (...) {
    thrown = std::current_exception();
  }
  cudaGraph_t graph = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(stream_of(stream.handle()), &graph);
  graph_ = graph;
  if (ended != cudaSuccess) {
    (void)cudaGetLastError();
    error_ =
        std::string("cudaStreamEndCapture: ") + cudaGetErrorName(ended) + ", " + cudaGetErrorString(ended);
  }
  if (thrown) {
    if (graph != nullptr) (void)cudaGraphDestroy(graph);
    std::rethrow_exception(thrown);
  }
  if (!error_.empty()) return;
  std::size_t count = 0;
  must(cudaGraphGetNodes(graph, nullptr, &count), "cudaGraphGetNodes");
  std::vector<cudaGraphNode_t> nodes(count);
  must(cudaGraphGetNodes(graph, nodes.data(), &count), "cudaGraphGetNodes");
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    must(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType");
    if (type == cudaGraphNodeTypeKernel) {
      ++nodes_.kernels;
    } else if (type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset) {
      ++nodes_.copies;
    } else if (type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree) {
      ++nodes_.allocations;
    } else {
      ++nodes_.others;
    }
  }
  cudaGraphExec_t executable = nullptr;
  const cudaError_t made = cudaGraphInstantiate(&executable, graph, 0);
  executable_ = executable;
  if (made == cudaSuccess) return;
  (void)cudaGetLastError();
  error_ = std::string("cudaGraphInstantiate: ") + cudaGetErrorName(made) + ", " + cudaGetErrorString(made);
}

Graph::~Graph() {
  if (executable_ != nullptr) (void)cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(executable_));
  if (graph_ != nullptr) (void)cudaGraphDestroy(static_cast<cudaGraph_t>(graph_));
}

void Graph::replay(const Stream& stream) const {
  must(cudaGraphLaunch(static_cast<cudaGraphExec_t>(executable_), stream_of(stream.handle())),
       "cudaGraphLaunch");
}

std::string allocate_in_capture(const Stream& stream) {
  std::string answer;
  const Graph refused(stream, [&answer] {
    void* data = nullptr;
    const cudaError_t error = cudaMalloc(&data, 256);
    (void)cudaGetLastError();
    answer = error == cudaSuccess ? "allowed" : cudaGetErrorName(error);
    if (error == cudaSuccess) (void)cudaFree(data);
  });
  return answer;
}

}  // namespace seamgate::gates::device

namespace seamgate::gates {
namespace {

std::string in_words(cudaError_t error) {
  if (error == cudaSuccess) return {};
  (void)cudaGetLastError();
  return std::string(cudaGetErrorName(error)) + ", " + cudaGetErrorString(error);
}

}  // namespace

std::string why_no_gpu() {
  GpuAnswer answer;
  answer.built_with = CUDART_VERSION;
  answer.built_for = SEAMGATE_CUDA_ARCHITECTURES;
  (void)cudaDriverGetVersion(&answer.driver);
  answer.error = in_words(cudaGetDeviceCount(&answer.count));
  if (answer.error.empty() && answer.count > 0) {
    cudaFuncAttributes attributes{};
    answer.code_error = in_words(cudaFuncGetAttributes(&attributes, device::spin_kernel));
    int major = 0;
    int minor = 0;
    (void)cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    (void)cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    answer.capability = std::to_string(major) + "." + std::to_string(minor);
  }
  return why_no_gpu(answer);
}

}  // namespace seamgate::gates
