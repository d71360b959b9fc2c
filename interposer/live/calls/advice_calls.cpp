// Where managed memory should lie: nobody's concern here, for it is at hand for host and device. What a
// program advised is kept page by page, and told again.
#include <algorithm>
#include <cstring>

#include "interposer/live/state/driver.h"
#include "interposer/live/state/streams.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

constexpr CUdevice on_host = -1, nowhere = -2;  // CU_DEVICE_CPU, CU_DEVICE_INVALID
constexpr std::uint64_t page = 4096;

// The advice of the pages of a range, which must be managed memory.
std::span<Advice> advice_of(CUdeviceptr address, std::size_t size) {
  Allocation* const memory = driver().memory.find(address);
  if (memory == nullptr || memory->kind != MemoryKind::managed) fail(CUDA_ERROR_INVALID_VALUE);
  const std::uint64_t offset = address - memory->address;
  require(size != 0 && size <= memory->size - offset);
  memory->advice.resize((memory->size + page - 1) / page);
  return std::span(memory->advice).subspan(offset / page, (offset + size - 1) / page - offset / page + 1);
}

bool is_here(const CUmemLocation& location) {
  return location.type != CU_MEM_LOCATION_TYPE_DEVICE || location.id == 0;
}

CUmemLocation location_of(CUdevice device) {
  CUmemLocation location{};
  location.type = device == on_host ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
  location.id = device == on_host ? 0 : device;
  return location;
}

void advise(Advice& page_advice, CUmem_advise advice, const AdvisedPlace& place) {
  const bool sets = advice == CU_MEM_ADVISE_SET_READ_MOSTLY || advice == CU_MEM_ADVISE_SET_ACCESSED_BY;
  switch (advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
      page_advice.read_mostly = sets;
      break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
      page_advice.preferred = place;
      break;
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
      page_advice.preferred = {};
      break;
    default:
      (place.type == CU_MEM_LOCATION_TYPE_DEVICE ? page_advice.by_device : page_advice.by_host) = sets;
  }
}

// Of all pages, or nothing where they differ.
template <class Part>
Part common(std::span<const Advice> pages, Part Advice::*part) {
  const Part first = pages.front().*part;
  const bool same = std::ranges::all_of(pages, [&](const Advice& one) { return one.*part == first; });
  return same ? first : Part{};
}

int device_of(const AdvisedPlace& place) {
  if (place.type == CU_MEM_LOCATION_TYPE_INVALID) return nowhere;
  return place.type == CU_MEM_LOCATION_TYPE_DEVICE ? place.id : on_host;
}

int number_of(CUmem_range_attribute attribute, std::span<const Advice> pages) {
  const AdvisedPlace preferred = common(pages, &Advice::preferred),
                     prefetched = common(pages, &Advice::prefetched);
  switch (attribute) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
      return common(pages, &Advice::read_mostly) ? 1 : 0;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
      return device_of(preferred);
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
      return device_of(prefetched);
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
      return preferred.type;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
      return preferred.id;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
      return prefetched.type;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
      return prefetched.id;
    default:
      fail(CUDA_ERROR_INVALID_VALUE);
  }
}

}  // namespace

void cuMemAdvise(CUdeviceptr address, std::size_t size, CUmem_advise advice, CUdevice device) {
  require(advice >= CU_MEM_ADVISE_SET_READ_MOSTLY && advice <= CU_MEM_ADVISE_UNSET_ACCESSED_BY);
  const CUmemLocation where = location_of(device);
  for (Advice& one : advice_of(address, size)) advise(one, advice, {where.type, where.id});
}

void cuMemAdvise(CUdeviceptr address, std::size_t size, CUmem_advise advice, CUmemLocation where) {
  const Allocation* const memory = driver().memory.find(address);
  require(memory == nullptr || memory->pool == nullptr || memory->kind != MemoryKind::managed,
          CUDA_ERROR_NOT_SUPPORTED);  // of pools
  // Only all of the host can be said to access it, not one of its nodes.
  const bool is_node =
      where.type == CU_MEM_LOCATION_TYPE_HOST_NUMA || where.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
  require(!is_node || (advice != CU_MEM_ADVISE_SET_ACCESSED_BY && advice != CU_MEM_ADVISE_UNSET_ACCESSED_BY));
  for (Advice& one : advice_of(address, size)) advise(one, advice, {where.type, where.id});
}

void cuMemPrefetchAsync(CUdeviceptr address, std::size_t size, CUmemLocation where, unsigned,
                        CUstream stream) {
  require(is_here(where), CUDA_ERROR_INVALID_DEVICE);
  check_waitable(stream);  // no graph has such a node
  for (Advice& one : advice_of(address, size)) one.prefetched = {where.type, where.id};
}

void cuMemPrefetchAsync(CUdeviceptr address, std::size_t size, CUdevice device, CUstream stream) {
  require(device == 0 || device == on_host, CUDA_ERROR_INVALID_DEVICE);
  cuMemPrefetchAsync(address, size, location_of(device), 0, stream);
}

void cuMemPrefetchBatchAsync(CUdeviceptr* addresses, std::size_t* sizes, std::size_t count,
                             CUmemLocation* places, std::size_t* from, std::size_t place_count,
                             unsigned long long, CUstream stream) {
  require(addresses != nullptr && sizes != nullptr && count != 0);
  require(places != nullptr && from != nullptr && place_count != 0 && place_count <= count && from[0] == 0);
  for (std::size_t i = 0, place = 0; i < count; ++i) {
    while (place + 1 < place_count && from[place + 1] <= i) ++place;
    require(is_here(places[place]));
    cuMemPrefetchAsync(addresses[i], sizes[i], places[place], 0, stream);
  }
}

// What memory holds that was discarded nobody may ask; it stays.
void cuMemDiscardBatchAsync(CUdeviceptr* addresses, std::size_t* sizes, std::size_t count, unsigned long long,
                            CUstream) {
  require(addresses != nullptr && sizes != nullptr && count != 0);
  for (std::size_t i = 0; i < count; ++i) advice_of(addresses[i], sizes[i]);
}

void cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* addresses, std::size_t* sizes, std::size_t count,
                                       CUmemLocation* places, std::size_t* from, std::size_t place_count,
                                       unsigned long long flags, CUstream stream) {
  cuMemPrefetchBatchAsync(addresses, sizes, count, places, from, place_count, flags, stream);
}

void cuMemRangeGetAttribute(void* data, std::size_t bytes, CUmem_range_attribute attribute,
                            CUdeviceptr address, std::size_t size) {
  const std::span<const Advice> pages = advice_of(address, size);
  if (attribute != CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY) {
    const int number = number_of(attribute, pages);
    require(bytes == sizeof number);
    std::memcpy(data, &number, sizeof number);
    return;
  }
  // A list of places that ends where it is full, or with nowhere.
  require(bytes != 0 && bytes % sizeof(int) == 0);
  std::vector<int> list;
  if (common(pages, &Advice::by_device)) list.push_back(0);
  if (common(pages, &Advice::by_host)) list.push_back(on_host);
  list.resize(bytes / sizeof(int), nowhere);
  std::memcpy(data, list.data(), bytes);
}

void cuMemRangeGetAttributes(void** data, std::size_t* bytes, CUmem_range_attribute* attributes,
                             std::size_t count, CUdeviceptr address, std::size_t size) {
  require(count != 0 && data != nullptr && bytes != nullptr && attributes != nullptr);
  for (std::size_t i = 0; i < count; ++i)
    cuMemRangeGetAttribute(data[i], bytes[i], attributes[i], address, size);
}

}  // namespace wedjat::live::calls
