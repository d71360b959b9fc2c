// What graphs allocate, as the device counts it. It lies where it lies from when a node is made until its
// graph is destroyed, so nothing can be trimmed.
#include <cstring>

#include "interposer/live/state/driver.h"
#include "live_calls.h"

namespace wedjat::live::calls {

void cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
  check_device(device);
  require(value != nullptr && attribute >= CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT &&
          attribute <= CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH);
  const bool high =
      attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
  const GraphMemory& memory = driver().graph_memory;
  const cuuint64_t bytes = high ? memory.highest : memory.used;
  std::memcpy(value, &bytes, sizeof bytes);
}

void cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
  check_device(device);
  require(attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH);
  cuuint64_t bytes = 0;
  std::memcpy(&bytes, value, sizeof bytes);
  require(bytes == 0);
  driver().graph_memory.highest = driver().graph_memory.used;
}

void cuDeviceGraphMemTrim(CUdevice device) { check_device(device); }

}  // namespace wedjat::live::calls
