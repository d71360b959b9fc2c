// Green contexts: parts of the device's multiprocessors. Which of them a kernel runs on changes no result, so
// all that they limit is how many CTAs are resident at once.
#include <algorithm>
#include <chrono>

#include "device_limits.h"
#include "interposer/live/state/driver.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

CUgreenCtx_st& green_at(CUgreenCtx handle) {
  return driver().green_contexts.at(handle, CUDA_ERROR_INVALID_CONTEXT);
}

CUdevResource units(unsigned count, unsigned least, unsigned alignment) {
  CUdevResource made{};
  made.type = count == 0 ? CU_DEV_RESOURCE_TYPE_INVALID : CU_DEV_RESOURCE_TYPE_SM;
  if (count != 0) made.sm = {count, least, alignment};
  return made;
}

// With clusters, which want multiprocessors that lie together; and without.
constexpr unsigned together = 8, alone = 2;

CUdevResource whole_device() { return units(limits::multiprocessors, together, together); }

void check_type(CUdevResourceType type) {
  require(type == CU_DEV_RESOURCE_TYPE_SM, CUDA_ERROR_INVALID_RESOURCE_TYPE);
}

}  // namespace

void cuDeviceGetDevResource(CUdevice device, CUdevResource* resource, CUdevResourceType type) {
  check_device(device);
  check_type(type);
  *resource = whole_device();
}

void cuCtxGetDevResource(CUcontext handle, CUdevResource* resource, CUdevResourceType type) {
  named_context(handle);
  check_type(type);
  unharmed();
  const CUgreenCtx_st* const green = green_of(handle);
  *resource = green ? green->units : whole_device();
}

void cuGreenCtxGetDevResource(CUgreenCtx green, CUdevResource* resource, CUdevResourceType type) {
  check_type(type);
  *resource = green_at(green).units;
}

void cuDevSmResourceSplitByCount(CUdevResource* result, unsigned* groups, const CUdevResource* input,
                                 CUdevResource* remaining, unsigned flags, unsigned least) {
  check_type(input->type);
  const unsigned all = input->sm.smCount;
  require(least <= all, CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
  require(result == nullptr || *groups != 0);
  const bool apart = (flags & CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING) != 0;
  require(!apart || (flags & CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE) == 0);
  const unsigned step = apart ? alone : together;
  // All of it is a group too, though no multiple. Of the smallest groups fewer fit than numbers say.
  constexpr unsigned most_together = 15;
  const unsigned each = std::min(std::max((least + step - 1) / step, 1u) * step, all);
  const unsigned possible = !apart && each == together ? std::min(all / each, most_together) : all / each;
  if (result == nullptr) {
    *groups = possible;
    return;
  }
  *groups = std::min(*groups, possible);
  std::fill_n(result, *groups, units(each, 0, 0));
  if (remaining != nullptr) *remaining = units(all - *groups * each, 0, 0);
}

void cuDevResourceGenerateDesc(CUdevResourceDesc* description, CUdevResource* resources, unsigned count) {
  require(resources != nullptr && count != 0);
  auto made = std::make_unique<CUdevResourceDesc_st>();
  made->units = resources[0];
  for (unsigned i = 0; i < count; ++i) check_type(resources[i].type);
  for (unsigned i = 1; i < count; ++i) made->units.sm.smCount += resources[i].sm.smCount;
  *description = driver().resource_descriptions.add(std::move(made));
}

void cuGreenCtxCreate(CUgreenCtx* green, CUdevResourceDesc description, CUdevice device, unsigned flags) {
  check_device(device);
  require(flags == CU_GREEN_CTX_DEFAULT_STREAM);
  auto made = std::make_unique<CUgreenCtx_st>();
  made->units = description == nullptr
                    ? whole_device()
                    : driver().resource_descriptions.at(description, CUDA_ERROR_INVALID_VALUE).units;
  made->units.sm.minSmPartitionSize = made->units.sm.smCoscheduledAlignment = together;
  made->primary = &retain_primary();
  made->id = driver().next_context++;
  *green = driver().green_contexts.add(std::move(made));
}

void cuGreenCtxDestroy(CUgreenCtx handle) {
  const CUgreenCtx_st& gone = green_at(handle);
  driver().streams.drop_if([&](const CUstream_st& stream) { return stream.green == handle; });
  const bool primary_is_there = driver().primary == gone.primary;
  driver().green_contexts.drop(handle);
  if (primary_is_there) release_primary();
}

void cuCtxFromGreenCtx(CUcontext* handle, CUgreenCtx green) {
  *handle = reinterpret_cast<CUcontext>(&green_at(green));
}

void cuGreenCtxGetId(CUgreenCtx green, unsigned long long* id) { *id = green_at(green).id; }

// All work of a context is done when it is asked for, and events are of one context.
void cuCtxRecordEvent(CUcontext handle, CUevent event) {
  const CUctx_st& where = named_context(handle);
  unharmed();
  CUevent_st& known = driver().events.at(event, CUDA_ERROR_INVALID_HANDLE);
  require(known.context == &where, CUDA_ERROR_INVALID_HANDLE);
  known.capture = nullptr;
  known.recorded = std::chrono::steady_clock::now();
}
void cuCtxWaitEvent(CUcontext handle, CUevent event) {
  named_context(handle);
  unharmed();
  driver().events.at(event, CUDA_ERROR_INVALID_HANDLE);
}
void cuGreenCtxRecordEvent(CUgreenCtx green, CUevent event) {
  cuCtxRecordEvent(reinterpret_cast<CUcontext>(&green_at(green)), event);
}
void cuGreenCtxWaitEvent(CUgreenCtx green, CUevent event) {
  cuCtxWaitEvent(reinterpret_cast<CUcontext>(&green_at(green)), event);
}

}  // namespace wedjat::live::calls
