// Why nothing can run on a GPU here, in one line.
#pragma once

#include <string>

namespace seamgate::gates {

// What the driver and the run time answered. Versions as CUDA has them: 13000 for 13.0; 0: none.
struct GpuAnswer {
  std::string error;        // of cudaGetDeviceCount: "cudaErrorNoDevice, no CUDA-capable device is detected"; empty: none
  int driver = 0;           // the newest CUDA that the driver serves
  int built_with = 0;
  int count = 0;            // visible GPUs
  std::string code_error;   // of asking for one of this program's own kernels; empty: the GPU has code to run
  std::string capability;   // of the first GPU: "9.0"
  std::string built_for;    // architectures: "80-virtual;90-real"
};

// Empty when a GPU can be used.
std::string why_no_gpu(const GpuAnswer& answer);

// Asks. Where there is a GPU it makes a context: to be called with its lease in hand. "not built ..." in a build without CUDA.
std::string why_no_gpu();

}  // namespace seamgate::gates
