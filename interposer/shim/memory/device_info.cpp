#include "interposer/shim/memory/device_info.h"

#include <unistd.h>

#include <atomic>
#include <cstring>
#include <vector>

#include "interposer/shim/driver/driver.h"
#include "interposer/shim/events/meta_events.h"
#include "interposer/shim/memory/last_contents.h"

namespace wedjat::interposer {
namespace {

std::atomic<int> told_pid{0};
std::atomic<bool> concurrent{true};

using GetAttribute = CUresult (*)(int*, CUdevice_attribute, CUdevice);

std::vector<int> attributes_of(CUdevice device) {
  std::vector<int> values(CU_DEVICE_ATTRIBUTE_MAX, 0);
  const auto get = real<GetAttribute>(Entry::cuDeviceGetAttribute);
  for (std::size_t i = 1; i < values.size(); ++i) {
    int value = 0;
    if (get && get(&value, static_cast<CUdevice_attribute>(i), device) == CUDA_SUCCESS) values[i] = value;
  }
  return values;
}

void tell(int ordinal, int driver_version, int count) {
  CUdevice device = 0;
  char name[128] = "";
  size_t memory = 0;
  CUuuid uuid{};
  if (const auto get = real<CUresult (*)(CUdevice*, int)>(Entry::cuDeviceGet)) get(&device, ordinal);
  if (const auto get = real<CUresult (*)(char*, int, CUdevice)>(Entry::cuDeviceGetName))
    get(name, sizeof name, device);
  if (const auto get = real<CUresult (*)(size_t*, CUdevice)>(Entry::cuDeviceTotalMem_v2))
    get(&memory, device);
  if (const auto get = real<CUresult (*)(CUuuid*, CUdevice)>(Entry::cuDeviceGetUuid)) get(&uuid, device);
  const std::vector<int> attributes = attributes_of(device);

  wj_device_info event{};
  event.seq = next_sequence();
  event.ordinal = ordinal;
  event.name = name;
  event.driver_version = driver_version;
  event.major_version = attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR];
  event.minor_version = attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR];
  event.total_memory = memory;
  event.uuid = reinterpret_cast<const std::uint8_t*>(uuid.bytes);
  event.attributes = attributes.data();
  event.attribute_count = static_cast<std::uint32_t>(attributes.size());
  wj_emit_device_info(&event);

  if (attributes[CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS] == 0) concurrent.store(false);
  if (ordinal != 0) return;
  traces::StatePage& page = *detail::page;
  std::memcpy(page.device_name, name, sizeof name);
  page.compute_capability.store(static_cast<std::uint64_t>(event.major_version) << 32 |
                                static_cast<std::uint32_t>(event.minor_version));
  page.driver_version.store(static_cast<std::uint64_t>(driver_version));
  page.device_count.store(static_cast<std::uint64_t>(count));
}

}  // namespace

void driver_ready(const Call&) {
  if (told_pid.exchange(::getpid()) == ::getpid()) return;
  int version = 0;
  int count = 0;
  if (const auto get = real<CUresult (*)(int*)>(Entry::cuDriverGetVersion)) get(&version);
  if (const auto get = real<CUresult (*)(int*)>(Entry::cuDeviceGetCount)) get(&count);
  for (int ordinal = 0; ordinal < count; ++ordinal) tell(ordinal, version, count);
  watch_program_end();
}

bool managed_memory_is_concurrent() { return concurrent.load(); }

}  // namespace wedjat::interposer
