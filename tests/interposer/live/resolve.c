/* Every function of the table is exported, and cuGetProcAddress finds it. The names come from the command
 * line's file. */
#include <dlfcn.h>
#include <string.h>

#include "tests/interposer/live/check.h"

int main(int argc, char** argv) {
  char line[256];
  int functions = 0;
  FILE* file = argc > 1 ? fopen(argv[1], "r") : NULL;
  EXPECT(file != NULL);
  while (file && fgets(line, sizeof line, file)) {
    char name[128], base[128], flavour[16] = "";
    int version = 0;
    void *found = NULL, *symbol;
    CUdriverProcAddressQueryResult status;
    if (sscanf(line, "%127s %127s %d %15s", name, base, &version, flavour) < 3) continue;
    symbol = dlsym(RTLD_DEFAULT, name);
    CHECK(cuGetProcAddress(base, &found, version,
                           flavour[0] ? CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM : 0, &status));
    if (symbol == NULL || found != symbol) {
      fprintf(stderr, "%s: %p by name, %p by cuGetProcAddress\n", name, symbol, found);
      ++wrong;
    }
    ++functions;
  }
  EXPECT(functions == 637);
  {
    void* found;
    CUdriverProcAddressQueryResult status;
    CHECK(cuGetProcAddress("cuFromTheFuture", &found, 13000, 0, &status));
    EXPECT(found == NULL && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    CHECK(cuGetProcAddress("cuLaunchKernelEx", &found, 11000, 0, &status));
    EXPECT(found == NULL && status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  }
  return wrong != 0;
}
