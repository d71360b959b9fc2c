/* What a driver answers when two processes share memory and events: a line of code and call each, of the one
 * that gives ("giver") and of the one that takes ("taker"). They take turns, over a pair of sockets. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "taker.h"

static CUdeviceptr memory, freed, managed, word, of_pool;
static CUmemGenericAllocationHandle pages;

/* What the taker is given, in the order that it asks for. */
static void give(int to, CUstream stream) {
  struct gifts gifts;
  CUmemoryPool pool = NULL;
  CUevent plain, shared;
  CUmemAllocationProp of_pages = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                  .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                  .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
  CUmemPoolProps of_the_pool = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
  CUipcMemHandle other;
  CUdeviceptr opened = 0, window = 0;
  size_t granularity = 0;
  void* pinned = NULL;
  int of_memory = -1, of_a_pool = -1;
  memset(&gifts, 0, sizeof gifts);

  PREPARE(cuMemAlloc(&memory, SHARED));
  PREPARE(cuMemsetD32(memory, 1, SHARED / 4));
  PREPARE(cuMemAlloc(&freed, SHARED));
  PREPARE(cuMemFree(freed));
  PREPARE(cuMemAllocManaged(&managed, SHARED, CU_MEM_ATTACH_GLOBAL));
  PREPARE(cuMemAllocHost(&pinned, SHARED));
  PREPARE(cuMemAllocAsync(&of_pool, SHARED, stream));
  TELL(cuIpcGetMemHandle(NULL, memory));
  TELL(cuIpcGetMemHandle(&other, 0));
  TELL(cuIpcGetMemHandle(&other, freed));
  TELL(cuIpcGetMemHandle(&other, managed));
  TELL(cuIpcGetMemHandle(&other, (CUdeviceptr)pinned));
  TELL(cuIpcGetMemHandle(&other, of_pool));
  TELL(cuIpcGetMemHandle(&other, word));
  TELL(cuIpcGetMemHandle(&gifts.inside, memory + 64));
  TELL(cuIpcGetMemHandle(&gifts.memory, memory));
  TELL(cuIpcGetMemHandle(&other, memory));
  TELL_FACT("a handle is the same when it is asked for again",
            memcmp(&other, &gifts.memory, sizeof other) == 0);
  TELL_FACT("a handle of a place inside is that of its memory",
            memcmp(&gifts.inside, &gifts.memory, sizeof other) == 0);
  TELL(cuIpcOpenMemHandle(&opened, gifts.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  TELL(cuIpcCloseMemHandle(memory));

  PREPARE(cuEventCreate(&plain, CU_EVENT_DISABLE_TIMING));
  PREPARE(cuEventCreate(&shared, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
  TELL(cuIpcGetEventHandle(&gifts.event, NULL));
  TELL(cuIpcGetEventHandle(&gifts.event, plain));
  TELL(cuIpcGetEventHandle(NULL, shared));
  TELL(cuIpcGetEventHandle(&gifts.event, shared));
  TELL(cuIpcOpenEventHandle(&plain, gifts.event));
  PREPARE(cuEventRecord(shared, stream));

  TELL(cuMemGetAllocationGranularity(&granularity, &of_pages, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  TELL(cuMemCreate(&pages, PAGES, &of_pages, 0));
  TELL(cuMemExportToShareableHandle(NULL, pages, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  TELL(cuMemExportToShareableHandle(&of_memory, pages, CU_MEM_HANDLE_TYPE_WIN32, 0));
  TELL(cuMemExportToShareableHandle(&of_memory, pages, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  map_pages(&window, pages);
  TELL(cuMemsetD32(window, 2, PAGES / 4));
  TELL(cuIpcGetMemHandle(&other, window));

  TELL(cuMemPoolCreate(&pool, &of_the_pool));
  TELL(cuMemAllocFromPoolAsync(&gifts.in_pool, SHARED, pool, stream));
  TELL(cuMemsetD32Async(gifts.in_pool, 3, SHARED / 4, stream));
  TELL(cuStreamSynchronize(stream));
  TELL(cuMemPoolExportToShareableHandle(&of_a_pool, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  TELL(cuMemPoolExportPointer(&gifts.of_pool, memory));
  TELL(cuMemPoolExportPointer(&gifts.of_pool, gifts.in_pool));
  PREPARE(cuCtxSynchronize());

  send_descriptors(to, of_memory, of_a_pool);
  if (write(to, &gifts, sizeof gifts) != sizeof gifts) exit(3);
}

static int run_giver(int taker) {
  CUstream stream;
  unsigned value = 0;
  char turn = 0;
  begin(&word);
  PREPARE(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  give(taker, stream);
  if (read(taker, &turn, 1) != 1) return 3; /* the taker wrote into the memory */
  who = "giver";
  PREPARE(cuMemcpyDtoH(&value, memory, 4));
  TELL_FACT("what the taker's kernel stored is there", value == 7);
  PREPARE(cuMemFree(memory));
  PREPARE(cuMemAlloc(&memory, SHARED));
  if (write(taker, &turn, 1) != 1 || read(taker, &turn, 1) != 1) return 3;
  return 0;
}

int main(void) {
  int pair[2], status = 0;
  pid_t child;
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 2;
  child = fork();
  if (child < 0) return 2;
  if (child == 0) {
    close(pair[0]);
    return run_taker(pair[1]);
  }
  close(pair[1]);
  if (run_giver(pair[0]) != 0) fprintf(stderr, "the taker ended early\n");
  close(pair[0]);
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
