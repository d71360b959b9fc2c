/* What the two processes have in common: lines of answers, and descriptors that go from one to the other. */
#ifndef WEDJAT_LIVE_SHARED_MEMORY_TELL_H
#define WEDJAT_LIVE_SHARED_MEMORY_TELL_H

#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SHARED = 3 << 20, PAGES = 2 << 20 };

struct gifts {
  CUipcMemHandle memory, inside;
  CUipcEventHandle event;
  CUmemPoolPtrExportData of_pool;
  CUdeviceptr in_pool;
};

static const char* who = "giver";

static const char* name_of(CUresult result) {
  const char* name = "?";
  cuGetErrorName(result, &name);
  return name;
}

#define TELL(call) printf("%s\t%s: %s\n", name_of(call), who, #call)
#define TELL_FACT(text, condition) printf("%s\t%s: %s\n", (condition) ? "yes" : "no", who, text)

/* What must go well, so that the rest means something. */
#define PREPARE(call)                                             \
  do {                                                            \
    const CUresult got_ = (call);                                 \
    if (got_ != CUDA_SUCCESS) {                                   \
      fprintf(stderr, "%s: %s: %s\n", who, #call, name_of(got_)); \
      exit(4);                                                    \
    }                                                             \
  } while (0)

/* A context, and a kernel that stores 7 where it is told to; where a variable of its module lies. */
static CUfunction begin(CUdeviceptr* word) {
  static const char* const ptx =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .global .align 4 .u32 word;\n"
      ".visible .entry store(.param .u64 to) {\n  .reg .b64 %d;\n  ld.param.u64 %d, [to];\n"
      "  st.global.u32 [%d], 7;\n  ret;\n}\n";
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction store;
  PREPARE(cuInit(0));
  PREPARE(cuDeviceGet(&device, 0));
  PREPARE(cuDevicePrimaryCtxRetain(&context, device));
  PREPARE(cuCtxSetCurrent(context));
  PREPARE(cuModuleLoadData(&module, ptx));
  PREPARE(cuModuleGetFunction(&store, module, "store"));
  PREPARE(cuModuleGetGlobal(word, NULL, module, "word"));
  return store;
}

static void map_pages(CUdeviceptr* window, CUmemGenericAllocationHandle pages) {
  const CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE},
                                  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  TELL(cuMemAddressReserve(window, PAGES, 0, 0, 0));
  TELL(cuMemMap(*window, PAGES, 0, pages, 0));
  TELL(cuMemSetAccess(*window, PAGES, &access, 1));
}

static void send_descriptors(int to, int first, int second) {
  int both[2] = {first, second};
  char byte = 0, room[CMSG_SPACE(sizeof both)];
  struct iovec one = {&byte, 1};
  struct msghdr message = {.msg_iov = &one, .msg_iovlen = 1};
  memset(room, 0, sizeof room);
  if (first >= 0 && second >= 0) {
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    struct cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof both);
    memcpy(CMSG_DATA(head), both, sizeof both);
  }
  if (sendmsg(to, &message, 0) != 1) exit(3);
}

/* False if the other process ended. Where it had none to send, both are -1. */
static int receive_descriptors(int from, int* both) {
  char byte = 0, room[CMSG_SPACE(2 * sizeof *both)];
  struct iovec one = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &one, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  both[0] = both[1] = -1;
  if (recvmsg(from, &message, 0) != 1) return 0;
  const struct cmsghdr* const head = CMSG_FIRSTHDR(&message);
  if (head != NULL) memcpy(both, CMSG_DATA(head), 2 * sizeof *both);
  return 1;
}

#endif
