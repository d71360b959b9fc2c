/* What the programs of this folder share: a line "CODE\tcall" for a call. */
#ifndef WEDJAT_LIVE_MEASURED_TELL_H
#define WEDJAT_LIVE_MEASURED_TELL_H

#include <cuda.h>
#include <stdio.h>

static const char* N(CUresult code) {
  const char* name = "?";
  cuGetErrorName(code, &name);
  return name;
}
#define T(call) (printf("%s\t%s\n", N(call), #call), fflush(stdout))

#endif
