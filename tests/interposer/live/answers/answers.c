/* What a driver answers to each of many calls that are wrong, or nearly so: a line of code and call each. A
 * process of its own makes them one after the other; where one ends it or breaks its context, a new one goes
 * on with the next. answers            measures a driver answers TABLE      the same; and where a call of the
 * table ended its process ("signal 11"), a new one goes on here too */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alone_cases.h"
#include "capture_cases.h"
#include "condition_cases.h"
#include "green_cases.h"
#include "memory_cases.h"
#include "objects.h"
#include "order_cases.h"
#include "program_cases.h"
#include "reference_cases.h"

#define CASES(X)                                                                                 \
  CONTEXT_CASES(X)                                                                               \
  MEMORY_CASES(X)                                                                                \
  CODE_CASES(X)                                                                                  \
  LAUNCH_CASES(X)                                                                                \
  STREAM_CASES(X) GRAPH_CASES(X) ARRAY_CASES(X) ALONE_CASES(X) CONDITION_CASES(X) GREEN_CASES(X) \
      DEVICE_CASES(X) REFERENCE_CASES(X) CAPTURE_CASES(X)

static const char* const calls[] = {
#define X(...) #__VA_ARGS__,
    CASES(X)
#undef X
};
enum { count = sizeof calls / sizeof *calls, seconds_a_call = 20 };
static char ends_process[count];

static CUresult answer(int which) {
  int i = 0;
#define X(...) \
  if (i++ == which) return __VA_ARGS__;
  CASES(X)
#undef X
  return CUDA_ERROR_UNKNOWN;
}

/* Whether the objects can be used by the next call. */
static int is_sound(void) {
  CUcontext current = NULL;
  CUstreamCaptureStatus capturing = CU_STREAM_CAPTURE_STATUS_NONE;
  return cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context &&
         cuCtxSynchronize() == CUDA_SUCCESS && cuStreamIsCapturing(stream, &capturing) == CUDA_SUCCESS &&
         capturing == CU_STREAM_CAPTURE_STATUS_NONE && cuMemcpyHtoD(memory, host, 4) == CUDA_SUCCESS;
}

/* From call `*at` on; `*at` is always the one that is made. */
static int run_from(volatile int* at) {
  const int line = make_objects();
  if (line != 0) {
    fprintf(stderr, "objects.h:%d: an object cannot be made\n", line);
    return 1;
  }
  for (; *at < count; ++*at) {
    const char* name = "?";
    alarm(seconds_a_call);
    cuGetErrorName(answer(*at), &name);
    printf("%s\t%s\n", name, calls[*at]);
    fflush(stdout);
    if (ends_process[*at] || !is_sound()) break;
  }
  return 0;
}

static int read_table(const char* path) {
  char line[1024];
  FILE* const table = fopen(path, "r");
  if (table == NULL) return 0;
  while (fgets(line, sizeof line, table) != NULL) {
    const char* const call = strchr(line, '\t');
    line[strcspn(line, "\n")] = '\0';
    for (int i = 0; call != NULL && strncmp(line, "signal", 6) == 0 && i < count; ++i)
      if (strcmp(calls[i], call + 1) == 0) ends_process[i] = 1;
  }
  fclose(table);
  return 1;
}

int main(int argc, char** argv) {
  int* const at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED || (argc > 1 && !read_table(argv[1]))) return 2;
  for (; *at < count; ++*at) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) _exit(run_from(at));
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0) return 1;
    if (WIFSIGNALED(status)) printf("signal %d\t%s\n", WTERMSIG(status), calls[*at]);
    fflush(stdout);
  }
  return 0;
}
