/* Runs kernels of `wedjat fuzz --batch` at every level of the driver's compiler, and compares what they leave
 * in memory with what Wedjat computed. Usage: batch [FOLDER [SECONDS]]. Results: FOLDER/results.txt, a line a
 * kernel and level: SEED LEVEL HASH, or SEED LEVEL error NUMBER. A process that dies, or takes too long for a
 * kernel, is followed by another one, which goes on behind that kernel. Exit code: 0 all agree, 1 some do
 * not, 2 broken. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LEVELS = 5, OPTIMIZATION_LEVEL = 7 }; /* CU_JIT_OPTIMIZATION_LEVEL */

typedef uint64_t Address;
static struct { /* cuda.h is not needed */
  int (*Init)(unsigned), (*DeviceGet)(int*, int), (*PrimaryCtxRetain)(void**, int), (*CtxSetCurrent)(void*);
  int (*ModuleLoadDataEx)(void**, const void*, unsigned, int*, void**), (*ModuleUnload)(void*);
  int (*ModuleGetFunction)(void**, void*, const char*), (*CtxSynchronize)(void);
  int (*MemAlloc)(Address*, size_t), (*MemcpyHtoD)(Address, const void*, size_t);
  int (*MemcpyDtoH)(void*, Address, size_t);
  int (*LaunchKernel)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                      void**, void**);
} cu;

static unsigned ctas, threads, words;
static struct Kernel {
  unsigned seed;
  uint64_t expected;
} * kernels;
static size_t count;
/* Of the child, for its parent: the kernel and level it is at, and when it came there. */
static struct {
  volatile size_t kernel, level;
  volatile time_t since;
} * at;

static void fail(const char* what, int error) {
  fprintf(stderr, "batch: %s: %d\n", what, error);
  exit(2);
}

static void* call(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (!found) fail(name, 0);
  return found;
}

static void open_driver(void) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  int error, device;
  void* context;
  if (!library) fail(dlerror(), 0);
#define CALL(member, name) *(void**)&cu.member = call(library, name)
  CALL(Init, "cuInit"), CALL(DeviceGet, "cuDeviceGet"), CALL(PrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  CALL(CtxSetCurrent, "cuCtxSetCurrent"), CALL(ModuleLoadDataEx, "cuModuleLoadDataEx");
  CALL(ModuleUnload, "cuModuleUnload"), CALL(ModuleGetFunction, "cuModuleGetFunction");
  CALL(CtxSynchronize, "cuCtxSynchronize"), CALL(MemAlloc, "cuMemAlloc_v2");
  CALL(MemcpyHtoD, "cuMemcpyHtoD_v2"), CALL(MemcpyDtoH, "cuMemcpyDtoH_v2"),
      CALL(LaunchKernel, "cuLaunchKernel");
  if ((error = cu.Init(0)) || (error = cu.DeviceGet(&device, 0)) ||
      (error = cu.PrimaryCtxRetain(&context, device)) || (error = cu.CtxSetCurrent(context)))
    fail("the driver", error);
}

static char* read_file(const char* folder, const char* name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* in = fopen(path, "rb");
  if (!in) fail(path, 0);
  fseek(in, 0, SEEK_END);
  size_t size = ftell(in);
  rewind(in);
  char* text = calloc(1, size + 1);
  if (fread(text, 1, size, in) != size) fail(path, 1);
  fclose(in);
  return text;
}

static void fill(uint32_t* memory, size_t size, uint64_t seed) { /* SplitMix64, its low halves */
  for (size_t i = 0; i < size; ++i) {
    uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    memory[i] = (uint32_t)(z ^ z >> 31);
  }
}

static int run(const char* text, unsigned seed, int level, Address buffer, uint32_t* memory, uint64_t* hash) {
  size_t size = (size_t)ctas * threads * words;
  int option = OPTIMIZATION_LEVEL, error;
  void *value = (void*)(uintptr_t)level, *module, *function, *arguments[] = {&buffer};
  if ((error = cu.ModuleLoadDataEx(&module, text, 1, &option, &value))) return error;
  fill(memory, size, seed);
  if ((error = cu.ModuleGetFunction(&function, module, "k")) ||
      (error = cu.MemcpyHtoD(buffer, memory, 4 * size)) ||
      (error = cu.LaunchKernel(function, ctas, 1, 1, threads, 1, 1, 0, NULL, arguments, NULL)) ||
      (error = cu.CtxSynchronize()) || (error = cu.MemcpyDtoH(memory, buffer, 4 * size)))
    return error;
  *hash = 0xcbf29ce484222325u; /* FNV-1a */
  for (size_t i = 0; i < 4 * size; ++i) *hash = (*hash ^ ((unsigned char*)memory)[i]) * 0x100000001b3u;
  return cu.ModuleUnload(module);
}

