// The GPUs that CTest has allotted to this test.
#pragma once

#include <string>

namespace seamgate::gates {

// The UUID that an id of ci/gpu's resource specification stands for: "gpu_0b5c_12" is "GPU-0b5c-12", "mig_..." is "MIG-...", and
// a number is an index. Empty for an id that is none of these.
std::string uuid_of_resource(const std::string& id);

// With a resource specification CTest says by CTEST_RESOURCE_GROUP_COUNT and CTEST_RESOURCE_GROUP_<n>_GPUS which GPUs a test
// may use; this process and its children then see those alone, by CUDA_VISIBLE_DEVICES. Without one it changes nothing. To be
// called before anything asks for a GPU. Throws std::invalid_argument for an id that names no GPU.
void take_allotted_gpus();

}  // namespace seamgate::gates
