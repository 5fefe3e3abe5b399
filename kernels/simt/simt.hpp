// The launch and intrinsic vocabulary of kernels: one source, compiled by nvcc for a GPU and by the host
// compiler for fibers. A kernel file includes this header alone and stays unchanged between the two.
//
//   namespace seamgate::kernels {
//   inline namespace SIMT_BUILD {  // keeps the linker from merging the plain, checked and mutant builds of a
//   template template <class T>
//   __global__ void scale_kernel(const T* in, T* out, int n, float factor) {
//     SIMT_SHARED(float, partial, [32]);     // static shared memory, exact bounds
//     SIMT_DYNAMIC_SHARED(float, tile);      // float* tile: the launch's smem_bytes
//     const int i = blockIdx.x * blockDim.x + threadIdx.x;
//     ...
//   }
//   }}
//   Status status = simt::launch<scale_kernel<float>>(simt::Config{grid, block, 0, stream}, in, out,
//   n, 2.0F);
//
// A launch returns launch_failed, and says grid, block and shared memory, when the configuration is invalid
// or the launch failed; it never throws. On a GPU it is asynchronous; on the host it has finished when it
// returns.
//
// Not available on the host: cp.async, bulk copies, wgmma, inline PTX, cooperative groups, waits between
// blocks. A kernel never calls memcpy (the checked build would not see it).
#pragma once

#if !defined(SIMT_CHECKED)
#define SIMT_CHECKED 0  // 1: this file is compiled with the checker's instrumentation
#endif

#if defined(__CUDACC__)
#if !defined(SIMT_BUILD)
#define SIMT_BUILD cuda
#endif
#include "kernels/simt/cuda_backend.hpp"
#else
#if !defined(SIMT_BUILD)
#if SIMT_CHECKED
#define SIMT_BUILD checked
#else
#define SIMT_BUILD plain
#endif
#endif
#include "kernels/simt/host_backend.hpp"
#endif

#include "kernels/simt/scalar_types.hpp"