/* A context is of no use after an error of a kernel: the child ends, and its parent starts another. */
static void child(const char* folder, FILE* results, size_t kernel, size_t level) {
  Address buffer;
  uint32_t* memory = malloc(4 * (size_t)ctas * threads * words);
  int error;
  open_driver();
  if ((error = cu.MemAlloc(&buffer, 4 * (size_t)ctas * threads * words))) fail("memory", error);
  for (; kernel < count; ++kernel, level = 0) {
    char name[64];
    snprintf(name, sizeof name, "%u.ptx", kernels[kernel].seed);
    char* text = read_file(folder, name);
    for (; level < LEVELS; ++level) {
      uint64_t hash = 0;
      at->kernel = kernel, at->level = level, at->since = time(NULL);
      error = run(text, kernels[kernel].seed, (int)level, buffer, memory, &hash);
      if (error)
        fprintf(results, "%u %zu error %d\n", kernels[kernel].seed, level, error);
      else
        fprintf(results, "%u %zu %016llx\n", kernels[kernel].seed, level, (unsigned long long)hash);
      fflush(results);
      if (error) exit(3);
    }
    free(text);
  }
  exit(0);
}

static void read_list(const char* folder) {
  char* text = read_file(folder, "list.txt");
  int used = 0;
  unsigned seed;
  unsigned long long hash;
  if (sscanf(text, "%u %u %u%n", &ctas, &threads, &words, &used) != 3) fail("list.txt", 0);
  kernels = calloc(strlen(text), sizeof *kernels);
  for (char* from = text + used; sscanf(from, "%u %llx%n", &seed, &hash, &used) == 2; from += used)
    kernels[count].seed = seed, kernels[count++].expected = hash;
}

static int judge(const char* folder) {
  char level_text[64], *text = read_file(folder, "results.txt"), *line = strtok(text, "\n");
  size_t wrong = 0, errors = 0, right = 0;
  for (size_t kernel = 0; line; line = strtok(NULL, "\n")) {
    unsigned seed, level;
    unsigned long long hash;
    if (sscanf(line, "%u %u %63s", &seed, &level, level_text) != 3) continue;
    while (kernel < count && kernels[kernel].seed != seed) ++kernel;
    if (kernel == count) break;
    if (!strcmp(level_text, "error") || sscanf(level_text, "%llx", &hash) != 1)
      ++errors, printf("%u.ptx at level %u: %s\n", seed, level, line);
    else if (hash != kernels[kernel].expected)
      ++wrong, printf("%u.ptx at level %u: %016llx, Wedjat has %016llx\n", seed, level, hash,
                      (unsigned long long)kernels[kernel].expected);
    else
      ++right;
  }
  printf("%zu kernels: %zu results agree, %zu differ, %zu errors\n", count, right, wrong, errors);
  return wrong || errors || right != count * LEVELS;
}

int main(int argc, char** argv) {
  const char* folder = argc > 1 ? argv[1] : ".";
  const int seconds = argc > 2 ? atoi(argv[2]) : 60;
  char path[4096];
  read_list(folder);
  snprintf(path, sizeof path, "%s/results.txt", folder);
  FILE* results = fopen(path, "w");
  if (!results) fail(path, 0);
  at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  at->kernel = at->level = 0;
  time_t start = time(NULL);
  for (;;) {
    int status;
    at->since = time(NULL);
    pid_t pid = fork();
    if (pid == 0) child(folder, results, at->kernel, at->level);
    while (waitpid(pid, &status, WNOHANG) == 0) {
      if (time(NULL) - at->since > seconds) kill(pid, SIGKILL);
      usleep(10000);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2) return 2;
    fseek(results, 0, SEEK_END);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 3)
      fprintf(results, "%u %zu error -%d\n", kernels[at->kernel].seed, at->level,
              WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    fflush(results);
    if (++at->level == LEVELS) at->level = 0, ++at->kernel;
    if (at->kernel >= count) break;
  }
  fclose(results);
  printf("%.0f seconds\n", difftime(time(NULL), start));
  return judge(folder);
}
