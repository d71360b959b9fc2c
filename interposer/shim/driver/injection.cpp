// CUDA_INJECTION64_PATH loads a library at cuInit, when the runtime has fetched all its entry points already.
#include <cstdio>

#include "interposer/shim/events/export.h"
#include "interposer/shim/events/recorder.h"

extern "C" WEDJAT_EXPORT int InitializeInjection() {
  if (wedjat::interposer::detail::active.load()) return 1;
  std::fprintf(
      stderr,
      "wedjat: CUDA_INJECTION64_PATH comes too late to record; start the program with `wedjat record`\n");
  return 0;
}
