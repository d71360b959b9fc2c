// Contexts, and which one is current.
#include <algorithm>

#include "interposer/live/state/driver.h"
#include "interposer/live/state/perform.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

void check_flags(unsigned flags) {
  const unsigned waiting = flags & CU_CTX_SCHED_MASK;
  require((flags & ~unsigned{CU_CTX_FLAGS_MASK}) == 0 && (waiting & (waiting - 1)) == 0);
}

CUctx_st& of(CUcontext handle) {
  return handle == nullptr ? context() : context_at(handle, CUDA_ERROR_INVALID_CONTEXT);
}

void create(CUcontext* made, unsigned flags, CUdevice device) {
  check_flags(flags);
  check_device(device);
  *made = &make_context(flags);
  context_stack().push_back(*made);
}

std::size_t& limit_at(CUlimit limit) {
  require(limit >= CU_LIMIT_STACK_SIZE && limit < CU_LIMIT_MAX);
  const auto found = context().limits.find(static_cast<int>(limit));
  require(found != context().limits.end(), CUDA_ERROR_UNSUPPORTED_LIMIT);
  return found->second;
}

// What a limit becomes, as an H100 rounds it.
std::size_t rounded_limit(CUlimit limit, std::size_t value) {
  constexpr std::size_t least_heap = std::size_t{4} << 20, least_printf = 512 * 1024, stack_step = 16;
  const auto up = [](std::size_t size, std::size_t step) { return (size + step - 1) / step * step; };
  switch (limit) {
    case CU_LIMIT_STACK_SIZE:
      return up(value, stack_step);
    case CU_LIMIT_PRINTF_FIFO_SIZE:
      return std::max(value, least_printf);
    case CU_LIMIT_MALLOC_HEAP_SIZE:
      return std::max(value, least_heap);
    case CU_LIMIT_PERSISTING_L2_CACHE_SIZE:  // by sixteenths of the cache
      return up(value,
                static_cast<std::size_t>(profile().attributes.at(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)) / 16);
    default:
      return value;
  }
}

void drop_primary() {
  Driver& state = driver();
  if (state.primary != nullptr) destroy_context(*state.primary);
  state.primary = nullptr;
  state.primary_uses = 0;
}

}  // namespace

void cuCtxCreate(CUcontext* made, unsigned flags, CUdevice device) { create(made, flags, device); }

