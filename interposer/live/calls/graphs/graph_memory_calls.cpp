// What graphs allocate, as the device counts it: what is used is what it gave.
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
  const PoolRoom& room = driver().graph_memory.room;
  const cuuint64_t bytes = high ? room.most_reserved() : room.reserved();
  std::memcpy(value, &bytes, sizeof bytes);
}

void cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
  check_device(device);
  require(attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH);
  cuuint64_t bytes = 0;
  std::memcpy(&bytes, value, sizeof bytes);
  require(bytes == 0);
  driver().graph_memory.room.forget_most_reserved();
}

void cuDeviceGraphMemTrim(CUdevice device) {
  check_device(device);
  driver().graph_memory.room.trim(0);
}

}  // namespace wedjat::live::calls
