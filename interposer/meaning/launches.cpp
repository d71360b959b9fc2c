#include "interposer/meaning/launches.h"

namespace wedjat::interposer {

void set_attribute(device::LaunchConfig& config, CUlaunchAttributeID id,
                   const CUlaunchAttributeValue& value) {
  if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) config.cooperative = value.cooperative != 0;
  if (id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) return;
  config.cluster[0] = value.clusterDim.x;
  config.cluster[1] = value.clusterDim.y;
  config.cluster[2] = value.clusterDim.z;
}

device::LaunchConfig launch_config(const CUlaunchConfig& wanted,
                                   std::span<const CUlaunchAttribute> attributes) {
  device::LaunchConfig config{{wanted.gridDimX, wanted.gridDimY, wanted.gridDimZ},
                              {wanted.blockDimX, wanted.blockDimY, wanted.blockDimZ},
                              {1, 1, 1},
                              wanted.sharedMemBytes};
  for (const CUlaunchAttribute& attribute : attributes) set_attribute(config, attribute.id, attribute.value);
  return config;
}

device::LaunchConfig launch_config(const CUDA_KERNEL_NODE_PARAMS& kernel) {
  return {{kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ},
          {kernel.blockDimX, kernel.blockDimY, kernel.blockDimZ},
          {1, 1, 1},
          kernel.sharedMemBytes};
}

}  // namespace wedjat::interposer
