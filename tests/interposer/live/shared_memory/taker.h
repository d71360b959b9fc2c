/* The process that is given memory and events of another one. */
#ifndef WEDJAT_LIVE_SHARED_MEMORY_TAKER_H
#define WEDJAT_LIVE_SHARED_MEMORY_TAKER_H

#include "tell.h"

static void take_memory(const struct gifts* gifts, CUfunction store) {
  CUdeviceptr opened = 0, again = 0, inside = 0, base = 0;
  CUipcMemHandle none, other;
  size_t size = 0;
  unsigned value = 0;
  void* parameters[] = {&opened};
  memset(&none, 0, sizeof none);
  TELL(cuIpcOpenMemHandle(NULL, gifts->memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  TELL(cuIpcOpenMemHandle(&opened, none, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  TELL(cuIpcOpenMemHandle(&opened, gifts->memory, 0));
  TELL(cuIpcOpenMemHandle(&opened, gifts->memory, 99));
  TELL(cuIpcOpenMemHandle(&opened, gifts->memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  TELL(cuIpcOpenMemHandle(&again, gifts->memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  TELL_FACT("memory that is opened again lies where it lay", again == opened);
  TELL(cuIpcOpenMemHandle(&inside, gifts->inside, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  TELL_FACT("a place inside is opened as its memory", inside == opened);
  TELL(cuMemGetAddressRange(&base, &size, opened));
  TELL_FACT("it is as large as it was asked for", base == opened && size == SHARED);
  TELL(cuIpcGetMemHandle(&other, opened));
  TELL(cuMemFree(opened));
  TELL(cuMemcpyDtoH(&value, opened, 4));
  TELL_FACT("it holds what the giver stored", value == 1);
  TELL(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  TELL(cuCtxSynchronize());
  TELL(cuIpcCloseMemHandle(opened + 64));
  TELL(cuIpcCloseMemHandle(opened));
  TELL(cuMemcpyDtoH(&value, opened, 4));
  TELL(cuIpcCloseMemHandle(opened));
  TELL(cuIpcCloseMemHandle(opened));
  TELL(cuIpcCloseMemHandle(opened));
  TELL(cuMemcpyDtoH(&value, opened, 4));
  TELL(cuIpcCloseMemHandle(0));
}

static void take_event(const struct gifts* gifts) {
  CUevent event = NULL, plain = NULL;
  CUipcEventHandle none, other;
  float milliseconds = 0;
  memset(&none, 0, sizeof none);
  PREPARE(cuEventCreate(&plain, 0));
  TELL(cuIpcOpenEventHandle(NULL, gifts->event));
  TELL(cuIpcOpenEventHandle(&event, none));
  TELL(cuIpcOpenEventHandle(&event, gifts->event));
  TELL(cuEventQuery(event));
  TELL(cuEventRecord(event, NULL));
  TELL(cuEventSynchronize(event));
  TELL(cuStreamWaitEvent(NULL, event, 0));
  PREPARE(cuEventRecord(plain, NULL));
  TELL(cuEventElapsedTime(&milliseconds, event, plain));
  TELL(cuIpcGetEventHandle(&other, event));
  TELL(cuEventDestroy(event));
}

static void take_pages(int descriptor) {
  CUmemGenericAllocationHandle pages = 0;
  CUmemAllocationProp properties;
  CUdeviceptr window = 0;
  unsigned value = 0;
  int again = -1;
  const CUmemAllocationHandleType type = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  TELL(cuMemImportFromShareableHandle(&pages, (void*)(intptr_t)12345, type));
  TELL(cuMemImportFromShareableHandle(&pages, (void*)(intptr_t)0, type));
  TELL(cuMemImportFromShareableHandle(NULL, (void*)(intptr_t)descriptor, type));
  TELL(cuMemImportFromShareableHandle(&pages, (void*)(intptr_t)descriptor, CU_MEM_HANDLE_TYPE_WIN32));
  TELL(cuMemImportFromShareableHandle(&pages, (void*)(intptr_t)descriptor, type));
  TELL(cuMemGetAllocationPropertiesFromHandle(&properties, pages));
  TELL_FACT("pages keep the kinds of handles that were asked for", properties.requestedHandleTypes == type);
  map_pages(&window, pages);
  TELL(cuMemcpyDtoH(&value, window + PAGES - 4, 4));
  TELL_FACT("pages hold what the giver stored", value == 2);
  TELL(cuMemExportToShareableHandle(&again, pages, type, 0));
  TELL(cuMemUnmap(window, PAGES));
  TELL(cuMemRelease(pages));
}

static void take_pool(int descriptor, struct gifts* gifts) {
  CUmemoryPool pool = NULL;
  CUdeviceptr opened = 0, other = 0;
  unsigned value = 0;
  const CUmemAllocationHandleType type = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  TELL(cuMemPoolImportFromShareableHandle(&pool, (void*)(intptr_t)12345, type, 0));
  TELL(cuMemPoolImportFromShareableHandle(&pool, (void*)(intptr_t)descriptor, type, 0));
  TELL(cuMemPoolImportPointer(NULL, pool, &gifts->of_pool));
  TELL(cuMemPoolImportPointer(&opened, pool, &gifts->of_pool));
  TELL(cuMemcpyDtoH(&value, opened, 4));
  TELL_FACT("memory of a pool holds what the giver stored", value == 3);
  TELL(cuMemAllocFromPoolAsync(&other, SHARED, pool, NULL));
  TELL(cuMemFreeAsync(opened, NULL));
  TELL(cuStreamSynchronize(NULL));
  TELL(cuMemPoolDestroy(pool));
}

static int run_taker(int giver) {
  struct gifts gifts;
  CUdeviceptr opened = 0, word = 0;
  char turn = 1;
  int descriptors[2];
  CUfunction store;
  who = "taker";
  if (!receive_descriptors(giver, descriptors) || read(giver, &gifts, sizeof gifts) != sizeof gifts) return 3;
  store = begin(&word);
  take_memory(&gifts, store);
  take_event(&gifts);
  take_pages(descriptors[0]);
  take_pool(descriptors[1], &gifts);
  if (write(giver, &turn, 1) != 1 || read(giver, &turn, 1) != 1) return 3; /* it frees the memory */
  TELL(cuIpcOpenMemHandle(&opened, gifts.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  return write(giver, &turn, 1) == 1 ? 0 : 3;
}

#endif
