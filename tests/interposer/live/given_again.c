/* Memory that is given out again and that nobody writes: the emulated device gives zeros. */
#include "tests/interposer/live/check.h"

enum { size = 4096 };

int main(void) {
  CUcontext context;
  CUdeviceptr first, again;
  unsigned char held[size];
  unsigned i, others = 0;
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuMemAlloc(&first, size));
  CHECK(cuMemsetD8(first, 7, size));
  CHECK(cuMemFree(first));
  CHECK(cuMemAlloc(&again, size));
  EXPECT(again == first);
  CHECK(cuMemcpyDtoH(held, again, size));
  for (i = 0; i < size; ++i) others += held[i] != 0;
  EXPECT(others == 0);
  CHECK(cuMemFree(again));
  return wrong;
}
