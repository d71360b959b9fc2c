/* What a driver answers once a kernel has failed: a line "CODE\tcall" each. Its calls are those of answers.c,
 * the right ones too. after KIND         each call after the host has seen the failure   after KIND unseen [N
 * OF] right calls only, each the first one after the failure, in a process of its own; of every OF calls the
 * Nth */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alone_cases.h"
#include "condition_cases.h"
#include "green_cases.h"
#include "memory_cases.h"
#include "objects.h"
#include "order_cases.h"
#include "program_cases.h"
#include "reference_cases.h"
#include "right_calls.h"
#include "tests/interposer/live/faults/kinds.h"

#define RIGHT_CASES(X, NAMED)                                                          \
  ALONE_CASES(X)                                                                       \
  CALLS_BESIDE(NAMED)                                                                  \
  X(cuCtxDestroy(context))                                                             \
  X(cuCtxGetCurrent(&a_context))                                                       \
  X(cuCtxSetCurrent(context))                                                          \
  X(cuCtxPushCurrent(context))                                                         \
  X(cuCtxCreate(&a_context, NULL, 0, device))                                          \
  X(cuDevicePrimaryCtxRetain(&a_context, device))                                      \
  X(cuDevicePrimaryCtxGetState(device, &a_word, &a_number))                            \
  X(cuDevicePrimaryCtxReset(device))                                                   \
  X(cuDeviceGetCount(&a_number))                                                       \
  X(cuDeviceGetAttribute(&a_number, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device)) \
  X(cuDeviceTotalMem(&a_size, device))                                                 \
  X(cuGetErrorName(CUDA_ERROR_UNKNOWN, &a_text))                                       \
  X(cuPointerGetAttribute(&a_number, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory))        \
  X(cuPointerGetAttribute(&a_number, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, number_of(pinned)))
#define WRONG_CASES(X) \
  CONTEXT_CASES(X)     \
  MEMORY_CASES(X)      \
  CODE_CASES(X)        \
  LAUNCH_CASES(X)      \
  STREAM_CASES(X)      \
  GRAPH_CASES(X) ARRAY_CASES(X) CONDITION_CASES(X) GREEN_CASES(X) DEVICE_CASES(X) REFERENCE_CASES(X)

static CUdeviceptr number_of(const void* address) { return (CUdeviceptr)(size_t)address; }

#define X(...) #__VA_ARGS__,
#define NAMED(name, ...) #__VA_ARGS__,
static const char* const calls[] = {RIGHT_CASES(X, NAMED) "" /* what follows is wrong */, WRONG_CASES(X)};
#undef NAMED
#undef X
enum { count = sizeof calls / sizeof *calls, seconds_a_call = 20 };

static CUresult answer(int which) {
  int i = 0;
#define X(...) \
  if (i++ == which) return __VA_ARGS__;
#define NAMED(name, ...) X(__VA_ARGS__)
  RIGHT_CASES(X, NAMED)
  ++i;
  WRONG_CASES(X)
#undef NAMED
#undef X
  return CUDA_ERROR_UNKNOWN;
}

static int make_failure(int kind) {
  const int line = make_objects();
  if (line != 0) {
    fprintf(stderr, "objects.h:%d: an object cannot be made\n", line);
    return 1;
  }
  keeps_context = 1;
  if (cuStreamCreate(&to_capture, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS ||
      cuStreamCreate(&aside, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS || cuCtxSynchronize() != CUDA_SUCCESS)
    return 1;
  return launch_kind(kind, memory, NULL) != CUDA_SUCCESS;
}

static void tell(int which, CUresult code) {
  const char* name = "?";
  const char* const call = calls[which];
  const int wrapped = strncmp(call, "ALONE(", 6) == 0;
  cuGetErrorName(code, &name);
  printf("%s\t%.*s\n", name, (int)strlen(call) - (wrapped ? 7 : 0), call + (wrapped ? 6 : 0));
  fflush(stdout);
}

/* From call `*at` on; `*at` is always the one that is made. */
static int run_from(int kind, volatile int* at) {
  CUcontext current;
  if (make_failure(kind) != 0) return 1;
  const CUresult failure = cuCtxSynchronize();
  for (; *at < count; ++*at) {
    if (*calls[*at] == '\0') continue;
    alarm(seconds_a_call);
    tell(*at, answer(*at));
    if (cuCtxGetCurrent(&current) != CUDA_SUCCESS || current != context || cuCtxSynchronize() != failure)
      break;
  }
  return 0;
}

static int run_one(int kind, int which) {
  alarm(seconds_a_call);
  if (make_failure(kind) != 0) return 1;
  usleep(200000);
  tell(which, answer(which));
  return 0;
}

static int kind_of(const char* name) {
  for (int i = 0; i < kinds_count; ++i)
    if (strcmp(kinds[i].name, name) == 0) return i;
  return -1;
}

int main(int argc, char** argv) {
  int* const at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const int kind = argc > 1 ? kind_of(argv[1]) : -1, unseen = argc > 2;
  const int first = argc > 4 ? atoi(argv[3]) : 0, step = argc > 4 ? atoi(argv[4]) : 1;
  if (at == MAP_FAILED || kind < 0) return 2;
  for (*at = unseen ? first : 0; *at < count && !(unseen && *calls[*at] == '\0'); *at += unseen ? step : 1) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) _exit(unseen ? run_one(kind, *at) : run_from(kind, at));
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0) return 1;
    if (WIFSIGNALED(status)) printf("signal %d\t%s\n", WTERMSIG(status), calls[*at]);
    fflush(stdout);
  }
  return 0;
}
