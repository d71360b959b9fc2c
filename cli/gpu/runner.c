/* Runs kernels on the GPU of this machine for the command, which starts it: jobs come in, answers go out
 * (protocol.h). A process of its own, since a kernel may break its context, or crash or hang the compiler. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/gpu/protocol.h"

/* cuda.h is not needed: CU_CTX_SCHED_BLOCKING_SYNC, and members of CUjit_option. */
enum { BLOCKING_SYNC = 4, ERROR_LOG = 5, ERROR_LOG_BYTES = 6, LEVEL = 7, MAX_ARGUMENTS = 64 };

typedef uint64_t Address;
static struct {
  int (*Init)(unsigned), (*DeviceGet)(int*, int), (*DevicePrimaryCtxSetFlags)(int, unsigned);
  int (*DevicePrimaryCtxRetain)(void**, int), (*CtxSetCurrent)(void*), (*CtxSynchronize)(void);
  int (*ModuleLoadDataEx)(void**, const void*, unsigned, int*, void**), (*ModuleUnload)(void*);
  int (*ModuleGetFunction)(void**, void*, const char*), (*GetErrorName)(int, const char**);
  int (*MemAlloc)(Address*, size_t), (*MemFree)(Address), (*MemcpyHtoD)(Address, const void*, size_t);
  int (*MemcpyDtoH)(void*, Address, size_t);
  int (*LaunchKernel)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                      void**, void**);
} cu;
static FILE *in, *out;

static void give_up(const char* what, const char* why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(2);
}

static void* function(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (!found) give_up("libcuda.so.1", name);
  return found;
}

static void open_driver(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW), *context;
  int error, device;
  const char* name = "no name";
  if (!library) give_up("no driver", dlerror());
#define CALL(member, symbol) *(void**)&cu.member = function(library, symbol)
  CALL(Init, "cuInit");
  CALL(DeviceGet, "cuDeviceGet");
  CALL(DevicePrimaryCtxSetFlags, "cuDevicePrimaryCtxSetFlags_v2");
  CALL(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  CALL(CtxSetCurrent, "cuCtxSetCurrent");
  CALL(CtxSynchronize, "cuCtxSynchronize");
  CALL(ModuleLoadDataEx, "cuModuleLoadDataEx");
  CALL(ModuleUnload, "cuModuleUnload");
  CALL(ModuleGetFunction, "cuModuleGetFunction");
  CALL(GetErrorName, "cuGetErrorName");
  CALL(MemAlloc, "cuMemAlloc_v2");
  CALL(MemFree, "cuMemFree_v2");
  CALL(MemcpyHtoD, "cuMemcpyHtoD_v2");
  CALL(MemcpyDtoH, "cuMemcpyDtoH_v2");
  CALL(LaunchKernel, "cuLaunchKernel");
  if ((error = cu.Init(0)) || (error = cu.DeviceGet(&device, 0)) ||
      (error = cu.DevicePrimaryCtxSetFlags(device, BLOCKING_SYNC)) ||
      (error = cu.DevicePrimaryCtxRetain(&context, device)) || (error = cu.CtxSetCurrent(context))) {
    cu.GetErrorName(error, &name);
    give_up("the driver", name);
  }
}

/* With a zero behind it. The command gone is the end, and no error. */
static char* take(size_t bytes) {
  char* memory = calloc(1, bytes + 1);
  if (!memory) give_up("memory", "none left");
  if (fread(memory, 1, bytes, in) != bytes) exit(0);
  return memory;
}

static struct Argument {
  struct WedjatGpuArgument is;
  char* contents;
  Address buffer;
} arguments[MAX_ARGUMENTS];
static uint32_t count;
static void* module; /* of the last job that had text */
static char said[4096];

static int run(const struct WedjatGpuJob* job, const char* name, const char* text, int* broken) {
  int options[] = {LEVEL, ERROR_LOG, ERROR_LOG_BYTES}, error;
  void* values[] = {(void*)(uintptr_t)job->level, said, (void*)(uintptr_t)(sizeof said - 1)};
  void *kernel, *given[MAX_ARGUMENTS];
  if (job->text_bytes) {
    void* const last = module;
    module = NULL;
    if (last && (error = cu.ModuleUnload(last))) return error;
    if ((error = cu.ModuleLoadDataEx(&module, text, 3, options, values))) return error;
  }
  if ((error = cu.ModuleGetFunction(&kernel, module, name))) return error;
  *broken = 1; /* what fails from here on may have broken the context */
  for (uint32_t i = 0; i < count; ++i) {
    struct Argument* const to = &arguments[i];
    given[i] = to->is.is_buffer ? (void*)&to->buffer : to->contents;
    if (to->is.is_buffer && ((error = cu.MemAlloc(&to->buffer, to->is.bytes + !to->is.bytes)) ||
                             (error = cu.MemcpyHtoD(to->buffer, to->contents, to->is.bytes))))
      return error;
  }
  if ((error = cu.LaunchKernel(kernel, job->grid[0], job->grid[1], job->grid[2], job->block[0], job->block[1],
                               job->block[2], job->shared, NULL, given, NULL)) ||
      (error = cu.CtxSynchronize()))
    return error;
  for (uint32_t i = 0; i < count; ++i)
    if (arguments[i].is.is_buffer &&
        ((error = cu.MemcpyDtoH(arguments[i].contents, arguments[i].buffer, arguments[i].is.bytes)) ||
         (error = cu.MemFree(arguments[i].buffer))))
      return error;
  *broken = 0;
  return 0;
}

static void answer(int error, int broken) {
  struct WedjatGpuAnswer head = {error, (uint32_t)broken, 0, 0};
  const char* name = "";
  if (error) cu.GetErrorName(error, &name);
  size_t used = strlen(said);
  if (error) snprintf(said + used, sizeof said - used, "%s%s", used ? " " : "", name);
  head.text_bytes = strlen(said);
  for (uint32_t i = 0; i < count && !error; ++i)
    if (arguments[i].is.is_buffer) head.bytes += arguments[i].is.bytes;
  fwrite(&head, sizeof head, 1, out);
  fwrite(said, 1, head.text_bytes, out);
  for (uint32_t i = 0; i < count && !error; ++i)
    if (arguments[i].is.is_buffer) fwrite(arguments[i].contents, 1, arguments[i].is.bytes, out);
  if (fflush(out)) exit(0);
}

int main(void) {
  struct WedjatGpuJob job;
  in = stdin;
  out = fdopen(dup(STDOUT_FILENO), "wb"); /* the driver, and kernels, may print */
  if (!out || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) give_up("standard output", "cannot be used");
  open_driver();
  fputc(1, out); /* ready */
  if (fflush(out)) return 0;
  while (fread(&job, sizeof job, 1, in) == 1) {
    if (job.arguments > MAX_ARGUMENTS) give_up("a job", "too many arguments");
    char *name = take(job.name_bytes), *text = take(job.text_bytes);
    count = job.arguments;
    for (uint32_t i = 0; i < count; ++i) {
      if (fread(&arguments[i].is, sizeof arguments[i].is, 1, in) != 1) exit(0);
      arguments[i].contents = take(arguments[i].is.bytes);
    }
    int broken = 0;
    memset(said, 0, sizeof said);
    int error = run(&job, name, text, &broken);
    answer(error, broken);
    if (broken) return 3;
    for (uint32_t i = 0; i < count; ++i) free(arguments[i].contents);
    free(name);
    free(text);
  }
  return 0;
}
