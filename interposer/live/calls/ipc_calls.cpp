// Memory and events that several processes share.
#include <unistd.h>

#include <cstring>
#include <utility>

#include "interposer/live/state/driver.h"
#include "interposer/live/state/streams.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

// What the bytes of a handle hold.
template <class Content, class Handle>
Content content_of(const Handle& handle) {
  static_assert(sizeof(Content) <= sizeof handle.reserved);
  Content content{};
  std::memcpy(&content, handle.reserved, sizeof content);
  return content;
}
template <class Handle, class Content>
void fill(Handle& handle, const Content& content) {
  static_assert(sizeof(Content) <= sizeof handle.reserved);
  handle = {};
  std::memcpy(handle.reserved, &content, sizeof content);
}

// Work is done when it is asked for, so an event of another process has nothing that anybody waits for.
struct EventName {
  static constexpr std::uint64_t known = 0x31544e5645414457;  // "WDAEVNT1"
  std::uint64_t magic = 0;
  std::int64_t process = 0;
  std::uint64_t event = 0;
};

struct PointerName {
  SharedPages::Name memory;
  std::uint64_t pool = 0;  // the file of its token
};

Allocation& opened(std::shared_ptr<SharedPages> pages, const char* label) {
  if (Allocation* const known = driver().memory.imported(*pages)) {
    ++known->openings;
    return *known;
  }
  return driver().memory.add_imported(context(), std::move(pages), label);
}

}  // namespace

void cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr address) {
  Allocation* const memory = driver().memory.find(address);
  require(handle != nullptr && memory != nullptr && memory->kind == MemoryKind::device &&
          memory->pool == nullptr && memory->openings == 0);
  fill(*handle, driver().memory.share(*memory).name());
}

void cuIpcOpenMemHandle(CUdeviceptr* address, CUipcMemHandle handle, unsigned flags) {
  require(address != nullptr && (flags & CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) != 0);
  const auto name = content_of<SharedPages::Name>(handle);
  require(name.is_one());
  require(name.process != ::getpid(), CUDA_ERROR_INVALID_CONTEXT);
  auto pages = SharedPages::find(name);
  require(pages != nullptr, CUDA_ERROR_NOT_PERMITTED);
  *address = opened(std::move(pages), "cuIpcOpenMemHandle").address;
}

void cuIpcCloseMemHandle(CUdeviceptr address) {
  Allocation* const memory = driver().memory.starting(address);
  require(memory != nullptr && memory->openings != 0);
  if (--memory->openings != 0) return;
  show_printed(context());
  memory->openings = 1;  // so that it is known for another process's while it goes
  driver().memory.free(*memory);
}

void cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event) {
  require(handle != nullptr && event != nullptr);
  const CUevent_st& known = driver().events.at(event, CUDA_ERROR_INVALID_HANDLE);
  require((known.flags & CU_EVENT_INTERPROCESS) != 0 && !known.imported, CUDA_ERROR_INVALID_HANDLE);
  fill(*handle, EventName{EventName::known, ::getpid(), number(event)});
}

void cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle) {
  const auto name = content_of<EventName>(handle);
  require(event != nullptr);
  require(name.magic == EventName::known, CUDA_ERROR_MAP_FAILED);
  require(name.process != ::getpid(), CUDA_ERROR_INVALID_CONTEXT);
  cuEventCreate(event, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS);
  driver().events.at(*event, CUDA_ERROR_INVALID_HANDLE).imported = true;
}

void cuMemPoolExportToShareableHandle(void* descriptor, CUmemoryPool handle, CUmemAllocationHandleType type,
                                      unsigned long long flags) {
  CUmemPoolHandle_st& pool = pool_at(handle);
  require(descriptor != nullptr && flags == 0 && type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR &&
          pool.may_be_shared && !pool.imported);
  if (!pool.token) pool.token = SharedPages::make(1);
  const int made = pool.token ? pool.token->descriptor() : -1;
  require(made >= 0, CUDA_ERROR_OUT_OF_MEMORY);
  std::memcpy(descriptor, &made, sizeof made);
}

void cuMemPoolImportFromShareableHandle(CUmemoryPool* handle, void* descriptor,
                                        CUmemAllocationHandleType type, unsigned long long flags) {
  require(handle != nullptr && flags == 0);
  auto pool = std::make_unique<CUmemPoolHandle_st>();
  pool->token = pages_of(descriptor, type);
  pool->imported = true;
  *handle = driver().pools.add(std::move(pool));
}

void cuMemPoolExportPointer(CUmemPoolPtrExportData* data, CUdeviceptr address) {
  Allocation* const memory = driver().memory.starting(address);
  require(data != nullptr && memory != nullptr && memory->pool != nullptr);
  CUmemPoolHandle_st& pool = pool_at(memory->pool);
  require(pool.may_be_shared && !pool.imported);
  if (!pool.token) pool.token = SharedPages::make(1);
  require(pool.token != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  fill(*data, PointerName{driver().memory.share(*memory).name(), pool.token->file()});
}

void cuMemPoolImportPointer(CUdeviceptr* address, CUmemoryPool handle, CUmemPoolPtrExportData* data) {
  const CUmemPoolHandle_st& pool = pool_at(handle);
  require(address != nullptr && data != nullptr && pool.imported);
  const auto name = content_of<PointerName>(*data);
  require(name.pool == pool.token->file() && name.memory.process != ::getpid());
  auto pages = SharedPages::find(name.memory);
  require(pages != nullptr);
  Allocation& memory = opened(std::move(pages), "cuMemPoolImportPointer");
  memory.pool = handle;
  *address = memory.address;
}

}  // namespace wedjat::live::calls
