/* The code that each kind of failing kernel ends with: a line "CODE\tkind" each. Each has a process of its
 * own. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kinds.h"

enum { seconds_a_kind = 20 };

static int tell(int which) {
  CUcontext context;
  CUdeviceptr memory;
  CUresult result;
  const char* name = "?";
  alarm(seconds_a_kind);
  if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&context, NULL, 0, 0) != CUDA_SUCCESS ||
      cuMemAlloc(&memory, 4096) != CUDA_SUCCESS || cuMemsetD8(memory, 0, 4096) != CUDA_SUCCESS)
    return 1;
  result = launch_kind(which, memory, NULL);
  cuGetErrorName(result, &name);
  if (result != CUDA_SUCCESS) {
    printf("not launched: %s\t%s\n", name, kinds[which].name);
  } else {
    cuGetErrorName(cuCtxSynchronize(), &name);
    printf("%s\t%s\n", name, kinds[which].name);
  }
  fflush(stdout);
  return 0;
}

int main(int argc, char** argv) {
  for (int i = 0; i < kinds_count; ++i) {
    int status = 0;
    if (argc > 1 && strcmp(argv[1], kinds[i].name) != 0) continue;
    const pid_t child = fork();
    if (child == 0) _exit(tell(i));
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) printf("signal %d\t%s\n", WTERMSIG(status), kinds[i].name);
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0) return 1;
    fflush(stdout);
  }
  return 0;
}