void cuCtxCreate(CUcontext* made, CUexecAffinityParam*, int affinities, unsigned flags, CUdevice device) {
  require(affinities == 0, CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
  create(made, flags, device);
}

void cuCtxCreate(CUcontext* made, CUctxCreateParams* parameters, unsigned flags, CUdevice device) {
  require(
      parameters == nullptr || (parameters->numExecAffinityParams == 0 && parameters->cigParams == nullptr),
      CUDA_ERROR_NOT_SUPPORTED);
  create(made, flags, device);
}

void cuCtxDestroy(CUcontext handle) {
  require(handle != nullptr);
  CUctx_st& gone = driver().contexts.at(handle, CUDA_ERROR_INVALID_CONTEXT);
  require(handle != driver().primary, CUDA_ERROR_INVALID_CONTEXT);
  if (current_context() == handle) context_stack().pop_back();
  destroy_context(gone);
}

void cuCtxPushCurrent(CUcontext handle) {
  require(handle != nullptr);
  context_at(handle, CUDA_ERROR_INVALID_CONTEXT);
  context_stack().push_back(handle);
}

void cuCtxPopCurrent(CUcontext* popped) {
  require(current_context() != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  if (popped != nullptr) *popped = current_context();
  context_stack().pop_back();
}

void cuCtxSetCurrent(CUcontext handle) {
  std::vector<CUcontext>& stack = context_stack();
  if (handle != nullptr) context_at(handle, CUDA_ERROR_INVALID_CONTEXT);
  if (!stack.empty()) stack.pop_back();
  if (handle != nullptr) stack.push_back(handle);
}

void cuCtxGetCurrent(CUcontext* handle) { *handle = current_context(); }

void cuCtxGetDevice(CUdevice* device) { *device = 0; }

void cuCtxGetDevice(CUdevice* device, CUcontext handle) {
  of(handle);
  *device = 0;
}

void cuCtxGetFlags(unsigned* flags) {
  *flags = context().flags | (green_of(current_context()) ? unsigned{CU_CTX_MAP_HOST} : 0);
}

void cuCtxSetFlags(unsigned flags) {
  check_flags(flags);
  context().flags = flags;
}

// Shared memory has banks of four bytes, whatever a program wants.
void cuCtxGetSharedMemConfig(CUsharedconfig* config) { *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE; }
void cuCtxSetSharedMemConfig(CUsharedconfig config) {
  require(config >= CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE &&
          config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE);
}

// There is no cache.
void cuCtxResetPersistingL2Cache() {}

void cuCtxGetId(CUcontext handle, unsigned long long* id) {
  if (handle == nullptr) unharmed();
  const CUgreenCtx_st* const green = green_of(handle == nullptr ? current_context() : handle);
  *id = green ? green->id : of(handle).id;
}

void cuCtxGetApiVersion(CUcontext handle, unsigned* version) {
  of(handle);
  if (handle == nullptr) unharmed();
  *version = 3020;  // of the context's ABI
}

void cuCtxGetLimit(std::size_t* value, CUlimit limit) { *value = limit_at(limit); }

void cuCtxSetLimit(CUlimit limit, std::size_t value) {
  constexpr std::size_t most_stack = 512 * 1024;
  std::size_t& known = limit_at(limit);
  require(limit != CU_LIMIT_STACK_SIZE || value <= most_stack);
  require(limit != CU_LIMIT_PRINTF_FIFO_SIZE || !context().has_printed);
  known = rounded_limit(limit, value);
}

void cuCtxGetCacheConfig(CUfunc_cache* config) { *config = context().cache; }
void cuCtxSetCacheConfig(CUfunc_cache config) {
  require(config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL);
  context().cache = config;
}

// What an H200 answers (recorded).
void cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
}

void cuCtxSynchronize() { waited(context()); }

void cuCtxSynchronize(CUcontext handle) {
  CUctx_st& whole = of(handle);
  unharmed();
  waited(whole);
}

// There is one device: no context is another's peer.
void cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  require(flags == 0);
  context_at(peer, CUDA_ERROR_INVALID_CONTEXT);
  fail(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
}

void cuCtxDisablePeerAccess(CUcontext peer) {
  context_at(peer, CUDA_ERROR_INVALID_CONTEXT);
  fail(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
}

// Of contexts as they were once, which every attaching counted.
void cuCtxAttach(CUcontext* handle, unsigned flags) {
  require(flags == 0);
  context();
  *handle = current_context();
}

void cuCtxDetach(CUcontext handle) {
  require(handle != nullptr && handle == current_context(), CUDA_ERROR_INVALID_CONTEXT);
}

void cuDevicePrimaryCtxRetain(CUcontext* handle, CUdevice device) {
  check_device(device);
  *handle = &retain_primary();
}

void cuDevicePrimaryCtxRelease(CUdevice device) {
  check_device(device);
  require(driver().primary_uses != 0, CUDA_ERROR_INVALID_CONTEXT);
  release_primary();
}

void cuDevicePrimaryCtxReset(CUdevice device) {
  check_device(device);
  drop_primary();
}

void cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  check_device(device);
  check_flags(flags);
  driver().primary_flags = flags;
  if (driver().primary != nullptr) driver().primary->flags = flags;
}

void cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  check_device(device);
  *flags = driver().primary_flags;
  *active = driver().primary != nullptr;
}

}  // namespace wedjat::live::calls
