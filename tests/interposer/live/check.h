/* What the live programs share: a call must succeed, or give just this code. */
#ifndef WEDJAT_LIVE_CHECK_H
#define WEDJAT_LIVE_CHECK_H

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

static int wrong = 0;

static const char* name_of(CUresult result) {
  const char* name = "?";
  cuGetErrorName(result, &name);
  return name;
}

#define EXPECT_CODE(code, call)                                                                         \
  do {                                                                                                  \
    const CUresult got_ = (call);                                                                       \
    if (got_ != (code)) {                                                                               \
      fprintf(stderr, "%s:%d: %s: %s, expected %s\n", __FILE__, __LINE__, #call, name_of(got_), #code); \
      ++wrong;                                                                                          \
    }                                                                                                   \
  } while (0)

#define CHECK(call) EXPECT_CODE(CUDA_SUCCESS, call)

#define EXPECT(condition)                                                     \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++wrong;                                                                \
    }                                                                         \
  } while (0)

#endif
